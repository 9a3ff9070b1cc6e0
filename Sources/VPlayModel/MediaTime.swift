/// A time in a medium as a rational number of seconds, `value / timescale`.
///
/// Sums of times of different scales are exact while the common scale fits 32 bits; past that they are rounded to
/// the nanosecond, which is far below a frame at any rate.
package struct MediaTime: Sendable {
  package var value: Int64
  /// Units a second; always positive.
  package var timescale: Int32

  package static let zero = MediaTime(value: 0, timescale: 1)

  package init(value: Int64, timescale: Int32) {
    precondition(timescale > 0, "a timescale is positive")
    self.value = value
    self.timescale = timescale
  }

  /// The time at which frame `frame` of a track of `rate` frames a second begins.
  package init(frame: Int64, rate: Int) {
    self.init(value: frame, timescale: Int32(clamping: max(1, rate)))
  }

  /// The nearest nanosecond to a finite number of seconds; beyond the range of 64 bits it is clamped, NaN is zero.
  package init(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    let value: Int64
    if scaled.isNaN {
      value = 0
    } else if scaled >= 0x1p63 {
      value = .max
    } else if scaled <= -0x1p63 {
      value = .min
    } else {
      value = Int64(scaled)
    }
    self.init(value: value, timescale: 1_000_000_000)
  }

  package var seconds: Double {
    Double(value) / Double(timescale)
  }

  /// This time in units of `1 / scale` second, rounded to the nearest (halves away from zero), clamped to 64 bits.
  package func units(per scale: Int) -> Int64 {
    if scale == Int(timescale) { return value }
    let product = Int128(value) * Int128(scale)
    let half = Int128(timescale) / 2
    let rounded = (product >= 0 ? product + half : product - half) / Int128(timescale)
    return Int64(clamping: rounded)
  }

  /// The first multiple of `1 / scale` second that is not before this time, clamped to 64 bits.
  package func unitsRoundedUp(per scale: Int) -> Int64 {
    let (quotient, remainder) = (Int128(value) * Int128(scale))
      .quotientAndRemainder(dividingBy: Int128(timescale))
    return Int64(clamping: quotient + (remainder > 0 ? 1 : 0))
  }

  /// The frame of a track of `rate` frames a second that begins nearest to this time.
  package func frame(rate: Int) -> Int64 {
    units(per: rate)
  }

  package func converted(toTimescale scale: Int32) -> MediaTime {
    MediaTime(value: units(per: Int(scale)), timescale: scale)
  }

  package static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    combine(a, b) { $0.addingReportingOverflow($1) }
  }

  package static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    combine(a, b) { $0.subtractingReportingOverflow($1) }
  }

  private static func combine(
    _ a: MediaTime, _ b: MediaTime, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> MediaTime {
    let scale = commonScale(a.timescale, b.timescale)
    let result = operation(a.units(per: Int(scale)), b.units(per: Int(scale)))
    if result.overflow { return MediaTime(value: a.value < 0 ? .min : .max, timescale: scale) }
    return MediaTime(value: result.partialValue, timescale: scale)
  }

  private static func commonScale(_ a: Int32, _ b: Int32) -> Int32 {
    if a == b { return a }
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    let multiple = Int64(a / x) * Int64(b)
    return Int32(exactly: multiple) ?? 1_000_000_000
  }
}

extension MediaTime: Comparable, Hashable {
  package static func == (a: MediaTime, b: MediaTime) -> Bool {
    Int128(a.value) * Int128(b.timescale) == Int128(b.value) * Int128(a.timescale)
  }

  package static func < (a: MediaTime, b: MediaTime) -> Bool {
    Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
  }

  package func hash(into hasher: inout Hasher) {
    // Equal times of different scales must hash alike: reduce the fraction first.
    var (x, y) = (value.magnitude, UInt64(timescale))
    while y != 0 { (x, y) = (y, x % y) }
    let divisor = Int64(max(1, x))
    hasher.combine(value / divisor)
    hasher.combine(Int64(timescale) / divisor)
  }
}
