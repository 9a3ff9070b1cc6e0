/// The largest scale of a time.
public let kCMTimeMaxTimescale = Int(CMTimeScale.max)

extension CMTime {
  /// `value / timescale`; where the value does not fit 64 bits the scale is halved until it does, at scale 1 the result
  /// is infinite. The value's magnitude is under 2^96.
  static func fitting(_ value: Int128, _ timescale: CMTimeScale, _ flags: CMTimeFlags, epoch: CMTimeEpoch) -> CMTime {
    if let exact = CMTimeValue(exactly: value) {
      return CMTime(value: exact, timescale: timescale, flags: flags, epoch: epoch)
    }
    var scale = timescale / 2
    while scale > 0 {
      let units = value * Int128(scale)
      if let fitting = CMTimeValue(exactly: roundedHalfAway(units, by: Int128(timescale))) {
        let isExact = units % Int128(timescale) == 0
        return CMTime(
          value: fitting, timescale: scale, flags: isExact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
      }
      scale /= 2
    }
    return value < 0 ? .negativeInfinity : .positiveInfinity
  }

  /// `numerator / denominator` seconds, in units of `scale` if that is exact, else in those of the smallest scale that
  /// is, else rounded in the finest there is. The denominator is positive.
  static func fraction(
    _ numerator: Int128, _ denominator: Int128, scale: CMTimeScale, _ flags: CMTimeFlags = .valid,
    epoch: CMTimeEpoch = 0
  ) -> CMTime {
    let (product, overflow) = numerator.multipliedReportingOverflow(by: Int128(scale))
    if !overflow, product % denominator == 0 {
      return fitting(clamped(product / denominator), scale, flags, epoch: epoch)
    }
    let divisor = greatestDivisor(numerator.magnitude, denominator.magnitude)
    let (n, d) = (numerator / divisor, denominator / divisor)
    if let exact = CMTimeScale(exactly: d) { return fitting(clamped(n), exact, flags, epoch: epoch) }
    let rounded = flags.union(.hasBeenRounded)
    let finest = CMTimeScale.max
    let (units, tooLarge) = n.multipliedReportingOverflow(by: Int128(finest))
    // Beyond that a Double's precision is all that the result can hold anyway.
    if tooLarge { return CMTime(seconds: Double(n) / Double(d), preferredTimescale: finest).with(rounded, epoch) }
    return fitting(clamped(roundedHalfAway(units, by: d)), finest, rounded, epoch: epoch)
  }

  private func with(_ flags: CMTimeFlags, _ epoch: CMTimeEpoch) -> CMTime {
    isNumeric ? CMTime(value: value, timescale: timescale, flags: flags, epoch: epoch) : self
  }

  /// Far beyond what any scale can hold: infinite either way.
  private static func clamped(_ value: Int128) -> Int128 {
    max(-(1 << 96), min(1 << 96, value))
  }

  static func roundedHalfAway(_ numerator: Int128, by denominator: Int128) -> Int128 {
    let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard remainder.magnitude >= denominator.magnitude - remainder.magnitude else { return quotient }
    return quotient + (numerator < 0 ? -1 : 1)
  }

  static func greatestDivisor(_ a: UInt128, _ b: UInt128) -> Int128 {
    var (x, y) = (a, b)
    while y != 0 { (x, y) = (y, x % y) }
    return Int128(clamping: max(1, x))
  }
}
