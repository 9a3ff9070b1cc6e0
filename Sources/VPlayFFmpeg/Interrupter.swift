internal import CVPlayFFmpeg
internal import Glibc
internal import Synchronization

/// Ends blocking input, once and for good. Shared by the thread that reads and any that interrupts.
final class Interrupter: Sendable {
  private let flag = Atomic(false)
  /// Readable from the interrupt on, so that a `poll` for data ends too; -1 when none could be had.
  let wakeDescriptor: Int32

  init() {
    wakeDescriptor = vplay_wake_descriptor()
  }

  deinit {
    if wakeDescriptor >= 0 { close(wakeDescriptor) }
  }

  var isInterrupted: Bool { flag.load(ordering: .acquiring) }

  func interrupt() {
    flag.store(true, ordering: .releasing)
    if wakeDescriptor >= 0 { vplay_wake(wakeDescriptor) }
  }

  /// For FFmpeg's blocking calls. The owner of the context that gets it keeps this object alive.
  var callback: AVIOInterruptCB {
    // Unretained: the context never outlives its owner, which holds this object.
    AVIOInterruptCB(callback: isInterruptedCallback, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}

private func isInterruptedCallback(_ opaque: UnsafeMutableRawPointer?) -> Int32 {
  guard let opaque else { return 0 }
  // Unretained: see `Interrupter.callback`.
  return Unmanaged<Interrupter>.fromOpaque(opaque).takeUnretainedValue().isInterrupted ? 1 : 0
}
