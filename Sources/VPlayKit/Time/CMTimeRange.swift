/// A span of time: a start and a duration.
///
/// As Apple's [CMTimeRange](https://developer.apple.com/documentation/coremedia/cmtimerange).
public struct CMTimeRange: Hashable, Codable, Sendable {
  public var start: CMTime
  /// Not negative in a valid range.
  public var duration: CMTime

  /// An invalid range.
  public init() {
    self.init(start: .invalid, duration: .invalid)
  }

  public init(start: CMTime, duration: CMTime) {
    self.start = start
    self.duration = duration
  }

  public init(start: CMTime, end: CMTime) {
    self.init(start: start, duration: end - start)
  }

  public static let zero = CMTimeRange(start: .zero, duration: .zero)
  public static let invalid = CMTimeRange()

  /// Whether both parts are valid, of epoch 0 in the duration, and the duration is not negative.
  public var isValid: Bool {
    start.isValid && duration.isValid && duration.epoch == 0 && duration >= .zero
  }
  public var isEmpty: Bool { isValid && duration == .zero }
  public var isIndefinite: Bool { isValid && (start.isIndefinite || duration.isIndefinite) }

  /// The first time after the range.
  public var end: CMTime { start + duration }

  /// Whether the range holds `time`; its end is outside.
  public func containsTime(_ time: CMTime) -> Bool {
    isValid && time >= start && time < end
  }

  /// Whether all of another range lies in this one.
  public func containsTimeRange(_ otherRange: CMTimeRange) -> Bool {
    isValid && otherRange.isValid && otherRange.start >= start && otherRange.end <= end
  }

  /// The least range that holds both; invalid when one is.
  public func union(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isValid, otherRange.isValid else { return .invalid }
    return CMTimeRange(start: min(start, otherRange.start), end: max(end, otherRange.end))
  }

  /// What both hold; invalid when one is, and the zero range when they have nothing in common.
  public func intersection(_ otherRange: CMTimeRange) -> CMTimeRange {
    guard isValid, otherRange.isValid else { return .invalid }
    let (from, to) = (max(start, otherRange.start), min(end, otherRange.end))
    return from < to ? CMTimeRange(start: from, end: to) : .zero
  }
}

/// A range of a start and a duration.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, duration: duration)
}

/// A range from a start to an end.
public func CMTimeRangeFromTimeToTime(start: CMTime, end: CMTime) -> CMTimeRange {
  CMTimeRange(start: start, end: end)
}

/// See ``CMTimeRange/end``.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime {
  range.end
}

/// See ``CMTimeRange/containsTime(_:)``.
public func CMTimeRangeContainsTime(_ range: CMTimeRange, time: CMTime) -> Bool {
  range.containsTime(time)
}

/// See ``CMTimeRange/containsTimeRange(_:)``.
public func CMTimeRangeContainsTimeRange(_ range: CMTimeRange, otherRange: CMTimeRange) -> Bool {
  range.containsTimeRange(otherRange)
}

/// See ``CMTimeRange/union(_:)``.
public func CMTimeRangeGetUnion(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  range.union(otherRange)
}

/// See ``CMTimeRange/intersection(_:)``.
public func CMTimeRangeGetIntersection(_ range: CMTimeRange, otherRange: CMTimeRange) -> CMTimeRange {
  range.intersection(otherRange)
}

/// Whether starts and durations are equal.
public func CMTimeRangeEqual(_ range1: CMTimeRange, _ range2: CMTimeRange) -> Bool {
  range1 == range2
}
