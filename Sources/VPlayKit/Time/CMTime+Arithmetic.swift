extension CMTime {
  /// See ``CMTimeAdd(_:_:)``.
  public static func + (a: CMTime, b: CMTime) -> CMTime {
    CMTimeAdd(a, b)
  }

  /// See ``CMTimeSubtract(_:_:)``.
  public static func - (a: CMTime, b: CMTime) -> CMTime {
    CMTimeSubtract(a, b)
  }

  public static func += (a: inout CMTime, b: CMTime) {
    a = a + b
  }

  public static func -= (a: inout CMTime, b: CMTime) {
    a = a - b
  }

  /// `a + sign * b` of two numbers.
  fileprivate static func sum(_ a: CMTime, _ b: CMTime, sign: Int128, epoch: CMTimeEpoch) -> CMTime {
    let flags = a.flags.union(b.flags)
    let (x, y) = (Int128(a.value) * Int128(b.timescale), Int128(b.value) * Int128(a.timescale) * sign)
    let divisor = greatestDivisor(UInt128(a.timescale), UInt128(b.timescale))
    let multiple = Int64(a.timescale) / Int64(divisor) * Int64(b.timescale)
    let denominator = Int128(a.timescale) * Int128(b.timescale)
    let scale = CMTimeScale(exactly: multiple) ?? .max
    let units = (x + y) * Int128(scale)
    let rounded = units % denominator == 0 ? flags : flags.union(.hasBeenRounded)
    return fitting(roundedHalfAway(units, by: denominator), scale, rounded, epoch: epoch)
  }

  /// Of two times of which one at least is no number.
  fileprivate static func sumOfOthers(_ a: CMTime, _ b: CMTime) -> CMTime {
    if !a.isValid || !b.isValid { return .invalid }
    let up = a.isPositiveInfinity || b.isPositiveInfinity
    let down = a.isNegativeInfinity || b.isNegativeInfinity
    if up && down { return .invalid }
    if up { return .positiveInfinity }
    if down { return .negativeInfinity }
    return a.isIndefinite || b.isIndefinite ? .indefinite : .invalid
  }

  fileprivate var negated: CMTime {
    if isPositiveInfinity { return .negativeInfinity }
    if isNegativeInfinity { return .positiveInfinity }
    guard isNumeric else { return self }
    return .fitting(-Int128(value), timescale, flags, epoch: epoch)
  }

  /// Of what is no number, times something of a sign: −1, 0 or 1.
  fileprivate func timesSign(_ sign: Int) -> CMTime {
    if !isPositiveInfinity && !isNegativeInfinity { return isIndefinite ? .indefinite : .invalid }
    if sign == 0 { return .invalid }
    return sign > 0 ? self : negated
  }
}

/// `value / timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime {
  CMTime(value: value, timescale: timescale)
}

/// `value / timescale` seconds of a timeline of its own; invalid when the scale is not positive.
public func CMTimeMakeWithEpoch(value: Int64, timescale: Int32, epoch: Int64) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: epoch)
}

/// See ``CMTime/init(seconds:preferredTimescale:)``.
public func CMTimeMakeWithSeconds(_ seconds: Float64, preferredTimescale: Int32) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// See ``CMTime/seconds``.
public func CMTimeGetSeconds(_ time: CMTime) -> Float64 {
  time.seconds
}

/// The sum: in the least scale that holds both exactly, or rounded in the finest one when that does not fit 32 bits. On
/// overflow the scale is halved until the sum fits; at scale 1 it is infinite.
///
/// Invalid if one is, for opposite infinities, and for different epochs of which none is 0, an epoch of 0 being a
/// duration's; else infinite if one is; else indefinite if one is.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  guard lhs.isNumeric && rhs.isNumeric else { return .sumOfOthers(lhs, rhs) }
  guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
  return .sum(lhs, rhs, sign: 1, epoch: lhs.epoch == 0 ? rhs.epoch : lhs.epoch)
}

/// The difference, by the rules of ``CMTimeAdd(_:_:)``. That of two times of one epoch is a duration, of epoch 0.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime {
  guard lhs.isNumeric && rhs.isNumeric else { return .sumOfOthers(lhs, rhs.negated) }
  guard lhs.epoch == rhs.epoch || lhs.epoch == 0 || rhs.epoch == 0 else { return .invalid }
  return .sum(lhs, rhs, sign: -1, epoch: lhs.epoch == rhs.epoch ? 0 : lhs.epoch == 0 ? rhs.epoch : lhs.epoch)
}

/// The time times a whole number, in its own scale; on overflow as ``CMTimeAdd(_:_:)``. Infinity times 0 is invalid.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
  guard time.isNumeric else { return time.timesSign(multiplier.signum().asInt) }
  return .fitting(Int128(time.value) * Int128(multiplier), time.timescale, time.flags, epoch: time.epoch)
}

/// The time times a fraction: exactly, in its own scale or a finer one, where 32 bits hold that, else rounded in the
/// finest; on overflow as ``CMTimeAdd(_:_:)``. A divisor of 0 gives infinity, and 0 / 0 is invalid.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  let sign = multiplier.signum().asInt * (divisor < 0 ? -1 : 1)
  guard time.isNumeric else { return time.timesSign(sign) }
  guard divisor != 0 else {
    let result = sign * time.value.signum().asInt
    return result == 0 ? .invalid : result > 0 ? .positiveInfinity : .negativeInfinity
  }
  let (numerator, denominator) = (
    Int128(time.value) * Int128(multiplier) * (divisor < 0 ? -1 : 1),
    Int128(time.timescale) * Int128(divisor.magnitude)
  )
  return .fraction(numerator, denominator, scale: time.timescale, time.flags, epoch: time.epoch)
}

/// The time times a factor, rounded to its own scale or to a nanosecond where that is finer. Infinity times 0, and
/// anything times NaN, is invalid.
public func CMTimeMultiplyByFloat64(_ time: CMTime, multiplier: Float64) -> CMTime {
  if multiplier.isNaN { return time.isIndefinite ? .indefinite : .invalid }
  guard time.isNumeric else { return time.timesSign(multiplier == 0 ? 0 : multiplier < 0 ? -1 : 1) }
  if let whole = Int32(exactly: multiplier) { return CMTimeMultiply(time, multiplier: whole) }
  var result = CMTime(seconds: time.seconds * multiplier, preferredTimescale: max(time.timescale, 1_000_000_000))
  result.epoch = result.isNumeric ? time.epoch : 0
  if result.isNumeric && time.hasBeenRounded { result.flags.insert(.hasBeenRounded) }
  return result
}

/// The time without its sign.
public func CMTimeAbsoluteValue(_ time: CMTime) -> CMTime {
  time.isNegativeInfinity || (time.isNumeric && time.value < 0) ? time.negated : time
}

extension FixedWidthInteger {
  fileprivate var asInt: Int { Int(clamping: self) }
}
