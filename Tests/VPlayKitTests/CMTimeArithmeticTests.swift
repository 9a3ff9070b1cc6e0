import Foundation
import Testing
import VPlayKit

/// The rules of sums, products and overflow, as tables.
@Suite struct CMTimeArithmeticTests {
  private static func time(_ value: Int64, _ scale: Int32, _ flags: CMTimeFlags = .valid, _ epoch: Int64 = 0) -> CMTime
  {
    CMTime(value: value, timescale: scale, flags: flags, epoch: epoch)
  }

  /// All parts, as equal times need not have equal ones.
  private static func parts(_ time: CMTime) -> [Int64] {
    time.isNumeric
      ? [time.value, Int64(time.timescale), Int64(time.flags.rawValue), time.epoch] : [Int64(time.flags.rawValue)]
  }

  private static let rounded: CMTimeFlags = [.valid, .hasBeenRounded]

  @Test(
    arguments: [
      (time(1, 600), time(1, 600), time(2, 600)),
      (time(1, 3), time(1, 4), time(7, 12)),
      (time(1, 44_100), time(1, 48_000), time(307, 7_056_000)),
      // No scale of 32 bits holds both: the finest there is.
      (time(1, 2_147_483_647), time(1, 2_147_483_629), time(2, 2_147_483_647, rounded)),
      (time(1, 2_147_483_629), time(0, 2), time(1, 2_147_483_647, rounded)),
      // What does not fit becomes coarser, then infinite.
      (time(.max, 600), time(.max, 600), time(9_223_372_036_854_775_807, 300)),
      (time(.max, 600), time(2, 600), time(4_611_686_018_427_387_905, 300, rounded)),
      (time(.max, 1), time(1, 1), .positiveInfinity),
      (time(.min, 1), time(-1, 1), .negativeInfinity),
      (time(.max, 1), time(0, 2), time(.max, 1, .valid)),
      (time(1, 1, rounded), time(1, 1), time(2, 1, rounded)),
      // Epochs: 0 is that of durations.
      (time(1, 1, .valid, 3), time(1, 1), time(2, 1, .valid, 3)),
      (time(1, 1), time(1, 1, .valid, 3), time(2, 1, .valid, 3)),
      (time(1, 1, .valid, 3), time(1, 1, .valid, 3), time(2, 1, .valid, 3)),
      (time(1, 1, .valid, 3), time(1, 1, .valid, 4), .invalid),
      (.positiveInfinity, .positiveInfinity, .positiveInfinity),
      (.positiveInfinity, .negativeInfinity, .invalid),
      (.negativeInfinity, .indefinite, .negativeInfinity),
      (.indefinite, time(1, 1), .indefinite), (.indefinite, .indefinite, .indefinite),
      (.invalid, .positiveInfinity, .invalid), (.invalid, .indefinite, .invalid),
    ] as [(CMTime, CMTime, CMTime)])
  func sums(a: CMTime, b: CMTime, sum: CMTime) {
    #expect(Self.parts(CMTimeAdd(a, b)) == Self.parts(sum), "\(CMTimeAdd(a, b))")
    #expect(Self.parts(CMTimeAdd(b, a)) == Self.parts(sum))
  }

  @Test func differences() {
    func check(_ a: CMTime, _ b: CMTime, _ difference: CMTime) {
      #expect(Self.parts(CMTimeSubtract(a, b)) == Self.parts(difference), "\(CMTimeSubtract(a, b))")
    }
    // That of two times of one epoch is a duration.
    check(Self.time(5, 1, .valid, 3), Self.time(3, 1, .valid, 3), Self.time(2, 1))
    check(Self.time(5, 1, .valid, 3), Self.time(3, 1), Self.time(2, 1, .valid, 3))
    check(Self.time(5, 1, .valid, 3), Self.time(3, 1, .valid, 4), .invalid)
    check(.positiveInfinity, .positiveInfinity, .invalid)
    check(.positiveInfinity, .negativeInfinity, .positiveInfinity)
    check(.indefinite, .negativeInfinity, .positiveInfinity)
    check(.zero, Self.time(.min, 1), .positiveInfinity)
    check(.zero, Self.time(.min, 2), Self.time(1 << 62, 1))
  }

  @Test func products() {
    func check(_ time: CMTime, _ factor: Int32, _ product: CMTime) {
      let result = CMTimeMultiply(time, multiplier: factor)
      #expect(Self.parts(result) == Self.parts(product), "\(result)")
    }
    check(Self.time(7, 600), -3, Self.time(-21, 600))
    check(Self.time(1 << 62, 600), 2, Self.time(1 << 62, 300))
    check(Self.time(.max, 1), -2, .negativeInfinity)
    check(Self.time(.min, 1), -1, .positiveInfinity)
    check(.positiveInfinity, -5, .negativeInfinity)
    check(.negativeInfinity, -5, .positiveInfinity)
    check(.positiveInfinity, 0, .invalid)
    check(.indefinite, 0, .indefinite)
    check(.invalid, 2, .invalid)
  }

  @Test func ratios() {
    func check(_ time: CMTime, _ multiplier: Int32, _ divisor: Int32, _ product: CMTime) {
      let result = CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
      #expect(Self.parts(result) == Self.parts(product), "\(result)")
    }
    check(Self.time(600, 600), 1, 2, Self.time(300, 600))
    check(Self.time(1, 600), 1, 7, Self.time(1, 4200))
    check(Self.time(7, 600), -2, 7, Self.time(-2, 600))
    check(Self.time(7, 600), 2, -7, Self.time(-2, 600))
    check(Self.time(1, 2_147_483_629), 1, 3, Self.time(0, .max, Self.rounded))
    check(Self.time(3_000_000_000, 2_147_483_629), 1, 7, Self.time(428_571_432, .max, Self.rounded))
    check(Self.time(.max, 1), .max, 1, .positiveInfinity)
    check(Self.time(.min, 1), .min, .min, Self.time(.min, 1))
    check(Self.time(1, 1), 1, 0, .positiveInfinity)
    check(Self.time(-1, 1), 1, 0, .negativeInfinity)
    check(Self.time(0, 1), 1, 0, .invalid)
    check(Self.time(1, 1), 0, 0, .invalid)
    check(.positiveInfinity, -1, 2, .negativeInfinity)
    check(.positiveInfinity, -1, -2, .positiveInfinity)
    check(.indefinite, 1, 0, .indefinite)
  }

  @Test func factors() {
    #expect(CMTimeMultiplyByFloat64(Self.time(3, 2), multiplier: 0.5).seconds == 0.75)
    #expect(Self.parts(CMTimeMultiplyByFloat64(Self.time(3, 600), multiplier: 2)) == [6, 600, 1, 0])
    #expect(!CMTimeMultiplyByFloat64(Self.time(3, 2), multiplier: .nan).isValid)
    #expect(CMTimeMultiplyByFloat64(Self.time(-3, 2), multiplier: .infinity).isNegativeInfinity)
    #expect(CMTimeMultiplyByFloat64(.negativeInfinity, multiplier: -0.5).isPositiveInfinity)
    #expect(!CMTimeMultiplyByFloat64(.positiveInfinity, multiplier: 0).isValid)
    #expect(CMTimeMultiplyByFloat64(.indefinite, multiplier: 1.5).isIndefinite)
    #expect(CMTimeMultiplyByFloat64(Self.time(.max, 1), multiplier: 1e300).isPositiveInfinity)
    #expect(CMTimeMultiplyByFloat64(Self.time(1, 1, .valid, 7), multiplier: 0.5).epoch == 7)
  }

  @Test func magnitudes() {
    #expect(CMTimeAbsoluteValue(Self.time(-3, 2)) == Self.time(3, 2))
    #expect(CMTimeAbsoluteValue(.negativeInfinity).isPositiveInfinity)
    #expect(CMTimeAbsoluteValue(.indefinite).isIndefinite && !CMTimeAbsoluteValue(.invalid).isValid)
    #expect(CMTimeAbsoluteValue(Self.time(.min, 1)).isPositiveInfinity)
    #expect(CMTimeMakeWithEpoch(value: 1, timescale: 2, epoch: 3).epoch == 3)
    #expect(!CMTimeMakeWithEpoch(value: 1, timescale: 0, epoch: 3).isValid)
    #expect(CMTimeMake(value: 1, timescale: 2) < CMTimeMakeWithEpoch(value: 0, timescale: 2, epoch: 1))
  }

  /// Random times: no trap, sums commute, and what is exact can be undone.
  @Test func anything() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      func any() -> CMTime {
        let values: [Int64] = [0, 1, -1, .max, .min, .random(in: .min ... .max), .random(in: -1000...1000)]
        let scales: [Int32] = [1, 600, 48_000, .max, 0, -1, .random(in: 1 ... .max)]
        return CMTime(
          value: values.randomElement(using: &generator) ?? 0, timescale: scales.randomElement(using: &generator) ?? 1,
          flags: CMTimeFlags(rawValue: UInt32.random(in: 0..<8) == 0 ? .random(in: 0..<32) : 1),
          epoch: Int64.random(in: 0..<10) == 0 ? .max : 0)
      }
      let (a, b) = (any(), any())
      let sum = a + b
      #expect(CMTimeCompare(sum, b + a) == 0)
      if sum.isNumeric, !sum.hasBeenRounded, a.epoch == b.epoch, !(sum - b).hasBeenRounded, (sum - b).isNumeric {
        #expect(
          CMTime(value: (sum - b).value, timescale: (sum - b).timescale)
            == CMTime(value: a.value, timescale: a.timescale))
      }
      let (small, large) = (Int32.random(in: .min ... .max), Int32.random(in: .min ... .max))
      _ = CMTimeMultiply(a, multiplier: small)
      _ = CMTimeMultiplyByRatio(a, multiplier: small, divisor: large)
      _ = CMTimeMultiplyByFloat64(a, multiplier: Double(small) / 3)
      for raw in 1...6 {
        if let method = CMTimeRoundingMethod(rawValue: UInt32(raw)) { _ = a.convertScale(large, method: method) }
      }
      let (from, to) = (CMTimeRange(start: a, duration: b), CMTimeRange(start: b, duration: CMTimeAbsoluteValue(a)))
      _ = CMTimeMapTimeFromRangeToRange(sum, fromRange: from, toRange: to)
      _ = CMTimeFoldIntoRange(sum, foldRange: to)
      _ = CMTimeClampToRange(sum, range: from)
      _ = (a.description, from.union(to).description, from.intersection(to), from.containsTimeRange(to), a.hashValue)
    }
  }
}
