import Testing
import VPlayModel

@Suite struct MonitorTests {
  @Test func aTimedWaitEndsAtItsDeadlineAndNotBefore() {
    let monitor = Monitor(0)
    let deadline = SystemClock().now.advanced(bySeconds: 0.03)
    let result = monitor.wait(until: deadline) { $0 > 0 ? $0 : nil }
    #expect(result == nil)
    #expect(SystemClock().now >= deadline)
  }

  @Test(arguments: [Int64.min, -1, 0, 1]) func aDeadlineThatIsOverLooksOnce(nanoseconds: Int64) {
    let monitor = Monitor(7)
    #expect(monitor.wait(until: HostTime(nanoseconds: nanoseconds)) { $0 > 7 ? $0 : nil } == nil)
    #expect(monitor.wait(until: HostTime(nanoseconds: nanoseconds)) { $0 == 7 ? $0 : nil } == 7)
  }

  @Test func aWaitSeesWhatAnotherThreadSets() async {
    let monitor = Monitor(0)
    async let waited = Task.detached {
      monitor.wait(until: SystemClock().now.advanced(bySeconds: 10)) { $0 >= 100 ? $0 : nil }
    }.value
    for _ in 0..<100 { monitor.withLockAndWake { $0 += 1 } }
    #expect(await waited == 100)
    #expect(monitor.wakes == 100)
  }

  @Test func anErrorLeavesTheLock() {
    struct Failure: Error {}
    let monitor = Monitor(1)
    #expect(throws: Failure.self) { try monitor.withLock { _ in throw Failure() } }
    #expect(throws: Failure.self) { try monitor.wait(until: nil) { _ throws -> Int? in throw Failure() } }
    #expect(monitor.withLock { $0 } == 1)
  }

  @Test func cancellationRunsItsActionsOnce() {
    let cancellation = SinkCancellation()
    let count = Monitor(0)
    let forgotten = cancellation.onCancel { count.withLock { $0 += 100 } }
    _ = cancellation.onCancel { count.withLock { $0 += 1 } }
    cancellation.forget(forgotten)
    cancellation.cancel()
    cancellation.cancel()
    _ = cancellation.onCancel { count.withLock { $0 += 10 } }
    #expect(cancellation.isCancelled)
    #expect(count.withLock { $0 } == 11)
  }

  @Test func hostTimesOfAnySizeDoNotTrap() {
    let time = HostTime(nanoseconds: 5)
    #expect(time.advanced(bySeconds: 1e-9).nanoseconds == 6)
    #expect(time.advanced(bySeconds: .infinity).nanoseconds == .max)
    #expect(time.advanced(bySeconds: -1e30).nanoseconds < 0)
    #expect(time.advanced(bySeconds: .nan) == time)
    #expect(HostTime(nanoseconds: .max).seconds(since: HostTime(nanoseconds: .min)) > 9e9)
  }
}
