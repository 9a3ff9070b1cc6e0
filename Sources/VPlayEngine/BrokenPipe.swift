import Glibc

/// Keeps the signal of a pipe without a reader from ending the process: the call fails with `EPIPE` instead.
enum BrokenPipe {
  /// Calls `body` with the signal held back on this thread. Returns its result and, where that is negative, `errno`.
  static func shielded(_ body: () -> Int) -> (result: Int, code: Int32) {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var old = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    let result = body()
    let code = result < 0 ? errno : 0
    if code == EPIPE, !wasPending {
      var none = timespec()
      while sigtimedwait(&pipe, nil, &none) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
    return (result, code)
  }
}
