import Glibc

/// What is to be done when the present thread ends.
final class ThreadEnd {
  private var actions: [() -> Void] = []

  /// Calls `action` on the present thread as its last deed.
  static func add(_ action: @escaping () -> Void) {
    let end: ThreadEnd
    if let known = pthread_getspecific(threadEndKey) {
      end = Unmanaged<ThreadEnd>.fromOpaque(known).takeUnretainedValue()  // The thread keeps it.
    } else {
      end = ThreadEnd()
      // Retained for the thread; the key's destructor releases it.
      pthread_setspecific(threadEndKey, Unmanaged.passRetained(end).toOpaque())
    }
    end.actions.append(action)
  }

  fileprivate func run() {
    for action in actions { action() }
  }
}

private let threadEndKey: pthread_key_t = {
  var key = pthread_key_t()
  pthread_key_create(&key, threadEnded)
  return key
}()

private func threadEnded(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  // Takes over the retain of `ThreadEnd.add`.
  Unmanaged<ThreadEnd>.fromOpaque(context).takeRetainedValue().run()
}
