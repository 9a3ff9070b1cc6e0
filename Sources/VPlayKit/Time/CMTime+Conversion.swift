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
}

/// See ``CMTime/convertScale(_:method:)``.
public func CMTimeConvertScale(_ time: CMTime, timescale: Int32, method: CMTimeRoundingMethod) -> CMTime {
  time.convertScale(timescale, method: method)
}
