import VPlayEngine
import VPlayFFmpeg
import VPlayModel

/// One sound track as frames of a wanted format, from one time to another.
///
/// Blocks while it reads. Used by one thread at a time; only `interrupt` may come from any. Positions are frames from
/// item time zero.
final class RenderedTrack {
  /// The most silence rendered at a time.
  private static let silenceFrames = 8192
  /// Sound that ends this many seconds before the container's claim has broken off; less is rounding.
  private static let truncationSeconds = 0.25

  let output: AudioFormat
  /// Frames rendered and not taken yet, interleaved, from `takenSamples` on.
  private var samples: [Float] = []
  private var takenSamples = 0
  /// Where the first frame lies, in `output`'s; nil before there is one.
  private(set) var firstFrame: Int64?
  /// The frame after the last one rendered.
  private(set) var endFrame: Int64 = 0
  private(set) var isEnded = false

  private let source: any MediaSource
  private let track: AudioTrack
  private let decoder: any AudioDecoder
  private let start: MediaTime
  private let end: MediaTime?
  private var renderer: Renderer?
  private var format: AudioFormat
  /// The next frame wanted, in `format`'s.
  private var position: Int64
  private var blocks: [(format: AudioFormat, startFrame: Int64, frames: Int, offset: Int)] = []
  private var blockSamples: [Float] = []
  private var isDrained = false
  private var brokenBy: MediaError?
  private var lastDecodeError: MediaError?

  /// Of an open source's track; `makeFormat` tells the wanted format from the track's own.
  init(
    source: any MediaSource, description: MediaDescription, trackIndex: Int, start: MediaTime, end: MediaTime?,
    makeFormat: (AudioFormat) -> AudioFormat
  ) throws(MediaError) {
    guard let track = description.audioTracks.first(where: { $0.id == trackIndex }) else {
      throw MediaError(.unsupportedCodec, "this track cannot be decoded")
    }
    self.source = source
    self.track = track
    self.start = start
    self.end = end
    format = track.format
    output = makeFormat(track.format)
    position = start.frame(rate: track.format.sampleRate)
    decoder = try source.makeAudioDecoder(trackID: track.id)
    source.select(trackIDs: [track.id])
    if start > .zero && description.isSeekable { try source.seek(to: start) }
    decoder.restart(at: start)
  }

  /// Renders until `endFrame` has reached `frame`, or the track ends. Throws why it broke off, after all that could be
  /// had was rendered.
  func render(upTo frame: Int64) throws(MediaError) {
    do throws(MediaError) {
      while !isEnded && (firstFrame == nil || endFrame < frame) { try step() }
    } catch {
      isEnded = true
      throw error
    }
  }

  /// Adds the frames from `first` on, as far as they are there, to interleaved samples that begin there.
  func add(to mix: inout [Float], from first: Int64, frames: Int) {
    guard let head = firstFrame else { return }
    let channels = output.channelCount
    let from = max(first, head)
    let count = Int(min(first + Int64(frames), endFrame) - from)
    guard count > 0 else { return }
    let source = takenSamples + Int(from - head) * channels
    let target = Int(from - first) * channels
    for index in 0..<count * channels { mix[target + index] += samples[source + index] }
    drop(before: from + Int64(count), head)
  }

  private func drop(before frame: Int64, _ head: Int64) {
    takenSamples += Int(frame - head) * output.channelCount
    firstFrame = frame
    if takenSamples * 2 > samples.count {
      samples.removeFirst(takenSamples)
      takenSamples = 0
    }
  }

  // MARK: - Steps

  /// Where the track ends by the container's word and the caller's, in `format`'s frames.
  private var limit: Int64? {
    let own = track.exactEndFrame.map { MediaTime(frame: $0, rate: track.format.sampleRate) }
    return [own, end].compactMap { $0 }.min()?.frame(rate: format.sampleRate)
  }

  private func step() throws(MediaError) {
    if let limit, position >= limit { return try finish() }
    if let block = blocks.first {
      try take(block)
    } else if isDrained {
      try endOfData()
    } else {
      decode(try next())
    }
  }

  private func next() throws(MediaError) -> (any MediaPacket)? {
    var failures = 0
    while true {
      do throws(MediaError) {
        return try source.read()
      } catch {
        failures += 1
        if error.kind == .interrupted { throw error }
        if failures > 1 {
          brokenBy = error
          return nil
        }
      }
    }
  }

  private func decode(_ packet: (any MediaPacket)?) {
    if packet == nil { isDrained = true }
    do throws(MediaError) {
      try decoder.decode(packet) { audio in
        blocks.append((audio.format, audio.startFrame, audio.frameCount, blockSamples.count))
        blockSamples.append(contentsOf: audio.samples)
      }
    } catch {
      // What is damaged is silent; that nothing at all could be decoded is told at the end.
      lastDecodeError = error
    }
  }

  private func take(_ block: (format: AudioFormat, startFrame: Int64, frames: Int, offset: Int)) throws(MediaError) {
    if block.format != format {
      position = MediaTime(frame: position, rate: format.sampleRate).frame(rate: block.format.sampleRate)
      format = block.format
    }
    let limit = limit ?? .max
    if renderer == nil {
      // The track's own beginning, where it is later than the wanted one.
      position = min(max(position, block.startFrame), limit)
      let first = MediaTime(frame: position, rate: format.sampleRate).frame(rate: output.sampleRate)
      firstFrame = first
      endFrame = first
      renderer = Renderer(output: output, firstFrame: first) { (input, output) throws(MediaError) in
        try FFmpegAudioConverter(from: input, to: output)
      }
    } else if block.startFrame > position {
      return try renderSilence(min(block.startFrame, limit) - position)
    }
    blocks.removeFirst()
    let skipped = position - block.startFrame
    let frames = Int(min(Int64(block.frames), limit - block.startFrame) - skipped)
    if frames > 0 {
      let from = block.offset + Int(skipped) * format.channelCount
      let chunk = Array(blockSamples[from..<from + frames * format.channelCount])
      try render { renderer, written, append throws(MediaError) in
        try chunk.withPCM { (chunk) throws(MediaError) in
          try renderer.render(chunk, frames: frames, format: self.format, written: written, append)
        }
      }
      position += Int64(frames)
    }
    if blocks.isEmpty { blockSamples.removeAll(keepingCapacity: true) }
  }

  private func renderSilence(_ frames: Int64) throws(MediaError) {
    let count = Int(min(frames, Int64(Self.silenceFrames)))
    try render { renderer, written, append throws(MediaError) in
      try renderer.renderSilence(frames: count, format: self.format, written: written, append)
    }
    position += Int64(count)
  }

  /// After the last packet, before the end that is claimed.
  private func endOfData() throws(MediaError) {
    if let brokenBy {
      try finish()
      throw brokenBy
    }
    if renderer == nil, let lastDecodeError {
      isEnded = true
      throw lastDecodeError
    }
    let claim = track.exactEndFrame == nil ? nil : limit
    let missing = Double((claim ?? position) - position) / Double(format.sampleRate)
    try finish()
    if missing > Self.truncationSeconds {
      throw MediaError(.damaged, "the file breaks off before its stated end")
    }
  }

  private func finish() throws(MediaError) {
    isEnded = true
    try render { (renderer, written, append) throws(MediaError) in try renderer.finish(written: written, append) }
  }

  private func render(
    _ body: (inout Renderer, Int64, (UnsafeBufferPointer<Float>) -> Void) throws(MediaError) -> Void
  ) throws(MediaError) {
    guard var renderer else { return }
    var rendered: [Float] = []
    try body(&renderer, endFrame) { rendered.append(contentsOf: $0) }
    self.renderer = renderer
    samples += rendered
    endFrame += Int64(rendered.count / output.channelCount)
  }
}

extension [Float] {
  /// `withUnsafeBufferPointer` for a body that throws but one type.
  fileprivate func withPCM(
    _ body: (UnsafeBufferPointer<Float>) throws(MediaError) -> Void
  ) throws(MediaError) {
    var failure: MediaError?
    withUnsafeBufferPointer { samples in
      do throws(MediaError) {
        try body(samples)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
