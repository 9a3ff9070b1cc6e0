import Foundation
import Testing
import VPlayKit
import VPlayModel

/// The queue on its engine.
@Suite(.serialized) struct QueueTests {
  private func player(_ items: [AVPlayerItem], sources: SourceLog? = nil) -> AVQueuePlayer {
    let player = AVQueuePlayer(environment: KitRig.environment(sources: sources))
    for item in items { player.insert(item, after: nil) }
    return player
  }

  @Test func playsAllInOrder() throws {
    let items = [KitRig.item(seconds: 0.1), KitRig.item(seconds: 0.05), KitRig.item(seconds: 0.15)]
    let sources = SourceLog()
    let player = player(items, sources: sources)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: items)
    #expect(player.items() == items)
    #expect(player.currentItem === items[0])
    player.play()
    #expect(ends.log.wait(count: 3))
    #expect(ends.log.all == items.map { ObjectIdentifier($0) })
    #expect(waitUntil(player, \.currentItem) { $0 == nil })
    #expect(player.items().isEmpty)
    #expect(player.rate == 1)
    #expect(player.reasonForWaitingToPlay == .noItemToPlay)
    #expect(items[1].currentTime().seconds == 0.05)
    let more = KitRig.item(seconds: 0.05)
    let moreEnds = Posts(.AVPlayerItemDidPlayToEndTime, of: [more])
    player.insert(more, after: nil)
    #expect(moreEnds.log.wait(count: 1))
  }

  @Test func aBadItemIsPassedOver() {
    let items = [
      KitRig.item(seconds: 0.1), KitRig.item(seconds: 1, "open=fail"), KitRig.item(seconds: 0.1),
      KitRig.item(seconds: 1, "break=2400"), KitRig.item(seconds: 0.05),
    ]
    let player = player(items)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: items)
    player.play()
    #expect(ends.log.wait(count: 3))
    #expect(ends.log.all == [0, 2, 4].map { ObjectIdentifier(items[$0]) })
    #expect(items.map(\.status) == [.readyToPlay, .failed, .readyToPlay, .failed, .readyToPlay])
  }

  @Test func theQueueIsEdited() {
    let (a, b, c) = (KitRig.item(seconds: 5), KitRig.item(seconds: 5), KitRig.item(seconds: 5))
    let player = player([a, b])
    #expect(!player.canInsert(a, after: nil))
    #expect(!player.canInsert(KitRig.item(seconds: 1), after: c))
    #expect(player.canInsert(c, after: a))
    player.insert(c, after: a)
    #expect(player.items() == [a, c, b])
    player.remove(c)
    #expect(player.items() == [a, b])
    #expect(player.canInsert(c, after: nil))
    player.advanceToNextItem()
    #expect(player.currentItem === b)
    player.replaceCurrentItem(with: c)
    #expect(player.items() == [c])
    player.insert(a, after: nil)
    player.removeAllItems()
    #expect(player.items().isEmpty)
    #expect(player.currentTime() == .zero)
  }

  @Test func itemsStartWhereTheyWereSought() {
    let (a, b) = (KitRig.item(seconds: 1), KitRig.item(seconds: 1))
    for item in [a, b] {
      item.seek(
        to: CMTime(value: 9, timescale: 10), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      #expect(item.currentTime().seconds == 0.9)
    }
    a.forwardPlaybackEndTime = CMTime(value: 95, timescale: 100)
    let player = player([a, b])
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [a, b])
    #expect(player.currentTime().seconds == 0.9)
    let start = SystemClock().now
    player.play()
    #expect(ends.log.wait(count: 2))
    let seconds = SystemClock().now.seconds(since: start)
    #expect(seconds > 0.145 && seconds < 0.8)
    #expect(a.currentTime().seconds == 0.95)
    #expect(b.currentTime().seconds == 1)
  }

  @Test func leavingItemsCloseTheirSources() {
    let sources = SourceLog()
    let player = player([KitRig.item(seconds: 5)], sources: sources)
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    player.replaceCurrentItem(with: KitRig.item(seconds: 5))
    #expect(eventually { sources.areClosed(count: 1) })
  }
}
