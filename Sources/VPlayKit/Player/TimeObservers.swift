import Foundation
import VPlayEngine
import VPlayModel

/// The time observers of one player, called at the heard time.
///
/// Positions are read, and the one timer is set, on `queue`; a timer exists only while there are observers.
final class TimeObservers: Sendable {
  private struct State {
    var observers: [ObjectIdentifier: (observer: TimeObserver, schedule: ObserverSchedule)] = [:]
    weak var core: PlayerCore?
    var timer: (any DispatchSourceTimer)?
    /// What happened since the last look, in order.
    var moves: [PlayerStateMachine.Move] = []
  }

  private static let mostMoves = 100
  /// When to look again while time stands.
  private static let standingSeconds = 0.02

  private let clock: any HostClock
  /// One for all players: what is done here is short.
  private static let sharedQueue = DispatchQueue(label: "vplay.time-observers", qos: .userInteractive)

  private let queue = TimeObservers.sharedQueue
  private let state = Monitor(State())

  init(clock: any HostClock) {
    self.clock = clock
  }

  func attach(_ core: PlayerCore) {
    state.withLock { $0.core = core }
  }

  /// The token: what is dropped with it is removed.
  func add(
    _ schedule: ObserverSchedule, queue: DispatchQueue, _ block: @escaping @Sendable (CMTime) -> Void
  ) -> TimeObserverToken {
    let observer = TimeObserver(queue: queue, block)
    state.withLock { $0.observers[ObjectIdentifier(observer)] = (observer, schedule) }
    self.queue.async { [weak self] in self?.look() }
    return TimeObserverToken(observer, of: self)
  }

  /// No call of its block begins after this returns.
  func remove(_ observer: TimeObserver) {
    observer.end()
    let (removed, timer) = state.withLock { state in
      let removed = state.observers.removeValue(forKey: ObjectIdentifier(observer))
      defer { if state.observers.isEmpty { state.timer = nil } }
      return (removed, state.observers.isEmpty ? state.timer : nil)
    }
    timer?.cancel()
    withExtendedLifetime(removed) {}
  }

  func shutdown() {
    for observer in state.withLock({ $0.observers.values.map(\.observer) }) { remove(observer) }
  }

  /// Playback started, stopped or jumped. Any thread, also with the player's lock held.
  func timeMoved(_ move: PlayerStateMachine.Move) {
    let isAlone = state.withLock { state in
      guard !state.observers.isEmpty else { return true }
      // More wait only when this queue is starved; the latest matter.
      if state.moves.count == Self.mostMoves { state.moves.removeFirst() }
      state.moves.append(move)
      return false
    }
    if !isAlone { queue.async { [weak self] in self?.look() } }
  }

  /// Calls who is due, and sets the timer for who is next. On `queue`.
  private func look() {
    guard let core = state.withLock({ $0.core }), let heard = core.heardTime() else { return }
    let calls = state.withLock { state in
      let moves = state.moves
      state.moves = []
      var calls: [(TimeObserver, [MediaTime])] = []
      for (id, var entry) in state.observers {
        var times: [MediaTime] = []
        for move in moves {
          switch move {
          case .jump(let target): times += entry.schedule.jump(to: target)
          case .startOrStop(let time): times += entry.schedule.startOrStop(at: time)
          }
        }
        times += entry.schedule.advance(to: heard.time)
        state.observers[id] = entry
        if !times.isEmpty { calls.append((entry.observer, times)) }
      }
      return calls
    }
    for (observer, times) in calls { observer.call(times) }
    setTimer(heard, core)
  }

  private func setTimer(_ heard: PlayerCore.HeardTime, _ core: PlayerCore) {
    guard heard.isPlaying, let next = state.withLock({ $0.observers.values.compactMap(\.schedule.next).min() })
    else { return }
    // Time may stand a moment though it plays: what was written is on its way to the ear.
    let estimate = heard.rate > 0 ? (next - heard.time).seconds / heard.rate : Self.standingSeconds
    let seconds = core.hostTime(of: next)?.seconds(since: clock.now) ?? estimate
    // Not at once even if due: the position may stand a moment before the time that was waited for.
    let delay = min(max(seconds, 0.0002), 3600)
    state.withLock { state in
      guard !state.observers.isEmpty else { return }
      let timer = state.timer ?? makeTimer()
      timer.schedule(deadline: .now() + delay, leeway: .nanoseconds(0))
      if state.timer == nil { timer.resume() }
      state.timer = timer
    }
  }

  private func makeTimer() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
    timer.setEventHandler { [weak self] in self?.look() }
    return timer
  }
}

/// One time observer.
final class TimeObserver: Sendable {
  private struct State {
    var isEnded = false
    /// Calls that wait in the queue.
    var waiting = 0
  }

  /// Calls that wait in a queue that does not run at most; more are left out.
  private static let mostWaiting = 1000

  private let queue: DispatchQueue
  private let block: @Sendable (CMTime) -> Void
  private let state = Monitor(State())

  init(queue: DispatchQueue, _ block: @escaping @Sendable (CMTime) -> Void) {
    self.queue = queue
    self.block = block
  }

  func call(_ times: [MediaTime]) {
    for time in times {
      let isRoom = state.withLock { state in
        guard !state.isEnded, state.waiting < Self.mostWaiting else { return false }
        state.waiting += 1
        return true
      }
      guard isRoom else { return }
      queue.async { [self] in
        let mayBegin = state.withLock { state in
          state.waiting -= 1
          return !state.isEnded
        }
        if mayBegin { block(CMTime(time)) }
      }
    }
  }

  func end() {
    state.withLock { $0.isEnded = true }
  }
}

/// What `addPeriodicTimeObserver` and `addBoundaryTimeObserver` hand out.
final class TimeObserverToken: Sendable {
  private let observer: TimeObserver
  private weak let observers: TimeObservers?

  init(_ observer: TimeObserver, of observers: TimeObservers) {
    self.observer = observer
    self.observers = observers
  }

  deinit {
    end()
  }

  /// Does nothing when it is another player's.
  func end(of owner: TimeObservers) {
    if observers === owner { end() }
  }

  private func end() {
    observer.end()
    observers?.remove(observer)
  }
}
