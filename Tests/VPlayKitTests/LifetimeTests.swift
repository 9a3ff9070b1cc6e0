import Foundation
import Testing
import VPlayKit
import VPlayModel

/// What is left when a player goes, and who is called where.
@Suite(.serialized) struct LifetimeTests {
  @Test("dropped in mid-play: gone, and nobody is called, B40") func aDroppedPlayerIsGone() throws {
    let sources = SourceLog()
    var player: AVPlayer? = AVPlayer(environment: KitRig.environment(sources: sources))
    player?.replaceCurrentItem(with: KitRig.item(seconds: 20))
    weak let weakPlayer = player
    let queue = DispatchQueue(label: "test.observer")
    let log = Log<Double>()
    let token = player?.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 100), queue: queue) {
      log.add($0.seconds)
    }
    player?.play()
    #expect(log.wait(count: 3))
    let answers = Log<Bool>()
    player?.seek(to: CMTime(value: 5, timescale: 1)) { answers.add($0) }
    queue.sync { player = nil }
    let count = log.count
    #expect(weakPlayer == nil)
    #expect(answers.wait(count: 1))
    #expect(eventually { sources.areClosed(count: 1) })
    #expect(log.count == count)
    #expect(answers.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test func aHandlerMayDropThePlayer() {
    final class Owner: Sendable {
      let player = Monitor<AVPlayer?>(nil)
    }
    let owner = Owner()
    let done = Log<Bool>()
    var player: AVPlayer? = KitRig.player(seconds: 5)
    weak let weakPlayer = player
    owner.player.withLock { $0 = player }
    let observation = player?.observe(\.timeControlStatus, options: .new) { player, change in
      guard change.newValue == .playing else { return }
      player.seek(to: CMTime(value: 1, timescale: 1))
      player.pause()
      player.replaceCurrentItem(with: nil)
      let last = owner.player.withLock { held -> AVPlayer? in
        defer { held = nil }
        return held
      }
      withExtendedLifetime(last) {}
      done.add(true)
    }
    player?.play()
    player = nil
    #expect(done.wait(count: 1))
    #expect(eventually { weakPlayer == nil })
    withExtendedLifetime(observation) {}
  }

  @Test func callsReportBeforeTheyReturn() {
    let player = KitRig.player(seconds: 5)
    let log = Log<String>()
    let thread = ObjectIdentifier(Thread.current)
    let observations = [
      player.observe(\.rate, options: .new) { _, change in
        log.add("rate \(change.newValue ?? -1) \(ObjectIdentifier(Thread.current) == thread)")
      },
      player.observe(\.timeControlStatus, options: [.new, .old]) { _, change in
        if change.newValue == .paused { log.add("paused \(ObjectIdentifier(Thread.current) == thread)") }
      },
      player.observe(\.volume, options: [.new, .old]) { _, change in
        log.add("volume \(change.oldValue ?? -1) \(change.newValue ?? -1)")
      },
    ]
    player.play()
    #expect(log.all.contains("rate 1.0 true"))
    player.pause()
    #expect(log.all.suffix(2).sorted() == ["paused true", "rate 0.0 true"])
    player.volume = 0.5
    #expect(log.all.last == "volume 1.0 0.5")
    withExtendedLifetime(observations) {}
  }

  @Test func playbackReportsOnTheMainQueue() {
    let player = AVPlayer(environment: KitRig.environment())
    let item = KitRig.item(seconds: 0.1)
    let log = Log<Bool>()
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let observation = item.observe(\.status, options: .new) { _, change in
      if change.newValue == .readyToPlay { log.add(DispatchQueue.getSpecific(key: key) == true) }
    }
    player.replaceCurrentItem(with: item)
    #expect(log.wait(count: 1))
    #expect(log.all == [true])
    withExtendedLifetime(observation) {}
    // With the main thread blocked playback goes on to its end.
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    let isBlocked = Log<Bool>()
    let release = DispatchSemaphore(value: 0)
    DispatchQueue.main.async {
      isBlocked.add(true)
      release.wait()
    }
    #expect(isBlocked.wait(count: 1))
    player.play()
    #expect(ends.log.wait(count: 1))
    release.signal()
  }

  @Test func observationsFollowKeyPaths() {
    let player = AVPlayer(environment: KitRig.environment())
    let log = Log<String>()
    var observation: NSKeyValueObservation? = player.observe(
      \.currentItem?.duration.seconds, options: [.initial, .new]
    ) { _, change in
      log.add(change.newValue.flatMap { $0 }.map { $0.isNaN ? "nan" : "\($0)" } ?? "nil")
    }
    #expect(log.all == ["nil"])
    player.replaceCurrentItem(with: KitRig.item(seconds: 2))
    #expect(log.wait { $0.last == "2.0" })
    player.replaceCurrentItem(with: nil)
    #expect(log.all.last == "nil")
    observation?.invalidate()
    let count = log.count
    player.replaceCurrentItem(with: KitRig.item(seconds: 2))
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    #expect(log.count == count)
    observation = nil
    withExtendedLifetime(observation) {}
  }

  @Test func fiveHundredPlayers() {
    for _ in 0..<500 {
      let player = KitRig.player(seconds: 5)
      let token = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 100), queue: DispatchQueue(label: "test.observer")
      ) { _ in }
      player.play()
      player.seek(to: CMTime(value: 1, timescale: 1))
      withExtendedLifetime(token) {}
    }
  }

  @Test func asyncSeeks() async {
    let player = KitRig.player(seconds: 5)
    #expect(await player.seek(to: CMTime(value: 2, timescale: 1)))
    #expect(player.currentTime().seconds == 2)
    #expect(await player.seek(to: .invalid) == false)
    #expect(await player.currentItem?.seek(to: CMTime(value: 3, timescale: 1)) == true)
    #expect(player.currentTime().seconds == 3)
  }
}
