import Foundation
import Testing
import VPlayKit
import VPlayModel
import VPlayTesting

/// Ranges, mappings, descriptions, clocks and values of times.
@Suite struct CMTimeFamilyTests {
  private static func time(_ value: Int64, _ scale: Int32 = 1) -> CMTime { CMTime(value: value, timescale: scale) }

  private static func range(_ start: Int64, _ end: Int64, _ scale: Int32 = 1) -> CMTimeRange {
    CMTimeRange(start: time(start, scale), end: time(end, scale))
  }

  @Test(arguments: [
    (range(0, 2), range(1, 3), range(0, 3), range(1, 2)),
    (range(0, 1), range(2, 3), range(0, 3), CMTimeRange.zero),
    (range(0, 1), range(1, 3), range(0, 3), CMTimeRange.zero),
    (range(0, 9), range(2, 3), range(0, 9), range(2, 3)),
    (range(0, 9), CMTimeRange.invalid, CMTimeRange.invalid, CMTimeRange.invalid),
    (
      range(1, 9), CMTimeRange(start: .zero, duration: .positiveInfinity),
      CMTimeRange(start: .zero, duration: .positiveInfinity), range(1, 9)
    ),
  ])
  func unions(a: CMTimeRange, b: CMTimeRange, union: CMTimeRange, intersection: CMTimeRange) {
    #expect(CMTimeRangeEqual(CMTimeRangeGetUnion(a, otherRange: b), union))
    #expect(CMTimeRangeEqual(b.union(a), union))
    #expect(CMTimeRangeGetIntersection(a, otherRange: b) == intersection)
    #expect(b.intersection(a) == intersection)
  }

  @Test func contents() {
    #expect(CMTimeRangeContainsTimeRange(Self.range(0, 9), otherRange: Self.range(0, 9)))
    #expect(Self.range(0, 9).containsTimeRange(Self.range(2, 3)))
    #expect(!Self.range(0, 9).containsTimeRange(Self.range(2, 10)))
    #expect(!Self.range(0, 9).containsTimeRange(.invalid))
    #expect(CMTimeRangeContainsTime(Self.range(0, 9), time: .zero))
    #expect(!CMTimeRangeContainsTime(Self.range(1, 1), time: Self.time(1)))
    #expect(CMTimeRangeGetEnd(CMTimeRangeMake(start: Self.time(2), duration: Self.time(3))) == Self.time(5))
    #expect(CMTimeRangeFromTimeToTime(start: Self.time(2), end: Self.time(3)) == Self.range(2, 3))
  }

  @Test(arguments: [
    (time(3), range(0, 10), range(0, 5), time(3, 2)),
    (time(12, 10), range(1, 2), range(10, 13), time(106, 10)),
    (time(-1), range(0, 2), range(4, 8), time(2)),
    (time(1), range(0, 3), range(0, 1), time(1, 3)),
    (time(1), range(0, 0), range(0, 1), CMTime.invalid),
    (time(1), range(0, 1), CMTimeRange.invalid, CMTime.invalid),
    (CMTime.positiveInfinity, range(0, 1), range(0, 1), CMTime.positiveInfinity),
    (
      time(3), CMTimeRange(start: time(1), duration: .positiveInfinity),
      CMTimeRange(start: time(10), duration: .positiveInfinity), time(12)
    ),
    (time(3), CMTimeRange(start: time(1), duration: .positiveInfinity), range(0, 1), CMTime.invalid),
    (CMTime(value: 3, timescale: 1, flags: .valid, epoch: 1), range(0, 10), range(0, 5), CMTime.invalid),
  ])
  func mapping(time: CMTime, from: CMTimeRange, to: CMTimeRange, result: CMTime) {
    #expect(CMTimeMapTimeFromRangeToRange(time, fromRange: from, toRange: to) == result)
  }

  @Test func mappingOfWhatIsHuge() {
    let from = CMTimeRange(start: .zero, duration: CMTime(value: .max - 6, timescale: 2_147_483_629))
    let to = CMTimeRange(start: .zero, duration: CMTime(value: .max - 24, timescale: .max))
    let half = CMTimeMapTimeFromRangeToRange(
      CMTime(value: .max / 2, timescale: 2_147_483_629), fromRange: from, toRange: to)
    #expect(abs(half.seconds / to.duration.seconds - 0.5) < 1e-9 && half.hasBeenRounded)
    #expect(CMTimeMapDurationFromRangeToRange(.positiveInfinity, fromRange: from, toRange: to).isPositiveInfinity)
  }

  @Test(arguments: [
    (time(3), range(1, 5), time(3)), (time(0), range(1, 5), time(1)), (time(9), range(1, 5), time(5)),
    (CMTime.positiveInfinity, range(1, 5), time(5)), (CMTime.invalid, range(1, 5), CMTime.invalid),
    (time(3), range(1, 1), CMTime.invalid), (time(3), CMTimeRange.invalid, CMTime.invalid),
  ])
  func clamping(time: CMTime, range: CMTimeRange, result: CMTime) {
    #expect(CMTimeClampToRange(time, range: range) == result)
  }

  @Test(arguments: [
    (time(3), range(1, 5), time(3)), (time(5), range(1, 5), time(1)), (time(14), range(1, 5), time(2)),
    (time(0), range(1, 5), time(4)), (time(-7), range(1, 5), time(1)), (time(7, 2), range(0, 1), time(1, 2)),
    (time(1_000_001, 3), range(0, 1, 48_000), time(1, 144_000) + time(-1, 144_000)),
    (CMTime.indefinite, range(1, 5), CMTime.invalid), (time(3), range(1, 1), CMTime.invalid),
  ])
  func folding(time: CMTime, range: CMTimeRange, result: CMTime) {
    #expect(CMTimeFoldIntoRange(time, foldRange: range) == result)
  }

  @Test func foldingIntoWhatNeverEnds() {
    let range = CMTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(CMTimeFoldIntoRange(Self.time(99), foldRange: range) == Self.time(99))
  }

  @Test(arguments: [
    (time(1, 2), "{1/2 = 0.500}"), (time(-1, 3), "{-1/3 = -0.333}"), (time(2, 3), "{2/3 = 0.667}"),
    (time(5), "{5/1 = 5.000}"), (time(-1, 10_000), "{-1/10000 = 0.000}"),
    (CMTime(seconds: 1.0 / 3, preferredTimescale: 10), "{3/10 = 0.300, rounded}"),
    (CMTime(value: 1, timescale: 1, flags: .valid, epoch: 2), "{1/1 = 1.000, epoch = 2}"),
    (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"), (.positiveInfinity, "{+INFINITY}"),
    (.negativeInfinity, "{-INFINITY}"), (time(.min, 1), "{\(Int64.min)/1 = \(Int64.min).000}"),
  ])
  func descriptions(time: CMTime, text: String) {
    #expect(CMTimeCopyDescription(allocator: kCFAllocatorDefault, time: time) == text)
    #expect("\(time)" == text)
  }

  @Test func otherDescriptions() {
    let range = Self.range(0, 5)
    #expect(CMTimeRangeCopyDescription(allocator: nil, range: range) == "{{0/1 = 0.000}, {5/1 = 5.000}}")
    let mapping = CMTimeMappingMake(source: range, target: range)
    #expect(CMTimeMappingCopyDescription(allocator: nil, mapping: mapping) == "{\(range), \(range)}")
  }

  @Test func predicates() {
    #expect(CMTIME_IS_VALID(.zero) && CMTIME_IS_INVALID(.invalid) && !CMTIME_IS_INVALID(.indefinite))
    #expect(CMTIME_IS_POSITIVE_INFINITY(.positiveInfinity) && CMTIME_IS_NEGATIVE_INFINITY(.negativeInfinity))
    #expect(CMTIME_IS_INDEFINITE(.indefinite) && CMTIME_IS_NUMERIC(.zero) && !CMTIME_IS_NUMERIC(.positiveInfinity))
    #expect(CMTIME_HAS_BEEN_ROUNDED(Self.time(1, 3).convertScale(10)) && !CMTIME_HAS_BEEN_ROUNDED(.zero))
    #expect(CMTIMERANGE_IS_VALID(.zero) && CMTIMERANGE_IS_INVALID(.invalid) && CMTIMERANGE_IS_EMPTY(.zero))
    #expect(CMTIMERANGE_IS_INDEFINITE(CMTimeRange(start: .zero, duration: .indefinite)))
    #expect(!CMTIMERANGE_IS_EMPTY(.invalid) && !CMTIMERANGE_IS_INDEFINITE(.zero))
    let empty = CMTimeMappingMakeEmpty(target: Self.range(0, 1))
    #expect(CMTIMEMAPPING_IS_VALID(empty) && CMTIMEMAPPING_IS_EMPTY(empty) && CMTIMEMAPPING_IS_INVALID(.invalid))
    #expect(!CMTIMEMAPPING_IS_EMPTY(CMTimeMappingMake(source: .zero, target: .zero)))
    #expect(kCMTimeMaxTimescale == 0x7fff_ffff)
  }

  @Test func coding() throws {
    let mapping = CMTimeMapping(
      source: CMTimeRange(start: Self.time(1, 3), duration: .positiveInfinity),
      target: CMTimeRange(
        start: CMTime(value: 5, timescale: 7, flags: [.valid, .hasBeenRounded], epoch: 9), end: .invalid))
    let copy = try JSONDecoder().decode(CMTimeMapping.self, from: try JSONEncoder().encode(mapping))
    #expect(copy == mapping && copy.target.start.flags == mapping.target.start.flags)
    #expect(copy.target.start.epoch == 9)
  }

  @Test func hostClock() {
    let clock = CMClockGetHostTimeClock()
    let before = SystemClock().now.nanoseconds
    let time = CMClockGetTime(clock)
    #expect(clock === CMClock.hostTimeClock && time.timescale == 1_000_000_000 && time.value >= before)
    #expect(clock.time >= time)
    let units = CMClockConvertHostTimeToSystemUnits(time)
    #expect(CMClockMakeHostTimeFromSystemUnits(units) == time)
    #expect(CMClockConvertHostTimeToSystemUnits(.indefinite) == 0)
    #expect(CMClock.convertHostTimeToSystemUnits(Self.time(-1)) == 0)
    #expect(CMClock.makeHostTime(fromSystemUnits: .max).value == .max)
  }

  @Test func timebase() throws {
    let host = ManualClock()
    let timebase = CMTimebase(sourceClock: CMClock(host))
    #expect(timebase.time == .zero && timebase.rate == 0)
    host.advance(bySeconds: 5)
    #expect(timebase.time == .zero)
    try timebase.setRate(2)
    host.advance(bySeconds: 1.5)
    #expect(timebase.time == Self.time(3) && timebase.rate == 2)
    try timebase.setTime(Self.time(10))
    host.advance(bySeconds: 1)
    #expect(CMTimebaseGetTime(timebase) == Self.time(12))
    #expect(CMTimebaseSetRate(timebase, rate: -0.5) == 0)
    host.advance(bySeconds: 1)
    #expect(timebase.time(timescale: 10, roundingMethod: .default).value == 115)
    let later = timebase.sourceClock.time + Self.time(2)
    try timebase.setRateAndAnchorTime(rate: 1, anchorTime: Self.time(100), immediateSourceTime: later)
    #expect(timebase.time == Self.time(98))
    host.advance(bySeconds: 2)
    #expect(timebase.time == Self.time(100))
    #expect(CMTimebaseSetTime(timebase, time: .indefinite) == kCMTimebaseError_InvalidParameter)
    #expect(throws: AVError.self) { try timebase.setRate(.nan) }
    #expect(timebase.time == Self.time(100) && CMTimebaseGetRate(timebase) == 1)
  }

  @Test func values() throws {
    let range = Self.range(1, 3)
    let mapping = CMTimeMapping(source: range, target: range)
    let (time, ranged, mapped) = (
      NSValue(time: Self.time(1, 3)), NSValue(timeRange: range), NSValue(timeMapping: mapping)
    )
    #expect(time.timeValue == Self.time(1, 3) && ranged.timeRangeValue == range && mapped.timeMappingValue == mapping)
    // Of another kind, or of Foundation's own.
    #expect(!ranged.timeValue.isValid && !time.timeRangeValue.isValid && !NSNumber(value: 5).timeValue.isValid)
    #expect(time == NSValue(time: Self.time(2, 6)) && time.hash == NSValue(time: Self.time(2, 6)).hash)
    #expect(time != NSValue(time: .zero) && time != NSNumber(value: 1))
    #expect([time, ranged].firstIndex(of: ranged) == 1)
    #expect(Set([time, NSValue(time: Self.time(1, 3))]).count == 1)
    var copy = CMTime.invalid
    time.getValue(&copy)
    #expect(copy == Self.time(1, 3) && String(cString: time.objCType) == "{CMTime=qiIq}")
    #expect((time.copy() as? NSValue)?.timeValue == Self.time(1, 3))
    #expect("\(time)" == "CMTime: {1/3 = 0.333}")
    #expect(NSNumber(time: Self.time(1, 3)).doubleValue == 0)
    let archive = try NSKeyedArchiver.archivedData(withRootObject: ranged, requiringSecureCoding: false)
    let restored = try NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(archive) as? NSValue
    #expect(restored?.timeRangeValue == range)
    // As observers of boundaries take them.
    let times: [NSValue] = (1...3).map { NSValue(time: Self.time($0)) }
    #expect(times.map(\.timeValue.seconds) == [1, 2, 3])
  }
}
