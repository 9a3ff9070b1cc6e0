/// The time at the same place of another range: the starts and the ends of both ranges correspond.
///
/// Exact where 32 bits of scale hold that. Invalid when a range is invalid or empty, or when the time and the start of
/// `fromRange` are of different epochs. Between ranges of infinite duration a time is moved, and not scaled.
public func CMTimeMapTimeFromRangeToRange(
  _ t: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard t.isValid, fromRange.canBeMapped, toRange.canBeMapped else { return .invalid }
  guard !t.isNumeric || t.epoch == fromRange.start.epoch else { return .invalid }
  return toRange.start
    + CMTimeMapDurationFromRangeToRange(t - fromRange.start, fromRange: fromRange, toRange: toRange)
}

/// The duration that is the same part of another range.
///
/// Exact where 32 bits of scale hold that. Invalid when a range is invalid or empty, or the duration's epoch is not 0.
/// Between ranges of infinite duration it stays what it is.
public func CMTimeMapDurationFromRangeToRange(
  _ dur: CMTime, fromRange: CMTimeRange, toRange: CMTimeRange
) -> CMTime {
  guard dur.isValid, dur.epoch == 0, fromRange.canBeMapped, toRange.canBeMapped else { return .invalid }
  let (from, to) = (fromRange.duration, toRange.duration)
  if from.isPositiveInfinity && to.isPositiveInfinity { return dur }
  guard from.isNumeric, to.isNumeric else { return .invalid }
  guard dur.isNumeric else { return dur }
  let (ratioN, ratioD) = (Int128(to.value) * Int128(from.timescale), Int128(to.timescale) * Int128(from.value))
  let divisor = CMTime.greatestDivisor(ratioN.magnitude, ratioD.magnitude)
  let (n, nOverflow) = Int128(dur.value).multipliedReportingOverflow(by: ratioN / divisor)
  let (d, dOverflow) = Int128(dur.timescale).multipliedReportingOverflow(by: ratioD / divisor)
  if nOverflow || dOverflow {
    var result = CMTimeMultiplyByFloat64(dur, multiplier: Double(ratioN) / Double(ratioD))
    if result.isNumeric { result.flags.insert(.hasBeenRounded) }
    return result
  }
  return .fraction(n, d, scale: to.timescale)
}

/// The time of a range that is nearest: a time within stays what it is.
///
/// Invalid when the range is invalid or empty, or when the epochs differ.
public func CMTimeClampToRange(_ time: CMTime, range: CMTimeRange) -> CMTime {
  guard time.isValid, range.canBeMapped, !time.isNumeric || time.epoch == range.start.epoch else { return .invalid }
  return CMTimeMinimum(CMTimeMaximum(time, range.start), range.end)
}

/// The time within a range that is a whole number of the range's durations away: a loop's time.
///
/// Invalid when the range is invalid or empty, or when the epochs differ; in a range of infinite duration a time stays
/// what it is.
public func CMTimeFoldIntoRange(_ time: CMTime, foldRange: CMTimeRange) -> CMTime {
  guard time.isNumeric, foldRange.canBeMapped, time.epoch == foldRange.start.epoch else { return .invalid }
  if foldRange.duration.isPositiveInfinity { return time }
  let (offset, duration) = (time - foldRange.start, foldRange.duration)
  guard offset.isNumeric, duration.isNumeric else { return .invalid }
  let whole = Int128(duration.value) * Int128(offset.timescale)
  let remainder = Int128(offset.value) * Int128(duration.timescale) % whole
  let folded = CMTime.fraction(
    remainder < 0 ? remainder + whole : remainder, Int128(offset.timescale) * Int128(duration.timescale),
    scale: offset.timescale)
  return foldRange.start + folded
}

extension CMTimeRange {
  /// Whether times can be put in relation to its start and end.
  fileprivate var canBeMapped: Bool { isValid && !isEmpty && start.isNumeric }
}
