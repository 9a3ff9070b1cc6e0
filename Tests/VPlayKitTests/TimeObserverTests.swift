import Foundation
import Testing
@testable import VPlayKit
import VPlayModel

/// When periodic observers are called.
@Suite struct PeriodicScheduleTests {
  private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

  @Test func multiplesAreReachedOnce() {
    var schedule = PeriodicSchedule(interval: time(100), at: .zero)
    #expect(schedule.next == time(100))
    #expect(schedule.advance(to: time(99)) == [])
    #expect(schedule.advance(to: MediaTime(value: 99_600, timescale: 1_000_000)) == [time(100)])
    #expect(schedule.advance(to: time(100)) == [])
    #expect(schedule.advance(to: time(350)) == [time(200), time(300)])
    #expect(schedule.next == time(400))
  }

  @Test func jumpsTellTheirTime() {
    var schedule = PeriodicSchedule(interval: time(100), at: time(250))
    #expect(schedule.next == time(300))
    #expect(schedule.jump(to: time(40)) == [time(40)])
    #expect(schedule.next == time(100))
    #expect(schedule.jump(to: time(900)) == [time(900)])
    #expect(schedule.next == time(1000))
  }

  @Test func startsAndStopsTellMultiplesOnce() {
    var schedule = PeriodicSchedule(interval: time(100), at: .zero)
    #expect(schedule.startOrStop(at: .zero) == [.zero])
    #expect(schedule.startOrStop(at: time(200)) == [time(100), time(200)])
    #expect(schedule.startOrStop(at: time(230)) == [time(230)])
    #expect(schedule.startOrStop(at: time(230)) == [time(230)])
    #expect(schedule.advance(to: time(300)) == [time(300)])
    #expect(schedule.startOrStop(at: MediaTime(value: 3003, timescale: 10_000)) == [])
    #expect(schedule.jump(to: time(300)) == [time(300)])
    #expect(schedule.startOrStop(at: MediaTime(value: 3003, timescale: 10_000)) == [time(300)])
  }

  @Test(arguments: [nil, MediaTime.zero, MediaTime(value: -1, timescale: 1)])
  func noIntervalHasNoMultiples(interval: MediaTime?) {
    var schedule = PeriodicSchedule(interval: interval, at: .zero)
    #expect(schedule.next == nil)
    #expect(schedule.advance(to: time(10_000)) == [])
    #expect(schedule.jump(to: time(5)) == [time(5)])
  }

  @Test func timeThatWentBackIsFollowed() {
    var schedule = PeriodicSchedule(interval: time(100), at: time(250))
    #expect(schedule.advance(to: time(20)) == [])
    #expect(schedule.advance(to: time(100)) == [time(100)])
  }

  @Test func hugeTimesDoNotTrap() {
    var schedule = PeriodicSchedule(interval: MediaTime(value: 1, timescale: .max), at: .zero)
    #expect(schedule.advance(to: MediaTime(value: .max, timescale: 1)).count == 100)
    var long = PeriodicSchedule(interval: MediaTime(value: .max, timescale: 1), at: time(1))
    #expect(long.advance(to: time(5)) == [])
    #expect(long.next == MediaTime(value: .max, timescale: 1))
  }
}

/// Periodic observers on a playing player.
@Suite(.serialized) struct TimeObserverTests {
  private let interval = CMTime(value: 1, timescale: 10)

  @Test func everyMultipleIsToldAtItsTime() {
    let player = KitRig.player(seconds: 0.5)
    let log = Log<Double>()
    let late = Log<Double>()
    let observer = player.addPeriodicTimeObserver(
      forInterval: interval, queue: DispatchQueue(label: "test.observer")
    ) { [weak player] time in
      log.add(time.seconds)
      if let player { late.add(player.currentTime().seconds - time.seconds) }
    }
    player.play()
    #expect(log.wait { $0.last == 0.5 })
    // The start is told as it was heard, the multiples as such.
    #expect(log.all.dropFirst() == [0.1, 0.2, 0.3, 0.4, 0.5])
    #expect(log.all.first.map { $0 < 0.1 } == true)
    #expect(late.all.allSatisfy { $0 > -0.005 })
    player.removeTimeObserver(observer)
  }

  @Test func seeksAndStopsAreTold() {
    let player = KitRig.player(seconds: 20)
    let log = Log<Double>()
    let observer = player.addPeriodicTimeObserver(
      forInterval: CMTime(value: 100, timescale: 1), queue: DispatchQueue(label: "test.observer")
    ) { log.add($0.seconds) }
    player.play()
    #expect(log.wait(count: 1))
    player.seek(to: CMTime(value: 10, timescale: 1))
    #expect(log.wait { ($0.last ?? 0) >= 10 })
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    let count = log.count
    player.pause()
    #expect(log.wait(count: count + 1))
    withExtendedLifetime(observer) {}
  }

  @Test func loopsStartAnew() {
    let player = AVQueuePlayer(environment: KitRig.environment())
    let looper = AVPlayerLooper(player: player, templateItem: KitRig.item(seconds: 0.25), passes: 3)
    let log = Log<Double>()
    let observer = player.addPeriodicTimeObserver(
      forInterval: interval, queue: DispatchQueue(label: "test.observer")
    ) { log.add($0.seconds) }
    player.play()
    #expect(waitUntil(looper, \.loopCount) { $0 == 3 })
    #expect(log.all.filter { $0 == 0.1 }.count == 3, "\(log.all)")
    #expect(log.all.filter { $0 == 0.2 }.count == 3)
    withExtendedLifetime(observer) {}
  }

  @Test("removed observers are silent, foreign tokens are ignored, B40") func removedObserversAreSilent() {
    let player = KitRig.player(seconds: 20)
    let other = KitRig.player(seconds: 20)
    let queue = DispatchQueue(label: "test.observer")
    let log = Log<Double>()
    let short = CMTime(value: 1, timescale: 200)
    let observer = player.addPeriodicTimeObserver(forInterval: short, queue: queue) { log.add($0.seconds) }
    other.removeTimeObserver(observer)
    other.removeTimeObserver("no observer")
    player.play()
    #expect(log.wait(count: 5))
    queue.sync { player.removeTimeObserver(observer) }
    let count = log.count
    player.removeTimeObserver(observer)
    let second = Log<Double>()
    var dropped: Any? = player.addPeriodicTimeObserver(forInterval: short, queue: queue) { second.add($0.seconds) }
    #expect(second.wait(count: 5))
    queue.sync { dropped = nil }
    let secondCount = second.count
    let third = Log<Double>()
    let last = player.addPeriodicTimeObserver(forInterval: short, queue: queue) { third.add($0.seconds) }
    #expect(third.wait(count: 10))
    #expect(log.count == count)
    #expect(second.count == secondCount)
    withExtendedLifetime((last, dropped)) {}
  }
}
