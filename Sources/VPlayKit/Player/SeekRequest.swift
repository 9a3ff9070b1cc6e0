import Foundation
import VPlayModel

/// A seek whose times are numbers.
struct SeekTarget: Sendable {
  var time: MediaTime
  /// Nil for any.
  var toleranceBefore: MediaTime?
  var toleranceAfter: MediaTime?

  /// Nil when `time` is no number. A tolerance that is no number is any, a negative one is 0.
  init?(_ time: CMTime, _ toleranceBefore: CMTime, _ toleranceAfter: CMTime) {
    guard let time = time.mediaTime else { return nil }
    self.time = time
    self.toleranceBefore = toleranceBefore.mediaTime.map { max($0, .zero) }
    self.toleranceAfter = toleranceAfter.mediaTime.map { max($0, .zero) }
  }
}

/// How a seek's end is told.
enum SeekCompletion: Sendable {
  /// A user's handler: on the callback queue.
  case queued(@Sendable (Bool) -> Void)
  /// A continuation, which needs no queue.
  case direct(@Sendable (Bool) -> Void)

  func call(_ success: Bool, on queue: DispatchQueue) {
    switch self {
    case .queued(let handler): queue.async { handler(success) }
    case .direct(let handler): handler(success)
    }
  }
}
