internal import CVPlayFFmpeg

/// Turns a frame's samples, of whatever type and arrangement, into interleaved floats in a buffer that is used again.
///
/// Integers are divided by a power of two, so that 16-bit (and 24-bit) values come back bit for bit.
struct SampleInterleaver: ~Copyable {
  private var buffer = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)

  deinit {
    buffer.deallocate()
  }

  /// The frames `range` of `frame`; nil for a sample type that FFmpeg may get one day. Valid until the next call.
  mutating func interleave(
    _ frame: borrowing AVFrame, channels: Int, offset: Int, count: Int
  ) -> UnsafeBufferPointer<Float>? {
    reserve(count * channels)
    guard let planes = frame.extended_data, let target = buffer.baseAddress else { return nil }
    let job = Job(planes: planes, target: target, channels: channels, offset: offset, count: count)
    switch AVSampleFormat(rawValue: frame.format) {
    case AV_SAMPLE_FMT_FLT: job.packed { (v: Float) in v }
    case AV_SAMPLE_FMT_FLTP: job.planar { (v: Float) in v }
    case AV_SAMPLE_FMT_S16: job.packed { (v: Int16) in Float(v) * 0x1p-15 }
    case AV_SAMPLE_FMT_S16P: job.planar { (v: Int16) in Float(v) * 0x1p-15 }
    case AV_SAMPLE_FMT_S32: job.packed { (v: Int32) in Float(v) * 0x1p-31 }
    case AV_SAMPLE_FMT_S32P: job.planar { (v: Int32) in Float(v) * 0x1p-31 }
    case AV_SAMPLE_FMT_U8: job.packed { (v: UInt8) in (Float(v) - 128) * 0x1p-7 }
    case AV_SAMPLE_FMT_U8P: job.planar { (v: UInt8) in (Float(v) - 128) * 0x1p-7 }
    case AV_SAMPLE_FMT_DBL: job.packed { (v: Double) in Float(v) }
    case AV_SAMPLE_FMT_DBLP: job.planar { (v: Double) in Float(v) }
    case AV_SAMPLE_FMT_S64: job.packed { (v: Int64) in Float(v) * 0x1p-63 }
    case AV_SAMPLE_FMT_S64P: job.planar { (v: Int64) in Float(v) * 0x1p-63 }
    default: return nil
    }
    return UnsafeBufferPointer(start: target, count: count * channels)
  }

  private mutating func reserve(_ samples: Int) {
    guard samples > buffer.count else { return }
    buffer.deallocate()
    buffer = .allocate(capacity: max(samples, 8192))
  }
}

private struct Job {
  let planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  let target: UnsafeMutablePointer<Float>
  let channels: Int
  let offset: Int
  let count: Int

  @inline(__always)
  func packed<Sample>(_ convert: (Sample) -> Float) {
    guard let plane = planes[0] else { return }
    let samples = UnsafeRawPointer(plane).assumingMemoryBound(to: Sample.self) + offset * channels
    for index in 0..<count * channels { target[index] = convert(samples[index]) }
  }

  @inline(__always)
  func planar<Sample>(_ convert: (Sample) -> Float) {
    if channels == 2, let left: UnsafePointer<Sample> = plane(0), let right: UnsafePointer<Sample> = plane(1) {
      for index in 0..<count {
        target[2 * index] = convert(left[index])
        target[2 * index + 1] = convert(right[index])
      }
      return
    }
    for channel in 0..<channels {
      guard let samples: UnsafePointer<Sample> = plane(channel) else { continue }
      var out = channel
      for index in 0..<count {
        target[out] = convert(samples[index])
        out += channels
      }
    }
  }

  @inline(__always)
  private func plane<Sample>(_ channel: Int) -> UnsafePointer<Sample>? {
    planes[channel].map { UnsafeRawPointer($0).assumingMemoryBound(to: Sample.self) + offset }
  }
}
