import Foundation
import Testing
import TestSupport
import VPlayKit
import VPlayModel

/// Calls in storms, from several threads.
@Suite(.serialized) struct StressTests {
  @Test("storms of seeks and replacements, B36", arguments: [1, 4])
  func seeksAndReplacements(threads: Int) throws {
    let player = KitRig.player(seconds: 20)
    player.play()
    let answers = Log<Bool>()
    let slowest = Log<Double>()
    let clock = SystemClock()
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      var random = SeededGenerator(seed: UInt64(thread))
      for _ in 0..<500 / threads {
        let start = clock.now
        let isNearEnd = Int.random(in: 0..<5, using: &random) == 0
        let seconds = isNearEnd ? Double.random(in: 19.95...20.05, using: &random) : .random(in: 0...20, using: &random)
        player.seek(
          to: CMTime(seconds: seconds, preferredTimescale: 48_000), toleranceBefore: .zero, toleranceAfter: .zero
        ) { answers.add($0) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: player.pause()
        case 1: player.play()
        case 2: player.volume = .random(in: 0...1, using: &random)
        case 3: player.isMuted.toggle()
        case 4, 5: player.replaceCurrentItem(with: KitRig.item(seconds: 20))
        default: _ = player.currentTime()
        }
        slowest.add(clock.now.seconds(since: start))
      }
    }
    #expect(answers.wait(count: 500 / threads * threads))
    #expect((slowest.all.max() ?? 0) < 0.2)
    player.isMuted = false
    player.play()
    let after = Log<Bool>()
    player.seek(to: CMTime(value: 5, timescale: 1)) { after.add($0) }
    player.play()
    #expect(after.wait(count: 1))
    #expect(after.all == [true])
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    let time = player.currentTime().seconds
    #expect(time >= 5 && time < 8)
  }

  @Test func pausesEndInTheLastStateAsked() {
    let player = KitRig.player(seconds: 60)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<100 {
      let mustPlay = Bool.random(using: &random)
      mustPlay ? player.play() : player.pause()
      if Int.random(in: 0..<10, using: &random) == 0 {
        #expect(waitUntil(player, \.timeControlStatus) { $0 == (mustPlay ? .playing : .paused) })
      }
    }
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    player.pause()
    let time = player.currentTime()
    #expect(player.timeControlStatus == .paused)
    #expect(time.seconds < 30)
  }

  @Test func fourThreadsCallEverything() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    for _ in 0..<4 { player.insert(KitRig.item(seconds: 0.2), after: nil) }
    player.play()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      var random = SeededGenerator(seed: 100 + UInt64(thread))
      var tokens: [Any] = []
      for _ in 0..<300 {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: player.pause()
        case 1, 2: player.play()
        case 3: player.insert(KitRig.item(seconds: 0.05), after: player.currentItem)
        case 4: player.advanceToNextItem()
        case 5: player.currentItem.map(player.remove)
        case 6: player.currentItem?.seek(to: CMTime(value: 1, timescale: 100), completionHandler: nil)
        case 7: player.currentItem?.forwardPlaybackEndTime = CMTime(value: 4, timescale: 100)
        case 8: player.actionAtItemEnd = [.advance, .pause, .none].randomElement(using: &random) ?? .pause
        case 9:
          tokens.append(
            player.addPeriodicTimeObserver(
              forInterval: CMTime(value: 1, timescale: 500), queue: DispatchQueue.global()
            ) { _ in })
        case 10: if let token = tokens.popLast() { player.removeTimeObserver(token) }
        case 11:
          let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 0.03), passes: 3)
          looper.disableLooping()
        case 12: withExtendedLifetime(player.observe(\.currentItem?.status) { _, _ in }) {}
        default: _ = (player.items(), player.rate, player.timeControlStatus, player.currentTime())
        }
      }
    }
    player.removeAllItems()
    player.actionAtItemEnd = .advance
    let last = KitRig.item(seconds: 0.05)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [last])
    player.insert(last, after: nil)
    player.play()
    #expect(ends.log.wait(count: 1))
  }
}
