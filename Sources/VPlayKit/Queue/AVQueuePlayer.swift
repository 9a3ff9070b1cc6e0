public import Foundation

open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
  public init(items: [AVPlayerItem]) { super.init() }
  public override init() { super.init() }
  public override init(url: URL) { super.init() }
  public override init(playerItem item: AVPlayerItem?) { super.init() }
  open func items() -> [AVPlayerItem] { [] }
  open func advanceToNextItem() {}
  open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool { false }
  open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {}
  open func remove(_ item: AVPlayerItem) {}
  open func removeAllItems() {}
}
