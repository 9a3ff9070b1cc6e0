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
