import Testing

@testable import vplay

struct PlayPlanTests {
  /// The tracks of the first places, from the one after `place` on.
  private func tracks(_ count: Int, of plan: PlayPlan, after place: Int = -1) -> [Int] {
    var (plan, place, result) = (plan, place, [Int]())
    while result.count < count, let next = plan.place(after: place) {
      result.append(plan.track(at: next))
      place = next
    }
    return result
  }

  @Test func passes() {
    #expect(tracks(9, of: PlayPlan(count: 3, passes: .times(1))) == [0, 1, 2])
    #expect(tracks(9, of: PlayPlan(count: 2, passes: .times(3))) == [0, 1, 0, 1, 0, 1])
    #expect(tracks(7, of: PlayPlan(count: 2, passes: .forever)) == [0, 1, 0, 1, 0, 1, 0])
    #expect(tracks(1, of: PlayPlan(count: 0, passes: .forever)) == [])
  }

  @Test func whatFailedIsNotPlayedAgain() {
    var plan = PlayPlan(count: 3, passes: .forever)
    plan.drop(1)
    #expect(tracks(4, of: plan, after: 0) == [2, 0, 2, 0])
    #expect(plan.place(before: 2) == 0)
    plan.drop(0)
    #expect(plan.place(before: 2) == nil)
    plan.drop(2)
    #expect(plan.place(after: 0) == nil)
  }

  @Test func nothingLeftInTheLastPass() {
    var plan = PlayPlan(count: 2, passes: .times(2))
    plan.drop(1)
    #expect(tracks(9, of: plan) == [0, 0])
  }

  @Test func back() {
    var plan = PlayPlan(count: 2, passes: .times(2))
    #expect(plan.place(before: 3) == 2)
    #expect(plan.place(before: 2) == 1)
    #expect(plan.place(before: 0) == nil)
  }

  @Test(arguments: [1, 2, 3, 4, 7, 100], [UInt64(0), 1, 99, .max])
  func shuffledEachIsPlayedOncePerPass(count: Int, seed: UInt64) {
    let plan = PlayPlan(count: count, passes: .times(20), seed: seed)
    let all = tracks(count * 21, of: plan)
    #expect(all.count == count * 20)
    for pass in 0..<20 { #expect(Set(all[pass * count..<(pass + 1) * count]).count == count) }
    if count > 2 { #expect(zip(all, all.dropFirst()).allSatisfy { $0 != $1 }) }
    if count > 6 { #expect(all[..<count] != all[count..<2 * count]) }
  }

  @Test func shuffledGoesBackTheWayItCame() {
    var plan = PlayPlan(count: 5, passes: .forever, seed: 7)
    let there = tracks(50, of: plan)
    let back = (0..<50).reversed().map { plan.track(at: $0) }
    #expect(back.reversed() == there)
  }

  @Test func anotherSeedAnotherOrder() {
    let orders = Set((0..<20).map { tracks(8, of: PlayPlan(count: 8, passes: .times(1), seed: $0)) })
    #expect(orders.count > 15)
  }

  @Test func loopsCanBeTurnedOnAndOff() {
    var plan = PlayPlan(count: 2, passes: .times(1))
    #expect(!plan.isLooping(at: 0))
    plan.setLooping(true, at: 1)
    #expect(plan.isLooping(at: 1))
    #expect(tracks(4, of: plan, after: 1) == [0, 1, 0, 1])
    plan.setLooping(false, at: 4)
    #expect(!plan.isLooping(at: 4) && plan.isPlanned(5) && !plan.isPlanned(6))
    #expect(tracks(4, of: plan, after: 4) == [1])
    plan = PlayPlan(count: 2, passes: .times(3))
    #expect(plan.isLooping(at: 3) && !plan.isLooping(at: 4))
  }

  @Test(arguments: [nil, UInt64(3)])
  func longListsTakeNoTime(seed: UInt64?) {
    // All broken but the last: each place is looked at once, in far fewer steps than pairs of them.
    let count = 100_000
    var plan = PlayPlan(count: count, passes: .forever, seed: seed)
    var place = -1
    while let next = plan.place(after: place), plan.track(at: next) != count - 1 {
      plan.drop(plan.track(at: next))
      place = next
    }
    #expect(plan.place(after: place).map { plan.track(at: $0) } == count - 1)
  }
}
