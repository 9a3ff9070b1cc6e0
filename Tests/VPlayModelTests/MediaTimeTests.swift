import TestSupport
import Testing
import VPlayModel

@Suite struct MediaTimeTests {
  private static func time(_ value: Int64, _ scale: Int32) -> MediaTime {
    MediaTime(value: value, timescale: scale)
  }

  @Test(arguments: [
    (time(1, 3), time(1, 6), time(1, 2), Int32(6)),
    (time(1, 44_100), time(1, 48_000), time(307, 7_056_000), Int32(7_056_000)),
    (time(1024, 48_000), time(-1024, 48_000), time(0, 1), Int32(48_000)),
    (time(.max, 1), time(1, 1), time(.max, 1), Int32(1)),
    (time(.min, 1), time(-1, 1), time(.min, 1), Int32(1)),
    (time(.max, 1), time(1, 1000), time(.max, 1000), Int32(1000)),
  ]) func sums(a: MediaTime, b: MediaTime, sum: MediaTime, scale: Int32) {
    #expect(a + b == sum)
    #expect(b + a == sum)
    #expect((a + b).timescale == scale)
  }

  @Test func differencesTakeTheirSignAtTheBorders() {
    #expect(Self.time(0, 1) - Self.time(.min, 1) == Self.time(.max, 1))
    #expect(Self.time(-2, 1) - Self.time(.max, 1) == Self.time(.min, 1))
    #expect(Self.time(5, 10) - Self.time(1, 2) == .zero)
  }

  @Test func sumsOfScalesWithoutACommonOneAreRoundedToTheNanosecond() {
    let sum = Self.time(1, 2_147_483_647) + Self.time(1, 2_147_483_629)
    #expect(sum.timescale == 1_000_000_000)
    #expect(abs(sum.seconds - 2 / 2_147_483_640.0) < 2e-9)
  }

  @Test(arguments: [
    (time(1, 2), 1, Int64(1), Int64(1)), (time(-1, 2), 1, -1, 0), (time(1, 3), 1, 0, 1),
    (time(-1, 3), 1, 0, 0), (time(-4, 3), 1, -1, -1), (time(1, 3), 48_000, 16_000, 16_000),
    (time(7, 100), 48_000, 3360, 3360), (time(1, 44_100), 48_000, 1, 2), (time(.max, 1), 2, .max, .max),
    (time(.min, 1), 2, .min, .min), (time(3, 1), 0, 0, 0),
  ]) func units(time: MediaTime, scale: Int, nearest: Int64, up: Int64) {
    #expect(time.units(per: scale) == nearest)
    #expect(time.unitsRoundedUp(per: scale) == up)
  }

  @Test func secondsOfAnySizeMakeATime() {
    #expect(MediaTime(seconds: 1.5) == Self.time(3, 2))
    #expect(MediaTime(seconds: .nan) == .zero)
    #expect(MediaTime(seconds: .infinity).value == .max)
    #expect(MediaTime(seconds: -1e300).value == .min)
    #expect(MediaTime(frame: 1, rate: .max).timescale == .max)
    #expect(MediaTime(frame: 1, rate: 0).timescale == 1)
  }

  @Test func equalTimesHashAlike() {
    for (value, scale) in [(Int64(0), Int32(7)), (3, 9), (-1024, 48_000), (.min, 2), (.max, 1)] {
      let time = Self.time(value, scale)
      #expect(time.hashValue == time.converted(toTimescale: scale).hashValue)
      for factor in [Int64(2), 3, 1000] {
        let (product, overflow) = value.multipliedReportingOverflow(by: factor)
        if overflow { continue }
        let other = Self.time(product, scale * Int32(factor))
        #expect(time == other && time.hashValue == other.hashValue)
      }
    }
  }

  @Test func framesOfARateAddUpExactly() {
    var random = SeededGenerator(seed: 1)
    let rates = [8000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000]
    for _ in 0..<2000 {
      let (a, b) = (rates.randomElement(using: &random) ?? 1, rates.randomElement(using: &random) ?? 1)
      let (x, y) = (Int64.random(in: -1 << 40...1 << 40, using: &random), Int64.random(in: 0...1 << 40, using: &random))
      let (p, q) = (MediaTime(frame: x, rate: a), MediaTime(frame: y, rate: b))
      #expect((p + q) - q == p)
      #expect((p + q).frame(rate: a) == x + q.frame(rate: a) || a != b)
      #expect((p < q) == (Int128(x) * Int128(b) < Int128(y) * Int128(a)))
      #expect(!(p < q && q < p))
      #expect((p - q < .zero) == (p < q))
    }
  }
}
