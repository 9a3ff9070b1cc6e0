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
  /// A lag of more seconds is waited for, standing still.
  static let patience = 0.040
  /// For so many seconds after a start a report may still bring the told time forward, as far as the host clock has gone
  /// since the start: only then is it known what the output had taken before, and whether it gave it back.
  package static let starting = 1.0
  /// Less is corrected as everywhere.
  static let startTolerance = 0.005

  package let sampleRate: Int
  package private(set) var isRunning = false
  private var anchorHost: HostTime
  private var anchorFrame: Double
  /// From the anchor on, for so many seconds, the clock stands still: the output lags behind what was told.
  private var holdSeconds = 0.0
  /// Then, for so many seconds, it goes `slew` faster (or slower, where negative) than the host clock.
  private var slewSeconds = 0.0
  private var slew = 0.0
  /// Where an output that has stopped came to rest: told so far and no further.
  private var restFrame: Double?
  /// At the last start: the instant, and the first frame that could be heard then.
  private var startHost: HostTime
  private var startFrame: Double
  /// By how many seconds the last report was ahead of what had been told; nil while a start settles, and at rest.
  package private(set) var settledError: Double?

  package init(sampleRate: Int, frame: Int64 = 0, at host: HostTime) {
    self.sampleRate = sampleRate
    anchorHost = host
    anchorFrame = Double(frame)
    restFrame = anchorFrame
    startHost = host
    startFrame = anchorFrame
  }

  /// The frame heard at `host`. Instants before the last report read as that report's.
  package func frame(at host: HostTime) -> Double {
    let seconds = max(0, host.seconds(since: anchorHost) - holdSeconds)
    let frame = anchorFrame + (seconds + min(seconds, slewSeconds) * slew) * Double(sampleRate)
    return restFrame.map { min($0, frame) } ?? frame
  }

  /// When `frame` is heard if nothing happens; nil while standing still.
  package func hostTime(ofFrame frame: Double) -> HostTime? {
    guard isRunning else { return nil }
    let ahead = max(0, frame - anchorFrame) / Double(sampleRate)
    let slewed = slewSeconds * (1 + slew)
    let seconds = ahead <= slewed ? ahead / (1 + slew) : slewSeconds + ahead - slewed
    return anchorHost.advanced(bySeconds: holdSeconds + seconds)
  }

  /// Takes over a report: the instants from `now` on are told from it.
  ///
  /// `now` is the latest instant that may have been asked about, nil the report's own.
  package mutating func update(_ timing: SinkTiming, at now: HostTime? = nil) {
    let present = max(timing.hostTime, now ?? timing.hostTime, anchorHost)
    var told = frame(at: present)
    isRunning = timing.isRunning
    settledError = nil
    anchorHost = present
    anchorFrame = told
    holdSeconds = 0
    slewSeconds = 0
    slew = 0
    guard isRunning else {
      restFrame = max(told, Double(timing.heardFrame))
      return
    }
    restFrame = nil
    let age = present.seconds(since: timing.hostTime)
    let reported = Double(timing.heardFrame) + age * Double(sampleRate)
    let sinceStart = present.seconds(since: startHost)
    if sinceStart < HeardClock.starting {
      let most = min(reported, startFrame + sinceStart * Double(sampleRate))
      if most - told > HeardClock.startTolerance * Double(sampleRate) {
        told = most
        anchorFrame = told
      }
    }
    let error = (reported - told) / Double(sampleRate)
    if sinceStart >= HeardClock.starting { settledError = error }
    if error < -HeardClock.patience {
      holdSeconds = -error
    } else {
      slewSeconds = max(HeardClock.settling, abs(error) / HeardClock.correction)
      slew = error / slewSeconds
    }
  }

  /// Starts the telling anew from a report: after opening, a resume or a recovery, when nobody counts on the old one.
  package mutating func reset(_ timing: SinkTiming) {
    self = HeardClock(sampleRate: sampleRate, frame: timing.heardFrame, at: timing.hostTime)
    startFrame = Double(timing.readFrame)
    isRunning = timing.isRunning
    if isRunning { restFrame = nil }
  }
}
