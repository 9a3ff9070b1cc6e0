public import Foundation
import VPlayEngine
import VPlayModel

/// Plays a medium, or a range of it, over and over, without a gap.
///
/// As Apple's [AVPlayerLooper](https://developer.apple.com/documentation/avfoundation/avplayerlooper). The template item
/// itself is never played: each pass is shown as one of `loopingPlayerItems`, in turn, with its own end notification when
/// its last frame was heard. Keep the looper while it is to loop: when it is dropped, the pass then heard is the last.
///
/// Observable: `status`, `error`, `loopCount`.
// Safe to share: all stored properties are `let`s of Sendable types.
open class AVPlayerLooper: NSObject, KeyValueObserving, @unchecked Sendable {
  /// How a looper goes.
  public enum Status: Int, Sendable {
    /// Not opened yet.
    case unknown
    case ready
    /// The medium cannot be played; `error` says why.
    case failed
    /// It was disabled.
    case cancelled
  }

  /// Where the looping items go in the player's queue.
  public enum ItemOrdering: Int, Sendable {
    case loopingItemsPrecedeExistingItems, loopingItemsFollowExistingItems
  }

  private static let itemCount = 3

  private let looper: LooperState
  private weak let core: PlayerCore?

  /// Begins to loop in `player`'s queue.
  /// - Parameters:
  ///   - player: Known weakly by the looper.
  ///   - itemToLoop: Its asset is looped, and its `forwardPlaybackEndTime` kept.
  ///   - loopRange: What is played in each pass; invalid for all. An infinite or indefinite duration goes to the end.
  ///   - itemOrdering: Before the items that the player has, or after them.
  ///   - passes: How often it is played in all; nil, as on Apple's systems, for ever. VPlay's own. Below 1 is 1.
  public init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange = .invalid,
    existingItemsOrdering itemOrdering: ItemOrdering = .loopingItemsPrecedeExistingItems, passes: Int? = nil
  ) {
    let passes = passes.map { max(1, $0) }
    let items = (0..<min(Self.itemCount, passes ?? .max)).map { _ in AVPlayerItem(asset: itemToLoop.asset) }
    looper = LooperState(items: items, entry: PlayerCore.makeEntryID())
    core = player.core
    super.init()
    let start = max(loopRange.start.mediaTime ?? .zero, .zero)
    let end = [loopRange.isValid ? loopRange.end.mediaTime : nil, itemToLoop.forwardPlaybackEndTime.mediaTime]
      .compactMap { $0 }.min()
    if let end, end <= start {
      looper.opened(AVError(.operationNotSupportedForAsset, reason: "the range to loop is empty"))
      return
    }
    player.core.prepareOutput()
    player.core.insertLooper(
      looper, start: start, end: end, passes: passes,
      place: itemOrdering == .loopingItemsPrecedeExistingItems ? .first : .last)
  }

  deinit {
    disableLooping()
  }

  var observations: ObservationList { looper.observations }

  /// `ready` once the medium was opened; it stays so after the last of a number of passes.
  open var status: Status {
    observations.access(.status)
    return looper.status
  }

  /// Why the status is `failed`: an ``AVError``; else nil.
  open var error: (any Error)? {
    observations.access(.error)
    return looper.error
  }

  /// Passes heard to their end.
  open var loopCount: Int {
    observations.access(.loopCount)
    return looper.loopCount
  }

  /// The items that the passes are shown as, in turn.
  open var loopingPlayerItems: [AVPlayerItem] { looper.items }

  /// The pass now heard is the last; the player then goes on with the rest of its queue.
  open func disableLooping() {
    guard looper.cancel() else { return }
    core?.perform { _ in .stopLooping(looper.entry) }
    observations.report(.status)
  }
}
