package import VPlayModel

/// A source of time.
///
/// Named as CoreMedia's on Apple's systems, with the one clock that our API needs: the host's.
public final class CMClock: Sendable {
  private let clock: any HostClock

  /// A clock of one's own, for tests.
  package init(_ clock: any HostClock) {
    self.clock = clock
  }

  /// The host's clock: it never runs backwards, and stands still while the machine sleeps. Its origin is arbitrary.
  public static let hostTimeClock = CMClock(SystemClock())

  /// The present time, in nanoseconds. Any thread.
  public var time: CMTime { CMTime(value: clock.now.nanoseconds, timescale: 1_000_000_000) }

  /// A time of the host's clock as the system counts it: nanoseconds of `CLOCK_MONOTONIC`; 0 for what is no number or
  /// before the clock's origin.
  public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    let units = hostTime.convertScale(1_000_000_000)
    return units.isNumeric ? UInt64(clamping: units.value) : 0
  }

  /// A time of the host's clock from the system's count of it.
  public static func makeHostTime(fromSystemUnits units: UInt64) -> CMTime {
    CMTime(value: Int64(clamping: units), timescale: 1_000_000_000)
  }
}

/// See ``CMClock/hostTimeClock``.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// See ``CMClock/time``.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }

/// See ``CMClock/convertHostTimeToSystemUnits(_:)``.
public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  CMClock.convertHostTimeToSystemUnits(hostTime)
}

/// See ``CMClock/makeHostTime(fromSystemUnits:)``.
public func CMClockMakeHostTimeFromSystemUnits(_ units: UInt64) -> CMTime {
  CMClock.makeHostTime(fromSystemUnits: units)
}
