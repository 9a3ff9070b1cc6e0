import CVPlayPulse
import VPlayModel

/// One playback stream on a server.
///
/// Its end of the buffer is known here, so each write says by how far it moves from there (`PA_SEEK_RELATIVE`): with
/// absolute seeks the server counts a rewrite as a new want and a jump over a hole as data that it need not ask for.
// Safe to share: all that changes is in `core`, under the loop's lock.
final class PulseStream: AudioSinkStream, @unchecked Sendable {
  /// `timing` and `setCorked` wait this long for their answer.
  static let replyLimitSeconds = 1.0

  let format: AudioFormat
  private let connection: PulseConnection
  private let cancellation: SinkCancellation
  private let core: PulseStreamCore
  /// On PipeWire, which asks nobody to make way for a call: our own watch for one.
  private let callWatch: Int?

  init(core: PulseStreamCore, on connection: PulseConnection, cancellation: SinkCancellation) {
    self.format = core.format
    self.core = core
    self.connection = connection
    self.cancellation = cancellation
    let isPipeWire = connection.loop.withLock { connection.isPipeWire }
    callWatch =
      isPipeWire ? connection.observe { [weak core] state in core?.callsChanged(state.hasCall) } : nil
  }

  deinit {
    close()
  }

  var bufferFrames: Int {
    connection.loop.withLock { core.bufferFrames }
  }

  func timing() throws(SinkError) -> SinkTiming {
    let deadline = replyDeadline()
    while true {
      let sent = SystemClock().now
      let reply = PulseReply<PulseTimingReport?>(connection.loop, nil)
      let answer = try ask("ask where the stream stands", reply, deadline) {
        pa_stream_update_timing_info($0, timingTold, $1)
      }
      guard var report = answer else { throw lostError() }
      report.sent = sent
      // Invalid: a cork was sent after the question, and the read index is of neither side of it.
      if report.isValid { return connection.loop.withLock { core.timing(report) } }
    }
  }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {
    try connection.loop.withLock { () throws(SinkError) in try core.write(samples, at: frame) }
  }

  func setCorked(_ corked: Bool) throws(SinkError) {
    let reply = PulseReply(connection.loop, false)
    let done = try ask(corked ? "pause the stream" : "resume the stream", reply, replyDeadline()) {
      pa_stream_cork($0, corked ? 1 : 0, streamSucceeded, $1)
    }
    if !done { throw lostError() }
  }

  func nextWake(endFrame: Int64, now: HostTime) -> HostTime? { nil }

  func close() {
    if let callWatch { connection.endObserving(callWatch) }
    core.close()
  }

  private func ask<Value: Sendable>(
    _ action: String, _ reply: PulseReply<Value>, _ deadline: HostTime,
    _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(SinkError) -> Value {
    if cancellation.isCancelled { throw .pulseCancelled }
    try connection.loop.withLock { () throws(SinkError) in
      let stream = try core.usable()
      guard reply.begin({ start(stream, $0) }) else { throw core.failure(action) }
    }
    return try reply.wait(until: deadline, cancellation)
  }

  private func replyDeadline() -> HostTime {
    SystemClock().now.advanced(bySeconds: Self.replyLimitSeconds)
  }

  private func lostError() -> SinkError {
    connection.loop.withLock { core.failure("use the stream") }
  }
}
