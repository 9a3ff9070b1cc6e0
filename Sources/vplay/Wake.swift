import CVPlayCLI
import Glibc

/// Wakes the main thread out of its one wait; from any thread.
final class Wake: Sendable {
  /// Readable once signalled, until drained.
  let descriptor: Int32

  init?() {
    descriptor = cvplay_open_event_counter()
    if descriptor < 0 { return nil }
  }

  deinit {
    close(descriptor)
  }

  func signal() {
    var one: UInt64 = 1
    // It fails only when the counter is full, and then it is readable anyway.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
