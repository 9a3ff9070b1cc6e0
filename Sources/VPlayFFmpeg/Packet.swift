internal import CVPlayFFmpeg
internal import VPlayModel

/// One `AVPacket` and what item time it stands for.
// Safe to share: by the contract one thread at a time holds a packet, and FFmpeg's buffers are counted atomically.
final class Packet: MediaPacket, @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVPacket>
  /// Item time; set once by the demuxer when the packet has been read.
  private(set) var time: MediaTime?
  private(set) var duration = MediaTime.zero
  /// Whether the track's first sound is what the decoder gives next. Set by the demuxer.
  var beginsTrack = false
  /// Set by the demuxer.
  var tags: [String: String]?
  /// What the packet's own times count; a stream's may change where another one is glued on.
  private(set) var timeBase = AVRational(num: 0, den: 1)

  /// Longer than any codec's block; what claims more has no true length.
  private static let longest = MediaTime(value: 60, timescale: 1)

  init() throws(MediaError) {
    guard let pointer = av_packet_alloc() else { throw MediaError(.outOfMemory, "out of memory") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVPacket>? = pointer
    av_packet_free(&pointer)
  }

  var trackID: Int { Int(pointer.pointee.stream_index) }
  var sizeBytes: Int { Int(pointer.pointee.size) }

  /// FFmpeg's duration in its own units, where it is one of 32 bits and may be negative.
  var shortDuration: Int64 { Int64(Int32(truncatingIfNeeded: pointer.pointee.duration)) }

  /// The presentation time as the container has it, or where there is none the decoding time.
  var timestamp: Int64? {
    let none = vplay_no_timestamp()
    let packet = pointer.pointee
    return packet.pts != none ? packet.pts : packet.dts != none ? packet.dts : nil
  }

  /// Gives the packet its item time: the container's, in units of `base`, counted from `zero`.
  func stamp(base: AVRational, zero: MediaTime) {
    timeBase = base
    time = timestamp.map { MediaTime($0, base) - zero }
    duration = MediaTime(max(0, pointer.pointee.duration), base)
    if duration > Self.longest { duration = .zero }
  }
}

extension MediaTime {
  /// `units` of a time base; an invalid base reads as zero.
  init(_ units: Int64, _ base: AVRational) {
    guard base.num > 0, base.den > 0 else {
      self = .zero
      return
    }
    let (value, overflow) = units.multipliedReportingOverflow(by: Int64(base.num))
    self.init(value: overflow ? (units < 0 ? .min : .max) : value, timescale: base.den)
  }

  /// This time in units of a time base, rounded down.
  func units(of base: AVRational) -> Int64 {
    guard base.num > 0, base.den > 0 else { return 0 }
    let numerator = Int128(value) * Int128(base.den)
    let denominator = Int128(timescale) * Int128(base.num)
    let quotient = numerator / denominator
    return Int64(clamping: numerator % denominator < 0 ? quotient - 1 : quotient)
  }
}
