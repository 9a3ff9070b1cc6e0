package import VPlayModel

/// An output that takes sound at the pace of a clock and drops it.
///
/// It has no thread: a stream is looked at when its player calls. A stream that runs dry waits for more, without a
/// hole. All calls may come from any thread.
package final class NullSink: AudioSink {
  private let clock: any HostClock

  package init(clock: any HostClock) {
    self.clock = clock
  }

  package func prepare() {}

  package func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream {
    if cancellation.isCancelled { throw SinkError(.cancelled, "the opening was ended") }
    return NullSinkStream(format: request.format, clock: clock, cancellation: cancellation)
  }

  /// There is always room: calls `action` at once.
  package func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject {
    action()
    return AvailabilityToken()
  }
}

/// What `whenAvailable` hands out where there is nothing to watch.
final class AvailabilityToken: Sendable {}

/// A stream of a `NullSink`: two seconds of room that empties by the clock.
final class NullSinkStream: AudioSinkStream {
  private struct State {
    var isCorked = true
    var isClosed = false
    var endFrame: Int64 = 0
    /// The frame that was read at `anchorTime`.
    var anchorFrame: Int64 = 0
    var anchorTime: HostTime
  }

  let format: AudioFormat
  let bufferFrames: Int
  private let clock: any HostClock
  private let cancellation: SinkCancellation
  private let state: Monitor<State>

  init(format: AudioFormat, clock: any HostClock, cancellation: SinkCancellation) {
    self.format = format
    self.clock = clock
    self.cancellation = cancellation
    bufferFrames = format.sampleRate * 2
    state = Monitor(State(anchorTime: clock.now))
  }

  func timing() throws(SinkError) -> SinkTiming {
    let timing = state.withLock { state -> SinkTiming? in
      if state.isClosed { return nil }
      let now = clock.now
      let frame = readFrame(state, at: now)
      return SinkTiming(
        hostTime: now, readFrame: frame, heardFrame: frame, rewriteFrame: frame,
        isRunning: !state.isCorked && frame < state.endFrame)
    }
    return try checked(timing)
  }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {
    let end = frame + Int64(samples.count / format.channelCount)
    let done = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      let now = clock.now
      let frame = readFrame(state, at: now)
      if frame >= state.endFrame {
        // Dry: the time since is not counted.
        state.anchorFrame = frame
        state.anchorTime = now
      }
      state.endFrame = max(state.endFrame, end)
      return true
    }
    _ = try checked(done)
  }

  func setCorked(_ corked: Bool) throws(SinkError) {
    let done = state.withLock { state -> Bool? in
      if state.isClosed { return nil }
      let now = clock.now
      state.anchorFrame = readFrame(state, at: now)
      state.anchorTime = now
      state.isCorked = corked
      return true
    }
    _ = try checked(done)
  }

  func nextWake(endFrame: Int64, now: HostTime) -> HostTime? {
    state.withLock { state in
      if state.isClosed || state.isCorked { return nil }
      let excess = endFrame - readFrame(state, at: now) - Int64(bufferFrames / 2)
      return now.advanced(bySeconds: Double(max(0, excess)) / Double(format.sampleRate))
    }
  }

  func close() {
    state.withLock { $0.isClosed = true }
  }

  private func readFrame(_ state: State, at now: HostTime) -> Int64 {
    guard !state.isCorked else { return state.anchorFrame }
    let elapsed = Int128(max(0, now.nanoseconds - state.anchorTime.nanoseconds))
    let frames = Int64(clamping: elapsed * Int128(format.sampleRate) / 1_000_000_000)
    return min(state.endFrame, state.anchorFrame + frames)
  }

  private func checked<Answer>(_ answer: Answer?) throws(SinkError) -> Answer {
    if cancellation.isCancelled { throw SinkError(.cancelled, "the wait was ended") }
    guard let answer else { throw SinkError(.lost, "the stream is closed") }
    return answer
  }
}
