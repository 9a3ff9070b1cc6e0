import Glibc

/// Lines to a descriptor whose reader may be slow, or gone: nobody waits for it. Main thread.
final class LineWriter {
  let descriptor: Int32
  private var pending: [UInt8] = []
  /// Nothing can be written any more.
  private var isGone = false
  /// Why, where it is worth telling: a reader that has left knows it.
  private(set) var trouble: String?

  /// With more than this unread, lines are dropped.
  private static let limitBytes = 1 << 20
  /// What a pipe takes at once when `poll` says that it takes something.
  private static let blockBytes = 4096

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  func write(_ line: String) {
    guard !isGone, pending.count < LineWriter.limitBytes else { return }
    pending += line.utf8
    pending.append(UInt8(ascii: "\n"))
    flush()
  }

  /// Whether there is something that could not be written yet.
  var isBehind: Bool { !pending.isEmpty }

  /// Writes what can be written now, or within some time.
  func flush(withinMilliseconds limit: Int32 = 0) {
    var written = 0
    while written < pending.count {
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      let ready = poll(&output, 1, limit)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      let block = pending[written..<min(written + LineWriter.blockBytes, pending.count)]
      let count = block.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        if errno != EPIPE { trouble = String(cString: strerror(errno)) }
        isGone = true
        written = pending.count
        break
      }
      written += count
    }
    pending.removeFirst(written)
  }

  /// Takes the trouble, once.
  func takeTrouble() -> String? {
    defer { trouble = nil }
    return trouble
  }
}
