import Foundation
import Testing
import VPlayKit
import VPlayModel

/// The player on its engine.
@Suite(.serialized) struct PlaybackTests {
  @Test("one end a play, B29") func playsToTheEndOnce() throws {
    let player = KitRig.player(seconds: 0.3)
    let item = try #require(player.currentItem)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    #expect(player.timeControlStatus == .paused)
    player.play()
    #expect(player.rate == 1)
    #expect(player.timeControlStatus != .paused)
    #expect(ends.log.wait(count: 1))
    #expect(item.status == .readyToPlay)
    #expect(player.rate == 0)
    #expect(player.timeControlStatus == .paused)
    #expect(player.currentTime() == item.duration)
    #expect(item.duration == CMTime(value: 14_400, timescale: 48_000))
    player.play()
    #expect(player.rate == 0)
    player.seek(to: .zero)
    #expect(player.currentTime() == .zero)
    player.play()
    #expect(ends.log.wait(count: 2))
    #expect(player.currentTime() == item.duration)
    #expect(ends.log.count == 2)
  }

  @Test("a seek in a pause: the time from the call on, completions in order, B31") func seekWhilePaused() {
    let player = KitRig.player(seconds: 20)
    player.seek(to: CMTime(value: 2, timescale: 1))
    let answers = Log<Bool>()
    player.seek(to: CMTime(seconds: 10, preferredTimescale: 600)) { answers.add($0) }
    #expect(player.currentTime().seconds == 10)
    #expect(answers.wait(count: 1))
    #expect(answers.all == [true])
    for _ in 0..<200 where player.currentTime().seconds != 10 { Issue.record("\(player.currentTime())") }
    #expect(player.rate == 0)
    let order = Log<String>()
    // On the queue that the handlers wait for: none is told before the last seek.
    DispatchQueue.main.sync {
      player.seek(to: CMTime(value: 4, timescale: 1)) { order.add("4 \($0)") }
      player.seek(to: CMTime(value: 15, timescale: 1)) { order.add("15 \($0)") }
      player.seek(to: CMTime(value: 6, timescale: 1)) { order.add("6 \($0)") }
    }
    #expect(player.currentTime().seconds == 6)
    #expect(order.wait(count: 3))
    #expect(player.currentTime().seconds == 6)
    #expect(order.all == ["4 false", "15 false", "6 true"])
  }

  @Test(
    "a seek past an end, or before the start, B34", arguments: [(20.0, 20.0), (25, 20), (1e9, 20), (-5, 0), (3, 3)])
  func seekIsClamped(target: Double, result: Double) {
    let player = KitRig.player(seconds: 20)
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    let answers = Log<Bool>()
    player.seek(to: CMTime(seconds: target, preferredTimescale: 1000)) { answers.add($0) }
    #expect(waitUntil(player, \.currentItem?.duration) { $0 == CMTime(value: 20, timescale: 1) })
    #expect(player.currentTime().seconds == result)
    #expect(answers.wait(count: 1))
    #expect(answers.all == [true])
    #expect(player.currentTime().seconds == result)
  }

  @Test(
    "a seek to what is no number, B34",
    arguments: [
      CMTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity,
      CMTime(seconds: .nan, preferredTimescale: 1),
    ])
  func seekToNoNumberIsRefused(time: CMTime) {
    let player = KitRig.player(seconds: 20)
    player.seek(to: CMTime(value: 5, timescale: 1))
    let answers = Log<Bool>()
    player.seek(to: time) { answers.add($0) }
    #expect(answers.wait(count: 1))
    #expect(answers.all == [false])
    #expect(player.currentTime().seconds == 5)
  }

  @Test("sought to the end in mid-play: one end, B29, B34") func seekToTheEndWhilePlayingEndsOnce() throws {
    let player = KitRig.player(seconds: 20)
    let item = try #require(player.currentItem)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    player.seek(to: CMTime(value: 25, timescale: 1))
    #expect(ends.log.wait(count: 1))
    #expect(player.currentTime().seconds == 20)
    player.seek(to: CMTime(seconds: 19.9, preferredTimescale: 600))
    player.play()
    #expect(ends.log.wait(count: 2))
    #expect(player.currentTime().seconds == 20)
  }

  @Test("sought to the end in a pause: it rests there, B34") func seekToTheEndWhilePausedRests() throws {
    let player = KitRig.player(seconds: 20)
    let item = try #require(player.currentItem)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    let answers = Log<Bool>()
    player.seek(to: CMTime(value: 25, timescale: 1)) { answers.add($0) }
    #expect(answers.wait(count: 1))
    #expect(player.currentTime().seconds == 20)
    #expect(ends.log.count == 0)
    player.play()
    #expect(ends.log.wait(count: 1))
    player.seek(to: CMTime(value: 5, timescale: 1)) { answers.add($0) }
    #expect(answers.wait(count: 2))
    #expect(answers.all == [true, true])
    #expect(player.currentTime().seconds == 5)
  }

  @Test func unknownLength() {
    let player = KitRig.player(seconds: 0.2, "length=unknown&seekable=no")
    let item = player.currentItem
    #expect(item?.duration.isIndefinite == true)
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    let answers = Log<Bool>()
    player.seek(to: item?.duration ?? .zero) { answers.add($0) }
    player.seek(to: CMTime(value: 1, timescale: 10)) { answers.add($0) }
    #expect(answers.wait(count: 2))
    #expect(answers.all == [false, false])
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    #expect(waitUntil(player, \.rate) { $0 == 0 })
    #expect(abs(player.currentTime().seconds - 0.2) < 0.001)
  }

  @Test func aMissingItemFails() throws {
    let player = KitRig.player(seconds: 1, "open=fail")
    let item = try #require(player.currentItem)
    player.play()
    #expect(waitUntil(item, \.status) { $0 == .failed })
    let error = try #require(item.error as? AVError)
    #expect(error.code == .contentIsUnavailable)
    #expect((error.underlyingError as NSError?)?.code == -2)
    #expect(player.rate == 0)
    #expect(player.currentItem === item)
    player.play()
    #expect(player.rate == 0)
  }

  @Test func aBrokenItemIsToldInMidPlay() throws {
    let player = KitRig.player(seconds: 1, "break=9600")
    let item = try #require(player.currentItem)
    let failures = Posts(.AVPlayerItemFailedToPlayToEndTime, of: [item])
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    player.play()
    #expect(failures.log.wait(count: 1))
    #expect(item.status == .failed)
    #expect(ends.log.count == 0)
  }

  @Test("replaced in mid-play: no end of the old item, B29") func replacingInMidPlay() throws {
    let player = KitRig.player(seconds: 0.5)
    let old = try #require(player.currentItem)
    let new = KitRig.item(seconds: 0.2)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [old, new])
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    player.replaceCurrentItem(with: new)
    #expect(player.currentItem === new)
    #expect(ends.log.wait(count: 1))
    #expect(ends.log.all == [ObjectIdentifier(new)])
    #expect(player.currentTime().seconds == 0.2)
  }

  @Test("stopped in mid-play, or taken away: no end, B29", arguments: [true, false])
  func stoppedInMidPlay(isTakenAway: Bool) throws {
    let player = KitRig.player(seconds: 0.5)
    let item = try #require(player.currentItem)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    if isTakenAway { player.replaceCurrentItem(with: nil) } else { player.pause() }
    // Another player, started later, plays longer than that one had left.
    let other = KitRig.player(seconds: 0.7)
    let others = Posts(.AVPlayerItemDidPlayToEndTime, of: [try #require(other.currentItem)])
    other.play()
    #expect(others.log.wait(count: 1))
    #expect(ends.log.count == 0)
  }

  @Test func pausedTimeStands() {
    let player = KitRig.player(seconds: 5)
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    player.pause()
    #expect(player.timeControlStatus == .paused)
    #expect(player.rate == 0)
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    #expect(player.currentTime().seconds < 1)
  }

  @Test func oneItemOnePlayer() {
    let one = KitRig.player(seconds: 1)
    let two = AVPlayer(environment: KitRig.environment())
    two.replaceCurrentItem(with: one.currentItem)
    #expect(two.currentItem == nil)
    let item = one.currentItem
    one.replaceCurrentItem(with: nil)
    #expect(one.currentItem == nil)
    two.replaceCurrentItem(with: item)
    #expect(two.currentItem === item)
  }
}
