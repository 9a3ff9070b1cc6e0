import Testing
import VPlayKit

/// Times as tables.
@Suite struct CMTimeTests {
  private static let second = CMTime(value: 1, timescale: 1)

  @Test func kinds() {
    #expect(CMTime.zero.isNumeric && CMTime.zero.seconds == 0)
    #expect(!CMTime.invalid.isValid && CMTime.invalid.seconds.isNaN)
    #expect(CMTime.indefinite.isIndefinite && CMTime.indefinite.isValid && CMTime.indefinite.seconds.isNaN)
    #expect(CMTime.positiveInfinity.seconds == .infinity && !CMTime.positiveInfinity.isNumeric)
    #expect(CMTime.negativeInfinity.seconds == -.infinity)
    #expect(!CMTime(value: 1, timescale: 0).isValid)
    #expect(!CMTime(value: 1, timescale: -1).isNumeric)
    #expect(!CMTime(value: 1, timescale: 0, flags: .valid, epoch: 0).isNumeric)
  }

  @Test(
    arguments: [
      (0.1, CMTime(value: 60, timescale: 600), false), (0.29, CMTime(value: 29, timescale: 100), false),
      (1.0 / 3, CMTime(value: 3, timescale: 10), true), (-2.5, CMTime(value: -5, timescale: 2), false),
      (0, CMTime(value: 0, timescale: 1), false), (1e18, CMTime(value: 8_000_000_000_000_000_000, timescale: 8), false),
    ] as [(Double, CMTime, Bool)])
  func fromSeconds(seconds: Double, result: CMTime, isRounded: Bool) {
    let scale = seconds == 1e18 ? 17 : result.timescale
    let time = CMTime(seconds: seconds, preferredTimescale: scale)
    #expect(time.value == result.value)
    #expect(time.timescale == result.timescale)
    #expect(time.hasBeenRounded == isRounded)
  }

  @Test func fromOddSeconds() {
    #expect(!CMTime(seconds: .nan, preferredTimescale: 600).isValid)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    #expect(CMTime(seconds: 1e300, preferredTimescale: 600).isPositiveInfinity)
  }

  @Test func sums() {
    let third = CMTime(value: 1, timescale: 3)
    let sum = third + CMTime(value: 1, timescale: 4)
    #expect(sum.value == 7 && sum.timescale == 12 && !sum.hasBeenRounded)
    #expect((third - third) == .zero)
    #expect((.invalid + Self.second) == .invalid)
    #expect((CMTime.indefinite + Self.second).isIndefinite)
    #expect((CMTime.indefinite + .positiveInfinity).isPositiveInfinity)
    #expect((CMTime.indefinite - .positiveInfinity).isNegativeInfinity)
    #expect((CMTime.positiveInfinity + Self.second).isPositiveInfinity)
    #expect((Self.second - .positiveInfinity).isNegativeInfinity)
    #expect(!(CMTime.positiveInfinity - .positiveInfinity).isValid)
    #expect((CMTime(value: .max, timescale: 1) + Self.second).isPositiveInfinity)
    #expect((CMTime(value: .min, timescale: 1) - Self.second).isNegativeInfinity)
    #expect((.zero - CMTime(value: .min, timescale: 1)).isPositiveInfinity)
    let primes = CMTime(value: 1, timescale: 2_147_483_647) + CMTime(value: 1, timescale: 2_147_483_629)
    #expect(primes.isNumeric && primes.hasBeenRounded)
    var time = Self.second
    time += Self.second
    time -= CMTime(value: 1, timescale: 2)
    #expect(time.seconds == 1.5)
    #expect(CMTimeMultiply(time, multiplier: -2).seconds == -3)
    #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: -2).isNegativeInfinity)
    #expect(CMTimeMultiplyByFloat64(time, multiplier: 0.5).seconds == 0.75)
    #expect(CMTimeAbsoluteValue(CMTime(value: -3, timescale: 2)).seconds == 1.5)
  }

  @Test func order() {
    let times: [CMTime] = [
      .negativeInfinity, CMTime(value: -1, timescale: 1), .zero, CMTime(value: 1, timescale: 3),
      CMTime(value: 1, timescale: 2), .indefinite, .positiveInfinity, .invalid,
    ]
    for (i, a) in times.enumerated() {
      for (j, b) in times.enumerated() {
        #expect(CMTimeCompare(a, b) == (i < j ? -1 : i == j ? 0 : 1))
      }
    }
    #expect(CMTime(value: 1, timescale: 2) == CMTime(value: 300, timescale: 600))
    #expect(Set([CMTime(value: 1, timescale: 2), CMTime(value: 300, timescale: 600)]).count == 1)
    #expect(CMTime(value: .min, timescale: 1) < CMTime(value: .max, timescale: .max))
    _ = CMTime(value: .min, timescale: .max).hashValue
    #expect(CMTimeMinimum(.zero, Self.second) == .zero)
    #expect(CMTimeMaximum(.zero, Self.second) == Self.second)
  }

  @Test(arguments: [
    (CMTimeRoundingMethod.default, Int64(5), Int64(-5)), (.roundTowardZero, 4, -4), (.roundAwayFromZero, 5, -5),
    (.quickTime, 4, -4), (.roundTowardPositiveInfinity, 5, -4), (.roundTowardNegativeInfinity, 4, -5),
  ])
  func rounding(method: CMTimeRoundingMethod, up: Int64, down: Int64) {
    #expect(CMTime(value: 9, timescale: 20).convertScale(10, method: method).value == up)
    #expect(CMTime(value: -9, timescale: 20).convertScale(10, method: method).value == down)
  }

  @Test func conversion() {
    #expect(!CMTime(value: 9, timescale: 20).convertScale(40).hasBeenRounded)
    #expect(CMTime(value: 9, timescale: 20).convertScale(10).hasBeenRounded)
    #expect(!Self.second.convertScale(0).isValid)
    #expect(CMTime.indefinite.convertScale(5).isIndefinite)
    #expect(CMTime(value: .max, timescale: 1).convertScale(2).isPositiveInfinity)
    #expect(CMTime(value: -1, timescale: 1000).convertScale(10, method: .quickTime).value == -1)
  }

  @Test func ranges() {
    let range = CMTimeRange(start: Self.second, duration: Self.second)
    #expect(range.end.seconds == 2)
    #expect(range.containsTime(Self.second))
    #expect(!range.containsTime(range.end))
    #expect(!CMTimeRange.invalid.isValid)
    #expect(CMTimeRange.zero.isEmpty)
    #expect(CMTimeRange(start: Self.second, end: CMTime(value: 3, timescale: 1)).duration.seconds == 2)
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).isValid)
    #expect(!CMTimeRange(start: .zero, duration: CMTime(value: -1, timescale: 1)).isValid)
  }
}
