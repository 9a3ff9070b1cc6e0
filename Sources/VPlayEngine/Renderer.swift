package import VPlayModel

/// Brings chunks of any format to the stream's, at any rate, through converters that are never flushed between passes, and
/// keeps the count: which stream frame an input frame falls on.
///
/// Used by one thread at a time; a player's by its engine's.
package struct Renderer {
  package let output: AudioFormat
  private let makeConverter: @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  private let makeStretcher: StretcherMaker
  private var converter: (any AudioConverter)?
  private var stretcher: (any TimeStretcher)?
  private var input: AudioFormat?
  /// Media seconds a second of stream, and how sound is brought to it.
  private(set) var speed = Speed()
  /// The stream frame at which the present input began, and how many input frames came since.
  private var epochFrame: Int64
  private var inputFrames: Int64 = 0
  private var silence: [Float] = []

  package init(
    output: AudioFormat, firstFrame: Int64,
    makeConverter: @escaping @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter,
    makeStretcher: @escaping StretcherMaker = noStretcher
  ) {
    self.output = output
    self.makeConverter = makeConverter
    self.makeStretcher = makeStretcher
    epochFrame = firstFrame
  }

  /// The stream frame on which the next input frame falls.
  ///
  /// Converted sound may still lag behind it by the resampler's delay.
  package var contentEnd: Int64 {
    guard let input else { return epochFrame }
    if speed.rate == 1 {
      return epochFrame + MediaTime(frame: inputFrames, rate: input.sampleRate).frame(rate: output.sampleRate)
    }
    let frames = Double(inputFrames) * Double(output.sampleRate) / (Double(input.sampleRate) * speed.rate)
    return epochFrame + Int64(frames.rounded())
  }

  /// Starts anew: the next input frame falls on `frame`, and nothing of before is heard.
  mutating func restart(at frame: Int64, speed: Speed? = nil) {
    if let speed { self.speed = speed }
    converter = nil
    stretcher = nil
    input = nil
    epochFrame = frame
    inputFrames = 0
  }

  /// What is rendered next comes at another speed; what is held back of before is handed out, as by `finish`.
  mutating func setSpeed(
    _ speed: Speed, written: Int64, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError) {
    guard speed != self.speed else { return }
    defer { self.speed = speed }
    try finish(written: written, body)
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
      try makeChain(from: format)
    }
    inputFrames += Int64(frames)
    guard let converter else { return try stretch(samples, frames: frames, body) }
    var failure: MediaError?
    try converter.convert(samples, frameCount: frames) { samples, frames in
      do throws(MediaError) { try stretch(samples, frames: frames, body) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  private mutating func makeChain(from format: AudioFormat) throws(MediaError) {
    var played = format
    if speed.rate != 1, speed.algorithm == .resampling {
      // Taken for sound of another rate, it comes out at its speed and its pitch.
      played.sampleRate = max(1, Int((Double(format.sampleRate) * speed.rate).rounded()))
    }
    converter = played == output ? nil : try makeConverter(played, output)
    stretcher =
      speed.rate != 1 && speed.algorithm == .timeStretch ? try makeStretcher(output, speed.rate) : nil
  }

  private func stretch(
    _ samples: UnsafeBufferPointer<Float>, frames: Int, _ body: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError) {
    guard let stretcher else { return body(samples) }
    try stretcher.stretch(samples, frameCount: frames, output: body)
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
    func keep(_ samples: UnsafeBufferPointer<Float>) {
      let kept = Int(min(Int64(samples.count / channels), max(0, rest)))
      if kept > 0 { body(UnsafeBufferPointer(rebasing: samples[..<(kept * channels)])) }
      rest -= Int64(kept)
    }
    if rest > 0 {
      var failure: MediaError?
      try converter?.flush { samples, frames in
        do throws(MediaError) { try stretch(samples, frames: frames, keep) } catch { failure = error }
      }
      if let failure { throw failure }
      if rest > 0 { try stretcher?.flush(frameCount: Int(rest), output: keep) }
    }
    converter = nil
    stretcher = nil
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

/// Makes what brings sound of a format to a rate at its own pitch.
package typealias StretcherMaker = @Sendable (AudioFormat, Double) throws(MediaError) -> any TimeStretcher

/// For where nothing is played at another rate.
package let noStretcher: StretcherMaker = { (_, _) throws(MediaError) in
  throw MediaError(.other, "nothing here changes the rate of sound")
}
