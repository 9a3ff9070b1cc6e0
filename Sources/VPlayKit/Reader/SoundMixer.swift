import VPlayModel

/// Some tracks as one sound, from a time on. One thread at a time; blocks while it reads.
final class SoundMixer {
  struct Chunk {
    /// Of `output`'s frames, from item time zero.
    var startFrame: Int64
    /// Interleaved.
    var samples: [Float]
  }

  let output: AudioFormat
  private let tracks: [RenderedTrack]
  /// Nil where the sound begins with the first track that has some.
  private var nextFrame: Int64?
  private var brokenBy: MediaError?

  /// `start` is nil for where the first track begins to sound.
  init(_ tracks: [RenderedTrack], output: AudioFormat, start: MediaTime?) {
    self.tracks = tracks
    self.output = output
    nextFrame = start?.frame(rate: output.sampleRate)
  }

  /// The next frames, at most so many; nil at the end of the longest track.
  ///
  /// Why a track broke off is thrown once all that was had is given.
  func next(atMost frames: Int) throws(MediaError) -> Chunk? {
    if nextFrame == nil {
      try render(upTo: .min)
      nextFrame = tracks.compactMap(\.firstFrame).min()
    }
    if let start = nextFrame {
      try render(upTo: start + Int64(frames))
      let end = tracks.map(\.endFrame).max() ?? start
      let count = Int(min(Int64(frames), end - start))
      if count > 0 {
        var samples = [Float](repeating: 0, count: count * output.channelCount)
        for track in tracks { track.add(to: &samples, from: start, frames: count) }
        nextFrame = start + Int64(count)
        return Chunk(startFrame: start, samples: samples)
      }
    }
    if let brokenBy { throw brokenBy }
    return nil
  }

  private func render(upTo frame: Int64) throws(MediaError) {
    for track in tracks {
      do throws(MediaError) {
        try track.render(upTo: frame)
      } catch {
        if error.kind == .interrupted { throw error }
        brokenBy = brokenBy ?? error
      }
    }
  }
}
