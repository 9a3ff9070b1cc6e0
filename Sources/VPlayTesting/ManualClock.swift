import Glibc
import Synchronization
package import VPlayModel

/// Something that happens by itself as a clock goes on.
package protocol ClockDriven: AnyObject, Sendable {
  /// When it next has something to do; nil when never, as things are.
  var nextDue: HostTime? { get }
  /// Does what is due at `now`. Called without a lock, on the thread that moves the clock.
  func run(at now: HostTime)
}

/// A clock that stands still until it is moved by hand.
///
/// Moving it goes from one due instant to the next (of what is attached, and of the deadlines of threads that wait
/// through it), so that everything sees the instants that it would see in real time, however far the clock is moved.
package final class ManualClock: HostClock {
  private struct Driven {
    weak var object: (any ClockDriven)?
  }
  private struct Sleeper {
    var deadline: HostTime?
    /// Makes the thread look again.
    var wake: @Sendable () -> Void
    /// Whether it has looked since it was last woken, and waits on.
    var isSettled: @Sendable () -> Bool
  }
  private struct State {
    var driven: [Driven] = []
    var sleepers: [Int: Sleeper] = [:]
    var nextID = 0
    /// Threads that have waited through this clock and live: true while they do something else.
    var threads: [pthread_t: Bool] = [:]
  }
  /// The last wake that a waiting thread has answered by waiting on; `UInt64.max` while it does not wait.
  private final class Answered: Sendable {
    let wake = Atomic<UInt64>(.max)
  }

  private let nanoseconds: Atomic<Int64>
  /// Rises with each step of a waiting thread.
  private let activity = Atomic<UInt64>(0)
  private let state = Monitor(State())

  package init(_ start: HostTime = HostTime(nanoseconds: 1_000_000_000_000)) {
    nanoseconds = Atomic(start.nanoseconds)
  }

  package var now: HostTime { HostTime(nanoseconds: nanoseconds.load(ordering: .sequentiallyConsistent)) }

  /// Runs `object` as the clock moves, for as long as it lives.
  package func attach(_ object: any ClockDriven) {
    state.withLock { $0.driven.append(Driven(object: object)) }
  }

  /// Moves the clock on by a number of seconds, not negative. See `advance(to:settling:)`.
  package func advance(bySeconds seconds: Double, settling threads: Int? = nil) {
    advance(to: now.advanced(bySeconds: seconds), settling: threads)
  }

  /// Moves the clock on to `target`. One thread at a time.
  ///
  /// With `threads`, each step is made only when that many threads wait through this clock and have nothing left to
  /// do: the whole then runs the same way each time.
  package func advance(to target: HostTime, settling threads: Int? = nil) {
    precondition(target >= now, "a clock runs forwards")
    if let threads { settle(threads: threads) }
    while true {
      let present = now
      let (driven, deadlines) = state.withLock { state in
        state.driven.removeAll { $0.object == nil }
        return (state.driven.compactMap(\.object), state.sleepers.values.compactMap(\.deadline))
      }
      let instants = driven.compactMap(\.nextDue) + deadlines.filter { $0 > present }
      let step = max(present, min(target, instants.min() ?? target))
      nanoseconds.store(step.nanoseconds, ordering: .sequentiallyConsistent)
      for object in driven { object.run(at: step) }
      wakeSleepers(at: step)
      if let threads { settle(threads: threads) }
      if step >= target { return }
    }
  }

  /// Waits until `threads` threads or more wait through this clock and have nothing left to do, and no thread that ever
  /// waited through it does anything else.
  ///
  /// Returns false when that did not happen within ten seconds of real time.
  @discardableResult
  package func settle(threads: Int) -> Bool {
    let limit = SystemClock().now.advanced(bySeconds: 10)
    while SystemClock().now < limit {
      if isSettled(threads: threads) { return true }
      let seen = activity.load(ordering: .sequentiallyConsistent)
      _ = state.wait(until: SystemClock().now.advanced(bySeconds: 0.001)) { _ in
        activity.load(ordering: .sequentiallyConsistent) != seen ? true : nil
      }
    }
    return false
  }

  package func wait<Value, Result>(
    on monitor: Monitor<Value>, until deadline: HostTime?, _ body: (inout Value) throws -> Result?
  ) rethrows -> Result? {
    let answered = Answered()
    let sleeper = Sleeper(
      deadline: deadline, wake: { monitor.withLockAndWake { _ in } },
      isSettled: { monitor.wakes == answered.wake.load(ordering: .sequentiallyConsistent) })
    let thread = pthread_self()
    let (id, isNew) = state.withLock { state in
      state.nextID += 1
      state.sleepers[state.nextID] = sleeper
      return (state.nextID, state.threads.updateValue(false, forKey: thread) == nil)
    }
    if isNew {
      ThreadEnd.add { [weak self] in self?.state.withLockAndWake { _ = $0.threads.removeValue(forKey: thread) } }
    }
    defer {
      state.withLockAndWake { state in
        state.sleepers.removeValue(forKey: id)
        state.threads[thread] = true
      }
    }
    return try monitor.waitCounting { value, wakes -> Result?? in
      activity.add(1, ordering: .sequentiallyConsistent)
      answered.wake.store(.max, ordering: .sequentiallyConsistent)
      if let result = try body(&value) { return .some(result) }
      if let deadline, now >= deadline { return .some(nil) }
      answered.wake.store(wakes, ordering: .sequentiallyConsistent)
      return nil
    }
  }

  private func wakeSleepers(at instant: HostTime) {
    let due = state.withLock { state in
      state.sleepers.values.filter { sleeper in sleeper.deadline.map { $0 <= instant } ?? false }
    }
    for sleeper in due { sleeper.wake() }
  }

  private func isSettled(threads: Int) -> Bool {
    let before = activity.load(ordering: .sequentiallyConsistent)
    let present = pthread_self()
    let (sleepers, isBusy) = state.withLock { state in
      (Array(state.sleepers.values), state.threads.contains { $0.value && $0.key != present })
    }
    guard !isBusy, sleepers.count >= threads, sleepers.allSatisfy({ $0.isSettled() }) else { return false }
    return activity.load(ordering: .sequentiallyConsistent) == before
  }
}
