package import Dispatch
import VPlayModel

/// The serial queue on which changes during playback are reported.
package enum CallbackQueue {
  private struct Choice {
    var queue = DispatchQueue.main
    /// Set, or used by a player.
    var isSealed = false
  }

  private static let choice = Monitor(Choice())

  /// From now on it is what it is.
  package static func seal() -> DispatchQueue {
    choice.withLock { choice in
      choice.isSealed = true
      return choice.queue
    }
  }

  static func choose(_ queue: DispatchQueue) -> Bool {
    choice.withLock { choice in
      guard !choice.isSealed else { return false }
      choice.isSealed = true
      // Serial, whatever the target is.
      choice.queue =
        queue === DispatchQueue.main ? queue : DispatchQueue(label: "vplay.callbacks", target: queue)
      return true
    }
  }
}
