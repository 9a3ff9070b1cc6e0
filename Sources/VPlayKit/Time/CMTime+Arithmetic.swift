/// How ``CMTime/convertScale(_:method:)`` rounds what the new scale cannot express.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  case roundHalfAwayFromZero = 1
  case roundTowardZero = 2
  case roundAwayFromZero = 3
  /// Toward zero into a coarser scale, away from zero into a finer one; a negative time never becomes 0.
  case quickTime = 4
  case roundTowardPositiveInfinity = 5
  case roundTowardNegativeInfinity = 6

  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}

extension CMTime {
  /// This time in units of `1 / newTimescale` second, `hasBeenRounded` where that is not exact.
  ///
  /// A scale that is not positive gives an invalid time; a value that does not fit gives infinity. What is no number
  /// stays what it is.
  public func convertScale(_ newTimescale: Int32, method: CMTimeRoundingMethod = .default) -> CMTime {
    guard isNumeric else { return self }
    guard newTimescale > 0 else { return .invalid }
    if newTimescale == timescale { return self }
    let product = Int128(value) * Int128(newTimescale)
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: Int128(timescale))
    guard remainder != 0 else { return CMTime(quotient, newTimescale, like: self) }
    let away: Int128 = product < 0 ? -1 : 1
    let rounded: Int128
    switch method {
    case .roundHalfAwayFromZero:
      rounded = remainder.magnitude * 2 >= UInt128(timescale) ? quotient + away : quotient
    case .roundTowardZero: rounded = quotient
    case .roundAwayFromZero: rounded = quotient + away
    case .quickTime:
      let finer = newTimescale > timescale
      rounded = finer || (quotient == 0 && product < 0) ? quotient + away : quotient
    case .roundTowardPositiveInfinity: rounded = product < 0 ? quotient : quotient + 1
    case .roundTowardNegativeInfinity: rounded = product < 0 ? quotient - 1 : quotient
    }
    var result = CMTime(rounded, newTimescale, like: self)
    if result.isNumeric { result.flags.insert(.hasBeenRounded) }
    return result
  }

  /// `value / timescale`, or infinity when the value does not fit, rounded if `source` was.
  private init(_ value: Int128, _ timescale: Int32, like source: CMTime) {
    if let exact = CMTimeValue(exactly: value) {
      self.init(value: exact, timescale: timescale, flags: source.flags, epoch: source.epoch)
    } else {
      self = value < 0 ? .negativeInfinity : .positiveInfinity
    }
  }

  public static func + (a: CMTime, b: CMTime) -> CMTime {
    CMTimeAdd(a, b)
  }

  public static func - (a: CMTime, b: CMTime) -> CMTime {
    CMTimeSubtract(a, b)
  }

  public static func += (a: inout CMTime, b: CMTime) {
    a = a + b
  }

  public static func -= (a: inout CMTime, b: CMTime) {
    a = a - b
  }

  /// Of two numbers, in the scale that holds both exactly if there is one of 32 bits, else rounded.
  fileprivate static func sum(_ a: CMTime, _ b: CMTime) -> CMTime {
    guard a.epoch == b.epoch else { return .invalid }
    let scale = commonScale(a.timescale, b.timescale)
    let (x, y) = (a.convertScale(scale), b.convertScale(scale))
    guard x.isNumeric, y.isNumeric else { return sumOfOthers(x, y) }
    return CMTime(
      Int128(x.value) + Int128(y.value), scale,
      like: CMTime(value: 0, timescale: scale, flags: x.flags.union(y.flags), epoch: a.epoch))
  }

  /// Of two times of which one at least is no number.
  fileprivate static func sumOfOthers(_ a: CMTime, _ b: CMTime) -> CMTime {
    if !a.isValid || !b.isValid { return .invalid }
    if a.isIndefinite || b.isIndefinite { return .indefinite }
    let up = a.isPositiveInfinity || b.isPositiveInfinity
    let down = a.isNegativeInfinity || b.isNegativeInfinity
    if up && down { return .invalid }
    if up { return .positiveInfinity }
    return down ? .negativeInfinity : .invalid
  }

  private static func commonScale(_ a: Int32, _ b: Int32) -> Int32 {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return Int32(exactly: Int64(a / x) * Int64(b)) ?? max(a, b, 1_000_000_000)
  }

  fileprivate var negated: CMTime {
    if isPositiveInfinity { return .negativeInfinity }
    if isNegativeInfinity { return .positiveInfinity }
    guard isNumeric else { return self }
    return CMTime(-Int128(value), timescale, like: self)
  }
}

/// `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// See ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// See ``CMTime/seconds``.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  time.seconds
}

/// The sum. Invalid if one is, or for opposite infinities or different epochs; else indefinite if one is; else infinite
/// if one is, or on overflow.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  lhs.isNumeric && rhs.isNumeric ? .sum(lhs, rhs) : .sumOfOthers(lhs, rhs)
}

/// The difference, by the rules of `CMTimeAdd`.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  CMTimeAdd(lhs, rhs.negated)
}

/// The time times a whole number; infinite on overflow.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.isNumeric else {
    if !time.isValid || time.isIndefinite { return time }
    if multiplier == 0 { return .invalid }
    return multiplier > 0 ? time : time.negated
  }
  guard let value = CMTimeValue(exactly: Int128(time.value) * Int128(multiplier)) else {
    return (time.value < 0) == (multiplier < 0) ? .positiveInfinity : .negativeInfinity
  }
  return CMTime(value: value, timescale: time.timescale, flags: time.flags, epoch: time.epoch)
}

/// The time times a factor, rounded to its own scale or to a nanosecond where that is finer.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
  if !time.isValid || time.isIndefinite { return time }
  return CMTime(
    seconds: time.seconds * multiplier, preferredTimescale: max(time.timescale, 1_000_000_000))
}

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  CMTimeCompare(time, .zero) < 0 ? time.negated : time
}

/// −1, 0 or 1. In order: negative infinity, numbers (of lower epochs first), indefinite, positive infinity, invalid.
public func CMTimeCompare(_ lhs: CMTime, _ rhs: CMTime) -> Int32 {
  func sign<T: Comparable>(_ a: T, _ b: T) -> Int32 { a < b ? -1 : (a == b ? 0 : 1) }
  let (left, right) = (lhs.comparisonRank, rhs.comparisonRank)
  if left != right { return sign(left, right) }
  guard lhs.isNumeric, rhs.isNumeric else { return 0 }
  if lhs.epoch != rhs.epoch { return sign(lhs.epoch, rhs.epoch) }
  return sign(Int128(lhs.value) * Int128(rhs.timescale), Int128(rhs.value) * Int128(lhs.timescale))
}

/// The earlier of two times.
public func CMTimeMinimum(_ a: CMTime, _ b: CMTime) -> CMTime {
  CMTimeCompare(a, b) <= 0 ? a : b
}

/// The later of two times.
public func CMTimeMaximum(_ a: CMTime, _ b: CMTime) -> CMTime {
  CMTimeCompare(a, b) >= 0 ? a : b
}

/// See ``CMTime/convertScale(_:method:)``.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
  time.convertScale(timescale, method: method)
}

extension CMTime: Comparable, Hashable {
  fileprivate var comparisonRank: Int {
    if isNumeric { return 1 }
    if isNegativeInfinity { return 0 }
    if isIndefinite { return 2 }
    if isPositiveInfinity { return 3 }
    return 4
  }

  public static func == (a: CMTime, b: CMTime) -> Bool {
    CMTimeCompare(a, b) == 0
  }

  public static func < (a: CMTime, b: CMTime) -> Bool {
    CMTimeCompare(a, b) < 0
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(comparisonRank)
    guard isNumeric else { return }
    // Equal times of different scales must hash alike: reduce the fraction first.
    var (x, y) = (value.magnitude, UInt64(timescale))
    while y != 0 { (x, y) = (y, x % y) }
    let divisor = Int64(max(1, x))
    hasher.combine(value / divisor)
    hasher.combine(Int64(timescale) / divisor)
    hasher.combine(epoch)
  }
}

extension CMTime: CustomStringConvertible {
  public var description: String {
    if isNumeric { return "{\(value)/\(timescale) = \(seconds)\(hasBeenRounded ? ", rounded" : "")}" }
    if isPositiveInfinity { return "{+INFINITY}" }
    if isNegativeInfinity { return "{-INFINITY}" }
    return isIndefinite ? "{INDEFINITE}" : "{INVALID}"
  }
}
