import Testing

@testable import vplay

struct OutputWatchTests {
  private let start = ContinuousClock.now

  private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// When it is told, of looks at these times.
  private func told(_ looks: [(seconds: Double, isMissing: Bool)]) -> [Double] {
    var watch = OutputWatch()
    return looks.filter { watch.look(isMissing: $0.isMissing, at: at($0.seconds)) }.map(\.seconds)
  }

  @Test func isToldOnceAndLate() {
    #expect(told([(0, true), (0.9, true), (1, true), (9, true)]) == [1])
  }

  @Test func whatIsSoonBackIsNotTold() {
    #expect(told([(0, true), (0.5, false), (2, true), (2.5, true), (3, true)]) == [3])
  }

  @Test func isToldEachTime() {
    #expect(told([(0, true), (1, true), (4, false), (5, true), (6, true)]) == [1, 6])
  }

  @Test func isLookedAtInTime() {
    var watch = OutputWatch()
    #expect(watch.pause(at: at(0)) == nil)
    _ = watch.look(isMissing: true, at: at(0))
    #expect(watch.pause(at: at(0.25)) == .seconds(0.75))
    #expect(watch.pause(at: at(2)) == .zero)
    _ = watch.look(isMissing: true, at: at(2))
    #expect(watch.pause(at: at(2)) == nil)
  }
}
