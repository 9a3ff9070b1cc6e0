import VPlayModel

/// A stream that nobody hears, at the pace of the host's clock: what a muted player runs on.
// Safe to share: all state is in the monitor.
final class SilentStream: AudioSinkStream {
  private struct State {
    var frame: Int64 = 0
    /// Since when it runs; nil while corked.
    var start: HostTime?
  }

  let format: AudioFormat
  let bufferFrames: Int
  private let clock: any HostClock
  private let state = Monitor(State())

  init(format: AudioFormat, clock: any HostClock) {
    self.format = format
    self.clock = clock
    bufferFrames = 2 * format.sampleRate
  }

  private func frame(_ state: State, at host: HostTime) -> Int64 {
    guard let start = state.start else { return state.frame }
    return state.frame + Int64(host.seconds(since: start) * Double(format.sampleRate))
  }

  func timing() throws(SinkError) -> SinkTiming {
    let now = clock.now
    return state.withLock { state in
      let frame = frame(state, at: now)
      return SinkTiming(
        hostTime: now, readFrame: frame, heardFrame: frame, rewriteFrame: frame, isRunning: state.start != nil)
    }
  }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {}

  func setCorked(_ corked: Bool) throws(SinkError) {
    let now = clock.now
    state.withLock { state in
      guard corked == (state.start != nil) else { return }
      state.frame = frame(state, at: now)
      state.start = corked ? nil : now
    }
  }

  func nextWake(endFrame: Int64, now: HostTime) -> HostTime? {
    state.withLock { state in
      guard state.start != nil else { return nil }
      let rest = endFrame - frame(state, at: now) - Int64(bufferFrames / 2)
      return now.advanced(bySeconds: max(0.02, Double(rest) / Double(format.sampleRate)))
    }
  }

  func close() {}
}
