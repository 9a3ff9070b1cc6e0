import Glibc

extension CMTime: CustomStringConvertible {
  /// As `CMTimeCopyDescription` has it on Apple's systems: `{1/3 = 0.333}`, `{INDEFINITE}`, …
  public var description: String {
    if isPositiveInfinity { return "{+INFINITY}" }
    if isNegativeInfinity { return "{-INFINITY}" }
    if isIndefinite { return "{INDEFINITE}" }
    guard isNumeric else { return "{INVALID}" }
    let epochs = epoch == 0 ? "" : ", epoch = \(epoch)"
    return "{\(value)/\(timescale) = \(thousandths)\(epochs)\(hasBeenRounded ? ", rounded" : "")}"
  }

  /// The seconds to three decimals.
  private var thousandths: String {
    let units = CMTime.roundedHalfAway(Int128(value) * 1000, by: Int128(timescale))
    let digits = String(units.magnitude % 1000)
    let zeros = String(repeating: "0", count: 3 - digits.count)
    return "\(value < 0 && units != 0 ? "-" : "")\(units.magnitude / 1000).\(zeros)\(digits)"
  }
}

extension CMTimeRange: CustomStringConvertible {
  /// Such as `{{0/1 = 0.000}, {5/1 = 5.000}}`.
  public var description: String { "{\(start), \(duration)}" }
}

extension CMTimeMapping: CustomStringConvertible {
  /// Such as `{{{0/1 = 0.000}, {5/1 = 5.000}}, {{0/1 = 0.000}, {5/1 = 5.000}}}`.
  public var description: String { "{\(source), \(target)}" }
}

/// Where CoreFoundation allocates; here there is only the default.
public enum CFAllocator: Sendable {}

/// The default allocator.
public let kCFAllocatorDefault: CFAllocator? = nil

/// A description of a time for people; see ``CMTime/description``.
public func CMTimeCopyDescription(allocator: CFAllocator?, time: CMTime) -> String? { time.description }

/// A description of a range for people.
public func CMTimeRangeCopyDescription(allocator: CFAllocator?, range: CMTimeRange) -> String? { range.description }

/// A description of a mapping for people.
public func CMTimeMappingCopyDescription(allocator: CFAllocator?, mapping: CMTimeMapping) -> String? {
  mapping.description
}

/// Writes a description of a time to standard error, for debugging.
public func CMTimeShow(_ time: CMTime) { show(time.description) }

/// Writes a description of a range to standard error, for debugging.
public func CMTimeRangeShow(_ range: CMTimeRange) { show(range.description) }

/// Writes a description of a mapping to standard error, for debugging.
public func CMTimeMappingShow(_ mapping: CMTimeMapping) { show(mapping.description) }

private func show(_ text: String) {
  let line = Array((text + "\n").utf8)
  _ = write(2, line, line.count)
}
