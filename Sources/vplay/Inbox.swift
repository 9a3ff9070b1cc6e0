import Foundation

/// What other threads have for the main one, which is woken for it.
// Safe to share: `messages` is touched with the lock held, the rest is `let`.
final class Inbox<Message: Sendable>: @unchecked Sendable {
  private let wake: Wake
  private let lock = NSLock()
  private var messages: [Message] = []

  init(wake: Wake) {
    self.wake = wake
  }

  /// Any thread.
  func post(_ message: Message) {
    lock.withLock { messages.append(message) }
    wake.signal()
  }

  /// Takes what has come, in order.
  func take() -> [Message] {
    lock.withLock {
      defer { messages = [] }
      return messages
    }
  }
}
