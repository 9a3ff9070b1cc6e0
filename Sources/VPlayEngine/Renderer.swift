package import VPlayModel

/// Brings chunks of any format to the stream's, through converters that are never flushed between passes, and keeps
/// the count: which stream frame an input frame falls on.
///
/// Used by one thread at a time; a player's by its engine's.
package struct Renderer {
  package let output: AudioFormat
  private let makeConverter: @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  private var converter: (any AudioConverter)?
  private var input: AudioFormat?
  /// The stream frame at which the present input began, and how many input frames came since.
  private var epochFrame: Int64
  private var inputFrames: Int64 = 0
  private var silence: [Float] = []

  package init(
    output: AudioFormat, firstFrame: Int64,
    makeConverter: @escaping @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  ) {
    self.output = output
    self.makeConverter = makeConverter
    epochFrame = firstFrame
  }

  /// The stream frame on which the next input frame falls.
  ///
  /// Converted sound may still lag behind it by the resampler's delay.
  package var contentEnd: Int64 {
    guard let input else { return epochFrame }
    return epochFrame + MediaTime(frame: inputFrames, rate: input.sampleRate).frame(rate: output.sampleRate)
  }

  /// Starts anew: the next input frame falls on `frame`, and nothing of before is heard.
  mutating func restart(at frame: Int64) {
    converter = nil
    input = nil
    epochFrame = frame
    inputFrames = 0
  }

  /// Follows a shift of everything written.
  mutating func shift(byFrames frames: Int64) {
    epochFrame += frames
  }

  /// Converts a chunk and hands out the stream's frames.
  package mutating func render(
    _ samples: UnsafeBufferPointer<Float>, frames: Int, format: AudioFormat, written: Int64,
    _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError) {
    if input != format {
      try finish(written: written, body)
      epochFrame = contentEnd
      inputFrames = 0
      input = format
      converter = format == output ? nil : try makeConverter(format, output)
    }
    inputFrames += Int64(frames)
    if let converter {
      try converter.convert(samples, frameCount: frames) { samples, _ in body(samples) }
    } else {
      body(samples)
    }
  }

  package mutating func renderSilence(
    frames: Int, format: AudioFormat, written: Int64, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError) {
    let count = frames * format.channelCount
    if silence.count < count { silence = [Float](repeating: 0, count: count) }
    let zeros = silence
    var failure: MediaError?
    zeros.withUnsafeBufferPointer { zeros in
      do throws(MediaError) {
        try render(
          UnsafeBufferPointer(rebasing: zeros[..<count]), frames: frames, format: format, written: written, body)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Counts frames that are not converted, because nobody hears them.
  mutating func count(frames: Int, format: AudioFormat) {
    if input != format {
      epochFrame = contentEnd
      inputFrames = 0
      input = format
    }
    inputFrames += Int64(frames)
  }

  /// Hands out what the converter holds back, cut or filled to end at `contentEnd` exactly. `written` is the end of
  /// what was handed out before.
  package mutating func finish(written: Int64, _ body: (UnsafeBufferPointer<Float>) -> Void) throws(MediaError) {
    var rest = contentEnd - written
    let channels = output.channelCount
    if let converter, rest > 0 {
      try converter.flush { samples, frames in
        let kept = Int(min(Int64(frames), rest))
        if kept > 0 { body(UnsafeBufferPointer(rebasing: samples[..<(kept * channels)])) }
        rest -= Int64(kept)
      }
    }
    converter = nil
    let end = contentEnd
    input = nil
    epochFrame = end
    inputFrames = 0
    if rest > 0 {
      let zeros = [Float](repeating: 0, count: Int(rest) * channels)
      zeros.withUnsafeBufferPointer { body($0) }
    }
  }
}
