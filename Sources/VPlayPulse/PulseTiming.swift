import CVPlayPulse
import VPlayModel

/// What one timing reply said, in the server's words.
struct PulseTimingReport: Sendable, Equatable {
  /// When the question was sent and the answer processed, on the host's monotonic clock.
  var sent: HostTime
  var received: HostTime
  /// How old the answer was when processed, by the wall clock; nil when server and client do not share one.
  var ageMicroseconds: Int64?
  var readIndexBytes: Int64
  /// From the read index to the ear.
  var sinkMicroseconds: Int64
  /// The most that the sink takes ahead.
  var configuredMicroseconds: Int64
  /// Not dry.
  var isPlaying: Bool
  var isCorked: Bool
  var isSuspended: Bool
  /// False when the index was outdated by a cork sent after the question.
  var isValid = true
}

extension PulseTimingReport {
  /// In the callback of the answer; `sent` is for the asker to fill in.
  init(_ info: pa_timing_info, of stream: OpaquePointer) {
    let now = SystemClock().now
    var wallNow = timeval()
    pa_gettimeofday(&wallNow)
    let age = (wallNow.tv_sec - info.timestamp.tv_sec) * 1_000_000 + wallNow.tv_usec - info.timestamp.tv_usec
    self.init(
      sent: now, received: now, ageMicroseconds: info.synchronized_clocks != 0 ? Int64(age) : nil,
      readIndexBytes: info.read_index, sinkMicroseconds: Int64(clamping: info.sink_usec),
      configuredMicroseconds: Int64(clamping: info.configured_sink_usec), isPlaying: info.playing != 0,
      isCorked: pa_stream_is_corked(stream) == 1, isSuspended: pa_stream_is_suspended(stream) == 1,
      isValid: info.read_index_corrupt == 0)
  }
}

/// What the reading of a reply depends on.
struct PulseTimingRules: Sendable, Equatable {
  var rate: Int
  var frameBytes: Int
  var isPipeWire: Bool
  /// False once a rewrite has shown that the sink does not take back what it has taken.
  var canRewind: Bool

  /// A rewrite is under way for this long at most: reply, mixing, write.
  static let transitMicroseconds: Int64 = 7_000
  /// Sinks that take no more than this ahead are not asked to take anything back.
  static let shallowMicroseconds: Int64 = 60_000
  /// On a sink that takes back: from the heard frame to the first that is surely replaced as a whole.
  static let rewindMicroseconds: Int64 = 30_000

  func timing(_ report: PulseTimingReport) -> SinkTiming {
    let read = report.readIndexBytes / Int64(frameBytes)
    let isHeld = report.isCorked || report.isSuspended
    // Held, the sink has nothing of ours: what it had was given back or has been heard.
    let heard = isHeld ? read : read - frames(report.sinkMicroseconds)
    return SinkTiming(
      hostTime: instant(report), readFrame: read, heardFrame: heard,
      rewriteFrame: isHeld ? read : rewriteFrame(report, read: read, heard: heard),
      isRunning: !isHeld && report.isPlaying, isSuspended: report.isSuspended)
  }

  /// True when the sink is so deep that a rewrite counts on its taking back.
  func countsOnRewind(_ report: PulseTimingReport) -> Bool {
    canRewind && !isPipeWire && report.configuredMicroseconds > Self.shallowMicroseconds
  }

  private func rewriteFrame(_ report: PulseTimingReport, read: Int64, heard: Int64) -> Int64 {
    if countsOnRewind(report) { return max(0, heard + frames(Self.rewindMicroseconds)) }
    return max(0, read, heard + frames(report.configuredMicroseconds + Self.transitMicroseconds))
  }

  /// The server's own stamp, within the bounds of the exchange; without a common clock, its middle.
  private func instant(_ report: PulseTimingReport) -> HostTime {
    let trip = report.received.nanoseconds - report.sent.nanoseconds
    let age = report.ageMicroseconds.map { min(max(0, $0 * 1000), trip) } ?? trip / 2
    return HostTime(nanoseconds: report.received.nanoseconds - age)
  }

  private func frames(_ microseconds: Int64) -> Int64 {
    (microseconds * Int64(rate) + 500_000) / 1_000_000
  }
}
