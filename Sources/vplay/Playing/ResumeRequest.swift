import Synchronization
import VPlayKit

/// Whether a call is over that had made the players pause, so that they may go on. Any thread.
final class ResumeRequest: Sendable {
  private let isPending = Atomic(false)

  /// Takes in an `interruptionNotification`.
  func note(_ notification: Notification) {
    let info = notification.userInfo
    let options = (info?[AVAudioSessionInterruptionOptionKey] as? UInt).map(
      AVAudioSession.InterruptionOptions.init(rawValue:))
    let type = (info?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap(
      AVAudioSession.InterruptionType.init(rawValue:))
    isPending.store(type == .ended && options?.contains(.shouldResume) == true, ordering: .relaxed)
  }

  /// True once for each end.
  func take() -> Bool {
    isPending.exchange(false, ordering: .relaxed)
  }
}
