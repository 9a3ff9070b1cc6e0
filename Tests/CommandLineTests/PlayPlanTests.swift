import Testing

@testable import vplay

struct PlayPlanTests {
  private func first(_ count: Int, of plan: PlayPlan) -> [Int] {
    var plan = plan
    return (0..<count).compactMap { _ in plan.next() }
  }

  @Test func passes() {
    #expect(first(9, of: PlayPlan(count: 3, passes: .times(1))) == [0, 1, 2])
    #expect(first(9, of: PlayPlan(count: 2, passes: .times(3))) == [0, 1, 0, 1, 0, 1])
    #expect(first(7, of: PlayPlan(count: 2, passes: .forever)) == [0, 1, 0, 1, 0, 1, 0])
  }

  @Test func whatFailedIsNotPlayedAgain() {
    var plan = PlayPlan(count: 3, passes: .forever)
    #expect(plan.next() == 0)
    plan.drop(1)
    #expect(first(4, of: plan) == [2, 0, 2, 0])
    plan.drop(0)
    plan.drop(2)
    #expect(plan.next() == nil)
  }

  @Test func nothingLeftInTheLastPass() {
    var plan = PlayPlan(count: 2, passes: .times(2))
    #expect(plan.next() == 0)
    plan.drop(1)
    #expect(plan.next() == 0)
    #expect(plan.next() == nil)
    #expect(plan.next() == nil)
  }
}
