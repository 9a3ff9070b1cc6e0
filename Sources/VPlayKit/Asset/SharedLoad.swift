import VPlayModel

/// One run of a load: what it has open, so that it can be ended.
final class LoadRun: Sendable {
  private struct State {
    var source: (any MediaSource)?
    var isInterrupted = false
  }

  private let state = Monitor(State())

  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// The source that an interrupt ends from now on; nil for none.
  func attach(_ source: (any MediaSource)?) {
    let isInterrupted = state.withLock { state in
      state.source = source
      return state.isInterrupted
    }
    if isInterrupted { source?.interrupt() }
  }

  func interrupt() {
    let source = state.withLock { state in
      state.isInterrupted = true
      return state.source
    }
    source?.interrupt()
  }
}

/// Something that is loaded once, on a thread of its own, however many ask for it.
///
/// It ends when nobody waits for it any more; whoever asks next begins it anew.
final class SharedLoad<Value: Sendable>: Sendable {
  enum Phase: Sendable {
    case idle, loading, cancelled
    case loaded(Value)
    case failed(MediaError)
  }

  typealias Outcome = Result<Value, MediaError>

  private struct State {
    var phase = Phase.idle
    var run: LoadRun?
    var lastTicket: UInt64 = 0
    var waiters: [UInt64: @Sendable (Outcome) -> Void] = [:]
  }

  /// What a new waiter leads to.
  private enum Step {
    case done(Outcome), wait, begin(LoadRun)
  }

  private static var interruption: MediaError { MediaError(.interrupted, "the loading was cancelled") }

  private let threads: LoaderThreads
  private let work: @Sendable (LoadRun) throws(MediaError) -> Value
  private let state = Monitor(State())

  init(on threads: LoaderThreads, work: @escaping @Sendable (LoadRun) throws(MediaError) -> Value) {
    self.threads = threads
    self.work = work
  }

  deinit {
    cancel()
  }

  var phase: Phase { state.withLock { $0.phase } }

  /// Names somebody who is about to wait.
  func makeTicket() -> UInt64 {
    state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
  }

  /// Begins to load if need be, and calls `completion` once: now when all is there, else on a thread of ours.
  func start(_ ticket: UInt64, _ completion: @escaping @Sendable (Outcome) -> Void) {
    let step: Step = state.withLock { state in
      switch state.phase {
      case .loaded(let value): return .done(.success(value))
      case .failed(let error): return .done(.failure(error))
      case .loading:
        state.waiters[ticket] = completion
        return .wait
      case .idle, .cancelled:
        state.waiters[ticket] = completion
        let run = LoadRun()
        state.run = run
        state.phase = .loading
        return .begin(run)
      }
    }
    switch step {
    case .done(let outcome): completion(outcome)
    case .wait: break
    case .begin(let run):
      let isRunning = threads.run { [weak self, work] in
        do throws(MediaError) {
          if run.isInterrupted { throw Self.interruption }
          let value = try work(run)
          self?.finish(run, .success(value))
        } catch {
          self?.finish(run, .failure(error))
        }
      }
      if !isRunning { finish(run, .failure(MediaError(.outOfMemory, "no thread could be started"))) }
    }
  }

  /// One of those who wait does so no longer; it is told.
  func giveUp(_ ticket: UInt64) {
    let (waiter, run): ((@Sendable (Outcome) -> Void)?, LoadRun?) = state.withLock { state in
      guard let waiter = state.waiters.removeValue(forKey: ticket) else { return (nil, nil) }
      guard state.waiters.isEmpty else { return (waiter, nil) }
      defer { state.run = nil }
      state.phase = .idle
      return (waiter, state.run)
    }
    run?.interrupt()
    waiter?(.failure(Self.interruption))
  }

  /// Ends the load under way, for all who wait; what is loaded stays.
  func cancel() {
    let (waiters, run): ([@Sendable (Outcome) -> Void], LoadRun?) = state.withLock { state in
      switch state.phase {
      case .idle, .loading: state.phase = .cancelled
      case .loaded, .failed, .cancelled: return ([], nil)
      }
      defer {
        state.waiters = [:]
        state.run = nil
      }
      return (Array(state.waiters.values), state.run)
    }
    run?.interrupt()
    for waiter in waiters { waiter(.failure(Self.interruption)) }
  }

  private func finish(_ run: LoadRun, _ outcome: Outcome) {
    let waiters: [@Sendable (Outcome) -> Void] = state.withLock { state in
      // A run that was given up has nobody to tell.
      guard state.run === run else { return [] }
      state.run = nil
      switch outcome {
      case .success(let value): state.phase = .loaded(value)
      case .failure(let error): state.phase = .failed(error)
      }
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter(outcome) }
  }

  /// Waits on the calling thread.
  func wait() throws(MediaError) -> Value {
    let outcome = Monitor<Outcome?>(nil)
    start(makeTicket()) { result in outcome.withLockAndWake { $0 = result } }
    guard let result = outcome.wait(until: nil, { $0 }) else { throw Self.interruption }
    return try result.get()
  }

  /// Suspends until it is there; a cancelled task waits no longer.
  func value(isolation: isolated (any Actor)? = #isolation) async throws -> Value {
    let ticket = makeTicket()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
        start(ticket) { continuation.resume(with: $0) }
        // A task that was cancelled before it waited.
        if Task.isCancelled { giveUp(ticket) }
      }
    } onCancel: {
      giveUp(ticket)
    }
  }
}
