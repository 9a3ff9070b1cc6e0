package import VPlayModel

/// The heard position of a stream at any instant, from the timings that the output reports now and then.
///
/// What it tells never runs backwards, and never gains on the host clock by more than `correction` allows: a reported
/// jump ahead is approached, not followed; a reported lag is waited for. A value; frames are the stream's.
package struct HeardClock: Sendable, Equatable {
  /// How much faster or slower than the host clock the told time may go while it corrects itself.
  package static let correction = 0.02
  /// Seconds in which a small error is corrected.
  static let settling = 0.5

  package let sampleRate: Int
  private var anchorHost: HostTime
  private var anchorFrame: Double
  /// Frames a second of host time while running; the correction included.
  private var speed: Double
  /// Until this frame the clock stands still: the output lags behind what was told.
  private var holdUntil: HostTime?
  package private(set) var isRunning = false

  package init(sampleRate: Int, frame: Int64 = 0, at host: HostTime) {
    self.sampleRate = sampleRate
    anchorHost = host
    anchorFrame = Double(frame)
    speed = Double(sampleRate)
  }

  /// The frame heard at `host`. Instants before the last report read as that report's.
  package func frame(at host: HostTime) -> Double {
    guard isRunning else { return anchorFrame }
    var start = anchorHost
    if let holdUntil, holdUntil > start { start = holdUntil }
    return anchorFrame + max(0, host.seconds(since: start)) * speed
  }

  /// When `frame` is heard if nothing happens; nil while standing still.
  package func hostTime(ofFrame frame: Double) -> HostTime? {
    guard isRunning else { return nil }
    let start = max(anchorHost, holdUntil ?? anchorHost)
    return start.advanced(bySeconds: max(0, frame - anchorFrame) / speed)
  }

  /// Takes over a report: the next instants are told from it.
  package mutating func update(_ timing: SinkTiming) {
    let told = frame(at: timing.hostTime)
    let real = Double(timing.heardFrame)
    anchorHost = timing.hostTime
    anchorFrame = told
    holdUntil = nil
    speed = Double(sampleRate)
    isRunning = timing.isRunning
    guard isRunning else {
      anchorFrame = max(told, min(real, told))
      return
    }
    let error = (real - told) / Double(sampleRate)
    let limit = HeardClock.correction * HeardClock.settling
    if error < -0.040 {
      holdUntil = timing.hostTime.advanced(bySeconds: -error)
    } else {
      let slew = min(max(error, -limit), limit) / HeardClock.settling
      speed = Double(sampleRate) * (1 + slew)
    }
  }

  /// Starts the telling anew from a report: after opening, a resume or a recovery, when nobody counts on the old one.
  package mutating func reset(_ timing: SinkTiming) {
    anchorHost = timing.hostTime
    anchorFrame = Double(timing.heardFrame)
    holdUntil = nil
    speed = Double(sampleRate)
    isRunning = timing.isRunning
  }
}
