/// A time as the command line takes it: seconds, `mm:ss` or `hh:mm:ss`, each with a fraction if wanted.
struct TimeArgument: Equatable, Comparable {
  /// Exact, in units of `1 / timescale` second; never negative.
  var value: Int64
  /// A power of ten up to the nanosecond.
  var timescale: Int32

  /// Nil when the text is not a time. Digits past the nanosecond are dropped.
  init?(_ text: String) {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = halves.first else { return nil }
    let fields = whole.split(separator: ":", omittingEmptySubsequences: false)
    let fraction = halves.count == 2 ? halves[1] : ""
    guard (1...3).contains(fields.count), fields.allSatisfy({ Decimal.isDigits($0) }),
      Decimal.isDigits(fraction)
    else { return nil }
    // ".5" and "5." are times; "." and "1:" are not.
    if fields.count == 1 {
      guard !(fields[0].isEmpty && fraction.isEmpty) else { return nil }
    } else {
      guard fields.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    var seconds: Int64 = 0
    for (index, field) in fields.enumerated() {
      // Past the first field only 0…59 is meant.
      guard let number = field.isEmpty ? 0 : Int64(field), index == 0 || number < 60 else { return nil }
      let (product, overflow) = seconds.multipliedReportingOverflow(by: 60)
      let (sum, overflow2) = product.addingReportingOverflow(number)
      guard !overflow, !overflow2 else { return nil }
      seconds = sum
    }
    var kept = fraction.prefix(9)
    while kept.last == "0" { kept.removeLast() }
    var scale: Int32 = 1
    for _ in kept { scale *= 10 }
    let (units, overflow) = seconds.multipliedReportingOverflow(by: Int64(scale))
    guard !overflow, seconds < 1_000_000_000 else { return nil }
    value = units + (Int64(kept) ?? 0)
    timescale = scale
  }

  var isZero: Bool { value == 0 }

  /// This much later than `other`; nil is the beginning.
  func advanced(by other: TimeArgument?) -> TimeArgument {
    guard let other else { return self }
    // Both are below 10⁹ s and count nanoseconds at most: no overflow.
    let scale = max(timescale, other.timescale)
    var sum = self
    sum.value = value * Int64(scale / timescale) + other.value * Int64(scale / other.timescale)
    sum.timescale = scale
    return sum
  }

  static func < (a: TimeArgument, b: TimeArgument) -> Bool {
    Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
  }
}
