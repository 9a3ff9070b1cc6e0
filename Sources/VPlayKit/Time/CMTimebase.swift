import VPlayModel

/// A timeline that a clock drives: it can be set, stopped, and run at any rate.
///
/// As Apple's [CMTimebase](https://developer.apple.com/documentation/coremedia/cmtimebase). At first it stands at zero. All
/// calls may come from any thread.
public final class CMTimebase: Sendable {
  private struct State {
    var rate = 0.0
    /// What it showed, and its clock with it, when it was last set.
    var anchor = CMTime.zero
    var sourceAnchor: CMTime
  }

  /// What drives it.
  public let sourceClock: CMClock
  private let state: Monitor<State>

  public init(sourceClock: CMClock) {
    self.sourceClock = sourceClock
    state = Monitor(State(sourceAnchor: sourceClock.time))
  }

  /// The present time.
  public var time: CMTime {
    let now = sourceClock.time
    return state.withLock { Self.time($0, at: now) }
  }

  /// The present time in a scale of one's own.
  public func time(timescale: CMTimeScale, roundingMethod method: CMTimeRoundingMethod) -> CMTime {
    time.convertScale(timescale, method: method)
  }

  /// Its seconds a second of its clock: 0 at first.
  public var rate: Double { state.withLock { $0.rate } }

  /// Goes on from `time`, at the same rate.
  /// - Throws: ``AVError`` when the time is no number.
  public func setTime(_ time: CMTime) throws {
    try set(rate: nil, time: time, at: sourceClock.time)
  }

  /// Goes on from where it is, at another rate; negative is backwards.
  /// - Throws: ``AVError`` when the rate is no finite number.
  public func setRate(_ rate: Double) throws {
    try set(rate: rate, time: nil, at: sourceClock.time)
  }

  /// Runs so that it shows `anchorTime` when its clock shows `immediateSourceTime`.
  /// - Throws: ``AVError`` when a time is no number, or the rate no finite one.
  public func setRateAndAnchorTime(rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime) throws {
    try set(rate: rate, time: anchorTime, at: immediateSourceTime)
  }

  private func set(rate: Double?, time: CMTime?, at source: CMTime) throws {
    guard rate?.isFinite ?? true, time?.isNumeric ?? true, source.isNumeric else {
      throw AVError(.unknown, reason: "a timebase takes finite numbers")
    }
    state.withLock { state in
      state.anchor = time ?? Self.time(state, at: source)
      state.sourceAnchor = source
      state.rate = rate ?? state.rate
    }
  }

  private static func time(_ state: State, at source: CMTime) -> CMTime {
    state.anchor + CMTimeMultiplyByFloat64(source - state.sourceAnchor, multiplier: state.rate)
  }
}

/// See ``CMTimebase/time``.
public func CMTimebaseGetTime(_ timebase: CMTimebase) -> CMTime { timebase.time }

/// See ``CMTimebase/rate``.
public func CMTimebaseGetRate(_ timebase: CMTimebase) -> Double { timebase.rate }

/// See ``CMTimebase/setTime(_:)``; 0, or an error where that throws.
@discardableResult
public func CMTimebaseSetTime(_ timebase: CMTimebase, time: CMTime) -> OSStatus {
  status { try timebase.setTime(time) }
}

/// See ``CMTimebase/setRate(_:)``; 0, or an error where that throws.
@discardableResult
public func CMTimebaseSetRate(_ timebase: CMTimebase, rate: Double) -> OSStatus {
  status { try timebase.setRate(rate) }
}

/// See ``CMTimebase/setRateAndAnchorTime(rate:anchorTime:immediateSourceTime:)``; 0, or an error where that throws.
@discardableResult
public func CMTimebaseSetRateAndAnchorTime(
  _ timebase: CMTimebase, rate: Double, anchorTime: CMTime, immediateSourceTime: CMTime
) -> OSStatus {
  status {
    try timebase.setRateAndAnchorTime(rate: rate, anchorTime: anchorTime, immediateSourceTime: immediateSourceTime)
  }
}

/// An argument is out of its range.
public let kCMTimebaseError_InvalidParameter: OSStatus = -12749

private func status(_ body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return 0
  } catch {
    return kCMTimebaseError_InvalidParameter
  }
}
