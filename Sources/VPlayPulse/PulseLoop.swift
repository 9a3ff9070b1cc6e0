import CVPlayPulse
import Glibc

/// libpulse's threaded main loop, running from its creation to its release, and the lock that guards all its objects.
///
/// libpulse blocks every signal on the loop's thread and does all socket writes there with `MSG_NOSIGNAL`, so a server
/// that goes away cannot raise SIGPIPE.
// Safe to share: the pointer never changes, and libpulse's own lock guards what it points to.
final class PulseLoop: @unchecked Sendable {
  private let loop: OpaquePointer

  /// For the creation of events and contexts; lock held.
  var api: UnsafeMutablePointer<pa_mainloop_api>? { pa_threaded_mainloop_get_api(loop) }

  /// Nil when the process has no thread or descriptor left.
  init?() {
    guard let loop = pa_threaded_mainloop_new() else { return nil }
    self.loop = loop
    pa_threaded_mainloop_set_name(loop, "vplay-pulse")
    guard pa_threaded_mainloop_start(loop) == 0 else {
      pa_threaded_mainloop_free(loop)
      return nil
    }
  }

  deinit {
    guard pa_threaded_mainloop_in_thread(loop) != 0 else {
      Self.free(loop)
      return
    }
    // The last reference went away inside a callback; a thread cannot wait for its own end.
    var thread = pthread_t()
    let started = pthread_create(&thread, nil, freeLoop, UnsafeMutableRawPointer(loop))
    if started == 0 { pthread_detach(thread) }
  }

  fileprivate static func free(_ loop: OpaquePointer) {
    pa_threaded_mainloop_stop(loop)
    pa_threaded_mainloop_free(loop)
  }

  /// Runs `body` with the loop's lock held; in a callback of the loop it is held already. Recursive.
  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    if pa_threaded_mainloop_in_thread(loop) != 0 { return try body() }
    pa_threaded_mainloop_lock(loop)
    defer { pa_threaded_mainloop_unlock(loop) }
    return try body()
  }
}

private func freeLoop(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let raw { PulseLoop.free(OpaquePointer(raw)) }
  return nil
}
