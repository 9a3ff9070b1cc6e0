import Glibc

/// A value behind a POSIX mutex, with a condition on which a thread can wait for the value to change.
///
/// The package's one place for state that threads share. Never held while calling out of the module that owns it.
// Safe to share: `value` is touched only with `mutex` held.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value
  private var wakeCount: UInt64 = 0

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the lock held.
  @discardableResult
  package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` with the lock held, then wakes every waiting thread.
  @discardableResult
  package func withLockAndWake<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      wakeCount &+= 1
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// How often waiting threads were woken so far.
  package var wakes: UInt64 { withLock { _ in wakeCount } }

  /// Waits until `body` returns a result, trying it now and after each wake; nil once `deadline` has passed.
  ///
  /// A nil deadline waits without limit.
  package func wait<Result>(
    until deadline: HostTime?, _ body: (inout Value) throws -> Result?
  ) rethrows -> Result? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&value) { return result }
      guard let deadline else {
        pthread_cond_wait(condition, mutex)
        continue
      }
      let nanoseconds = max(0, deadline.nanoseconds)
      var time = timespec(
        tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT {
        return try body(&value)
      }
    }
  }

  /// Waits without limit until `body`, which is also told how often threads were woken so far, returns a result.
  package func waitCounting<Result>(
    _ body: (inout Value, UInt64) throws -> Result?
  ) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&value, wakeCount) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}
