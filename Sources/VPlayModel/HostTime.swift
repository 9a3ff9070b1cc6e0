import Glibc

/// An instant of a host clock, in nanoseconds from an arbitrary origin.
package struct HostTime: Hashable, Comparable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  package static func < (a: HostTime, b: HostTime) -> Bool {
    a.nanoseconds < b.nanoseconds
  }

  /// This instant moved by a number of seconds, which must be finite and within ±100 years.
  package func advanced(bySeconds seconds: Double) -> HostTime {
    HostTime(nanoseconds: nanoseconds + Int64((seconds * 1e9).rounded()))
  }

  /// The seconds from `earlier` to this instant.
  package func seconds(since earlier: HostTime) -> Double {
    Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}

/// The clock contract: what "now" is. The system's in playback, a manual one in tests.
package protocol HostClock: Sendable {
  /// The present instant. Never runs backwards. Any thread.
  var now: HostTime { get }

  /// Waits as `Monitor.wait` does, `deadline` being an instant of this clock.
  func wait<Value, Result>(
    on monitor: Monitor<Value>, until deadline: HostTime?, _ body: (inout Value) throws -> Result?
  ) rethrows -> Result?
}

extension HostClock {
  /// For clocks that count as `CLOCK_MONOTONIC` does.
  package func wait<Value, Result>(
    on monitor: Monitor<Value>, until deadline: HostTime?, _ body: (inout Value) throws -> Result?
  ) rethrows -> Result? {
    try monitor.wait(until: deadline, body)
  }
}

/// The system's `CLOCK_MONOTONIC`.
package struct SystemClock: HostClock {
  package init() {}

  package var now: HostTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}
