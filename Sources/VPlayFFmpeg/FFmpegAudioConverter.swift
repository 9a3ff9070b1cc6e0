internal import CVPlayFFmpeg
package import VPlayModel

/// Converts rate and layout by swresample; equal formats go through untouched.
///
/// After n frames in and a flush, exactly n · output rate / input rate frames (rounded to the nearest) have come out;
/// before the flush the filter holds back about a millisecond.
package final class FFmpegAudioConverter: AudioConverter {
  package let input: AudioFormat
  package let output: AudioFormat
  private let resampler: Resampler?
  private var buffer = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
  private var framesIn: Int64 = 0
  private var framesOut: Int64 = 0

  package init(from input: AudioFormat, to output: AudioFormat) throws(MediaError) {
    self.input = input
    self.output = output
    let matrix = try MixMatrix(from: input.channels, to: output.channels)
    if matrix == nil && input.sampleRate == output.sampleRate {
      resampler = nil
    } else {
      resampler = try Resampler(from: input, to: output, matrix: matrix)
    }
  }

  deinit {
    buffer.deallocate()
  }

  package func convert(
    _ samples: UnsafeBufferPointer<Float>, frameCount: Int, output: (UnsafeBufferPointer<Float>, Int) -> Void
  ) throws(MediaError) {
    precondition(samples.count >= frameCount * input.channelCount, "as many samples as frames say")
    guard let resampler else {
      if frameCount > 0 { output(samples, frameCount) }
      return
    }
    guard frameCount > 0, let base = samples.baseAddress else { return }
    framesIn += Int64(frameCount)
    let count = try run(resampler, base, frameCount)
    hand(count, output)
  }

  package func flush(output: (UnsafeBufferPointer<Float>, Int) -> Void) throws(MediaError) {
    guard let resampler, framesIn > 0 else { return }
    let total = MediaTime(frame: framesIn, rate: input.sampleRate).frame(rate: self.output.sampleRate)
    let count = try run(resampler, nil, 0)
    let wanted = Int(max(0, total - framesOut))
    hand(min(count, wanted), output)
    if count < wanted {
      // The filter's tail can be a frame short of the exact count: its last, silent end.
      reserve(wanted - count)
      buffer.update(repeating: 0)
      hand(wanted - count, output)
    }
    framesIn = 0
    framesOut = 0
    try resampler.reset()
  }

  private func hand(_ count: Int, _ output: (UnsafeBufferPointer<Float>, Int) -> Void) {
    guard count > 0 else { return }
    framesOut += Int64(count)
    output(UnsafeBufferPointer(rebasing: buffer[0..<count * self.output.channelCount]), count)
  }

  /// Fills `buffer`; returns the frames in it.
  private func run(
    _ resampler: Resampler, _ samples: UnsafePointer<Float>?, _ count: Int
  ) throws(MediaError) -> Int {
    let capacity = resampler.capacity(for: count)
    reserve(capacity)
    guard let target = buffer.baseAddress else { return 0 }
    return try resampler.convert(samples, count, into: target, capacity: capacity)
  }

  private func reserve(_ frames: Int) {
    let samples = max(1, frames) * output.channelCount
    guard samples > buffer.count else { return }
    buffer.deallocate()
    buffer = .allocate(capacity: samples)
  }
}
