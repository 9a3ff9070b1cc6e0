public import Foundation
import VPlayEngine
import VPlayModel

/// A medium and where it is being played.
///
/// As Apple's [AVPlayerItem](https://developer.apple.com/documentation/avfoundation/avplayeritem). An item belongs to
/// one player at a time. All calls may come from any thread, and none waits for the medium, the network or the sound
/// server. `status`, `error` and `duration` can be observed.
// Safe to share: what is mutable is behind `state`'s lock.
open class AVPlayerItem: NSObject, KeyValueObserving, @unchecked Sendable {
  /// Whether an item can be played.
  public enum Status: Int, Sendable {
    /// Not opened yet.
    case unknown
    case readyToPlay
    /// It cannot be played, or broke off; `error` says why.
    case failed
  }

  /// What is played.
  public let asset: AVAsset
  let state = Monitor(ItemState())
  let observations = ObservationList()

  /// An item that is not opened before a player has it.
  public init(asset: AVAsset) {
    self.asset = asset
  }

  /// An item of the medium at `url`; see ``AVURLAsset``.
  public convenience init(url: URL) {
    self.init(asset: AVURLAsset(url: url))
  }

  /// Whether the item can be played. `unknown` until its player has opened it; an item that is put into a player again
  /// is opened again, also after it has failed.
  open var status: Status {
    observations.access(.status)
    return state.withLock { $0.status }
  }

  /// Why the status is `failed`: an ``AVError``; else nil.
  open var error: (any Error)? {
    observations.access(.error)
    return state.withLock { $0.error }
  }

  /// How long the medium is; indefinite until it is open, and where nobody knows (pipes, live streams). It can change
  /// when decoding shows that the medium's claim was wrong.
  open var duration: CMTime {
    observations.access(.duration)
    return state.withLock { $0.duration }.map { CMTime($0) } ?? .indefinite
  }

  /// What the medium calls itself, if it does, known once `status` is `readyToPlay`; the asset's metadata say more, and
  /// open the medium for it. VPlay's own.
  open var mediumTitle: String? { state.withLock { $0.title } }

  /// Where forward playback ends, before the medium's own end; invalid, the default, for the medium's own. Setting
  /// what is no number sets it to invalid; negative is 0.
  open var forwardPlaybackEndTime: CMTime {
    get { state.withLock { $0.end }.map { CMTime($0) } ?? .invalid }
    set {
      let end = newValue.mediaTime.map { max($0, .zero) }
      let owner = state.withLock { state in
        state.end = end
        return state.owner
      }
      owner?.setEnd(of: self, to: end)
    }
  }

  /// Posted, with the item as its object, each time that the item's last frame was heard: once for each pass that is
  /// played to its end. On a thread of VPlay's.
  public static let didPlayToEndTimeNotification = Notification.Name("AVPlayerItemDidPlayToEndTimeNotification")
  /// Posted when an item broke off in mid-play; the error is under `AVPlayerItemFailedToPlayToEndTimeErrorKey`.
  public static let failedToPlayToEndTimeNotification = Notification.Name(
    "AVPlayerItemFailedToPlayToEndTimeNotification")
  /// Posted when the medium's data did not arrive in time.
  public static let playbackStalledNotification = Notification.Name("AVPlayerItemPlaybackStalledNotification")
  /// Posted after a seek.
  public static let timeJumpedNotification = Notification.Name("AVPlayerItemTimeJumpedNotification")
}

/// The key of the error in ``AVPlayerItem/failedToPlayToEndTimeNotification``.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"

extension Notification.Name {
  /// ``AVPlayerItem/didPlayToEndTimeNotification`` under its other name.
  public static let AVPlayerItemDidPlayToEndTime = AVPlayerItem.didPlayToEndTimeNotification
  /// ``AVPlayerItem/failedToPlayToEndTimeNotification`` under its other name.
  public static let AVPlayerItemFailedToPlayToEndTime = AVPlayerItem.failedToPlayToEndTimeNotification
  /// ``AVPlayerItem/playbackStalledNotification`` under its other name.
  public static let AVPlayerItemPlaybackStalled = AVPlayerItem.playbackStalledNotification
  /// ``AVPlayerItem/timeJumpedNotification`` under its other name.
  public static let AVPlayerItemTimeJumped = AVPlayerItem.timeJumpedNotification
}
