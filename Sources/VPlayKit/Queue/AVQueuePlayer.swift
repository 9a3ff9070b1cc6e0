public import Foundation
import VPlayEngine

/// Plays a queue of items, one after the other, without a gap.
///
/// As Apple's [AVQueuePlayer](https://developer.apple.com/documentation/avfoundation/avqueueplayer). An item that cannot
/// be played is reported (its `status` and `error`) and passed over. After the last item the rate stays as it is: the
/// player waits, with reason `noItemToPlay`, and plays what is inserted next.
// Safe to share: it stores nothing of its own.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
  /// A player with an empty queue.
  public override init() {
    super.init(core: PlayerCore(environment: .system, actionAtItemEnd: .advance))
  }

  /// A player of the medium at `url`.
  public override init(url: URL) {
    super.init(core: PlayerCore(environment: .system, actionAtItemEnd: .advance))
    replaceCurrentItem(with: AVPlayerItem(url: url))
  }

  /// A player of `item`.
  public override init(playerItem item: AVPlayerItem?) {
    super.init(core: PlayerCore(environment: .system, actionAtItemEnd: .advance))
    replaceCurrentItem(with: item)
  }

  /// A player of `items`, of which those that have a player already are left out.
  public init(items: [AVPlayerItem]) {
    super.init(core: PlayerCore(environment: .system, actionAtItemEnd: .advance))
    for item in items { insert(item, after: nil) }
  }

  package override init(environment: PlayerEnvironment) {
    super.init(core: PlayerCore(environment: environment, actionAtItemEnd: .advance))
  }

  /// The items from the current one on. Those of a looper are the ones that come next, each once.
  open func items() -> [AVPlayerItem] {
    core.items()
  }

  /// Ends the current item, without a notification of its end, and begins the next.
  open func advanceToNextItem() {
    core.perform(at: core.enginePosition()) { _ in .advance }
  }

  /// Whether ``insert(_:after:)`` would take the item: it has no player, and `afterItem`, if any, is in the queue.
  open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    core.canInsert(item, after: afterItem)
  }

  /// Puts `item` behind `afterItem`, nil being the end of the queue. Where ``canInsert(_:after:)`` says no, and Apple's
  /// player raises, nothing happens.
  open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    core.prepareOutput()
    core.insert(item, after: afterItem)
  }

  /// Takes an item out; the current one's sound ends and the next begins. One of a looper takes all of the looper out.
  open func remove(_ item: AVPlayerItem) {
    core.remove(item)
  }

  /// Takes all items out.
  open func removeAllItems() {
    core.perform(at: core.enginePosition()) { _ in .removeAll }
  }
}
