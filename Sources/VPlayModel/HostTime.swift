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

  /// This instant moved by a number of seconds; past the range of 64 bits it is clamped, NaN moves nothing.
  package func advanced(bySeconds seconds: Double) -> HostTime {
    let offset = MediaTime(seconds: seconds).value
    let (sum, overflow) = nanoseconds.addingReportingOverflow(offset)
    return HostTime(nanoseconds: overflow ? (offset < 0 ? .min : .max) : sum)
  }

  /// The seconds from `earlier` to this instant.
  package func seconds(since earlier: HostTime) -> Double {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return Double(overflow ? (earlier.nanoseconds < 0 ? .max : .min) : difference) / 1e9
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
