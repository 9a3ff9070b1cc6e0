public import Foundation

open class AVPlayerLooper: NSObject, @unchecked Sendable {
  public enum Status: Int, Sendable { case unknown, ready, failed, cancelled }
  public enum ItemOrdering: Int, Sendable {
    case loopingItemsPrecedeExistingItems, loopingItemsFollowExistingItems
  }
  /// `passes` is VPlay's own: how often the range is played in all, nil for ever.
  public init(
    player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange = .invalid,
    existingItemsOrdering itemOrdering: ItemOrdering = .loopingItemsPrecedeExistingItems, passes: Int? = nil
  ) {}
  open var status: Status { .unknown }
  open var error: (any Error)? { nil }
  /// Passes played to their end.
  open var loopCount: Int { 0 }
  open var loopingPlayerItems: [AVPlayerItem] { [] }
  open func disableLooping() {}
}

extension AVPlayerLooper: KeyValueObserving {}
