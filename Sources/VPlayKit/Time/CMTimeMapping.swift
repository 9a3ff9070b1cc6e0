/// What of one timeline is what of another.
///
/// As Apple's [CMTimeMapping](https://developer.apple.com/documentation/coremedia/cmtimemapping).
public struct CMTimeMapping: Hashable, Codable, Sendable {
  /// Where it is taken from; for an empty edit its start is invalid.
  public var source: CMTimeRange
  /// Where it is put.
  public var target: CMTimeRange

  /// An invalid mapping.
  public init() {
    self.init(source: .invalid, target: .invalid)
  }

  public init(source: CMTimeRange, target: CMTimeRange) {
    self.source = source
    self.target = target
  }

  public static let invalid = CMTimeMapping()

  /// Whether it has a valid target.
  public var isValid: Bool { target.isValid }

  /// Whether nothing is put at the target.
  public var isEmpty: Bool { !source.start.isNumeric && target.isValid }
}

/// A mapping of one range to another.
public func CMTimeMappingMake(source: CMTimeRange, target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: source, target: target)
}

/// A mapping that puts nothing at a range.
public func CMTimeMappingMakeEmpty(target: CMTimeRange) -> CMTimeMapping {
  CMTimeMapping(source: .invalid, target: target)
}
