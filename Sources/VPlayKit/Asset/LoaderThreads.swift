import VPlayEngine
import VPlayModel

/// A few named threads that open media, so that neither a caller nor Swift's pool waits for a disk or a server.
///
/// A thread is started when there is work and fewer than the limit are at it, and ends when none is left.
final class LoaderThreads: Sendable {
  private struct State {
    var jobs: [@Sendable () -> Void] = []
    var threads = 0
  }

  /// For files.
  static let local = LoaderThreads(limit: 4)
  /// For what waits for a server, or a pipe's other end, most of the time.
  static let network = LoaderThreads(limit: 16)

  private let limit: Int
  private let state = Monitor(State())

  init(limit: Int) {
    self.limit = limit
  }

  /// Runs `job` on one of the threads, first come, first served; false when the system gives no thread.
  func run(_ job: @escaping @Sendable () -> Void) -> Bool {
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    guard needsThread else { return true }
    if let thread = NamedThread("vplay-asset", { [self] in work() }) {
      thread.detach()
      return true
    }
    return state.withLock { state in
      state.threads -= 1
      // Others are at work, and will come to it.
      if state.threads > 0 { return true }
      state.jobs.removeAll()
      return false
    }
  }

  private func work() {
    while let job = next() { job() }
  }

  private func next() -> (@Sendable () -> Void)? {
    state.withLock { state in
      if state.jobs.isEmpty {
        state.threads -= 1
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
