import Testing
import VPlayModel

@testable import VPlayDesktop

struct PlaybackPositionTests {
  static func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0).advanced(bySeconds: seconds) }

  @Test(
    arguments: [
      (0.0, 1.0, nil, 3.0, 3.0), (10, 1, 12, 1, 11), (10, 1, 12, 5, 12), (10, 0, 12, 5, 10), (10, 2, nil, 5, 20),
      (5, -1, 12, 9, 0),
    ] as [(Double, Double, Double?, Double, Double)])
  func `the position is carried on by the rate, within the item`(
    elapsed: Double, rate: Double, duration: Double?, later: Double, expected: Double
  ) {
    let position = PlaybackPosition(elapsed: elapsed, rate: rate, told: Self.at(100), duration: duration)
    #expect(abs(position.seconds(at: Self.at(100 + later)) - expected) < 1e-9)
  }

  @Test(arguments: [(3.0, false), (3.2, false), (2.8, false), (3.5, true), (0, true), (60, true)])
  func `a jump is more than two clocks' difference`(elapsed: Double, isJump: Bool) {
    let old = PlaybackPosition(elapsed: 0, rate: 1, told: Self.at(0), duration: 100)
    let new = PlaybackPosition(elapsed: elapsed, rate: 1, told: Self.at(3), duration: 100)
    #expect(new.isJump(from: old) == isJump)
  }

  @Test(
    arguments: [(0.0, 0), (1.5, 1_500_000), (.nan, 0), (.infinity, 9_000_000_000_000_000_000)] as [(Double, Int64)])
  func `seconds become microseconds without a trap`(seconds: Double, microseconds: Int64) {
    #expect(PlaybackPosition.microseconds(seconds) == microseconds)
  }
}
