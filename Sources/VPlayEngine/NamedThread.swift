import Glibc

/// A POSIX thread of our own, named for debuggers, that is joined and never killed.
package final class NamedThread: Sendable {
  private let handle: pthread_t

  /// Starts `body` on a new thread; nil when the system gives none. The name is cut to 15 bytes.
  package init?(_ name: String, _ body: @escaping @Sendable () -> Void) {
    var created = pthread_t()
    // The box is retained here and released by the thread, once.
    let context = Unmanaged.passRetained(ThreadBody(name: String(name.utf8.prefix(15)) ?? "vplay", run: body))
    let status = pthread_create(&created, nil, threadMain, context.toOpaque())
    guard status == 0 else {
      context.release()
      return nil
    }
    handle = created
  }

  package var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Waits for the thread to end. Once, and not from the thread itself.
  package func join() {
    pthread_join(handle, nil)
  }

  /// Lets the thread clean up after itself when it ends; instead of `join`.
  package func detach() {
    pthread_detach(handle)
  }
}

private final class ThreadBody: Sendable {
  let name: String
  let run: @Sendable () -> Void

  init(name: String, run: @escaping @Sendable () -> Void) {
    self.name = name
    self.run = run
  }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  // Takes over the retain of `NamedThread.init`.
  let body = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
  nameCurrentThread(body.name)
  body.run()
  return nil
}

/// glibc's `pthread_setname_np` is hidden from Swift; this is what it does for the calling thread.
private func nameCurrentThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  _ = name.withCString { write(file, $0, strlen($0)) }
  close(file)
}
