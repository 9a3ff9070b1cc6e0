import Foundation
import Testing
import VPlayKit
import VPlayModel

/// Loops on the engine.
@Suite(.serialized) struct LooperTests {
  @Test("an end a pass, each with its item, B27, B29") func passesAreCountedExactly() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 0.03), passes: 7)
    let items = looper.loopingPlayerItems
    #expect(items.count == 3)
    #expect(player.items() == items)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: items)
    player.play()
    #expect(ends.log.wait(count: 7))
    #expect(waitUntil(player, \.currentItem) { $0 == nil })
    #expect(ends.log.all == [0, 1, 2, 0, 1, 2, 0].map { ObjectIdentifier(items[$0]) })
    #expect(looper.loopCount == 7)
    #expect(looper.status == .ready)
  }

  @Test func loopsForEverUntilDisabled() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let after = KitRig.item(seconds: 0.05)
    player.insert(after, after: nil)
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 0.05))
    #expect(player.currentItem === looper.loopingPlayerItems[0])
    #expect(player.items().last === after)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [after])
    player.play()
    #expect(waitUntil(looper, \.loopCount) { $0 >= 4 })
    #expect(ends.log.count == 0)
    looper.disableLooping()
    #expect(looper.status == .cancelled)
    #expect(ends.log.wait(count: 1))
    #expect(looper.loopCount >= 5)
  }

  @Test func aRangeIsLooped() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: CMTime(value: 1, timescale: 20))
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 5), timeRange: range, passes: 3)
    #expect(player.currentTime().seconds == 1)
    let start = SystemClock().now
    player.play()
    #expect(waitUntil(looper, \.loopCount) { $0 == 3 })
    #expect(SystemClock().now.seconds(since: start) < 1)
  }

  @Test func anEmptyRangeFails() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let range = CMTimeRange(start: CMTime(value: 1, timescale: 1), duration: .zero)
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 5), timeRange: range)
    #expect(looper.status == .failed)
    #expect(looper.error is AVError)
    #expect(player.items().isEmpty)
  }

  @Test func aMissingMediumFails() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 5, "open=fail"))
    #expect(waitUntil(looper, \.status) { $0 == .failed })
    #expect((looper.error as? AVError)?.code == .contentIsUnavailable)
  }

  @Test func droppingTheLooperEndsTheLoop() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    var looper: AVPlayerLooper? = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 0.05))
    player.play()
    #expect(looper.map { waitUntil($0, \.loopCount) { $0 >= 2 } } == true)
    looper = nil
    #expect(waitUntil(player, \.currentItem) { $0 == nil })
  }
}
