import Foundation
import TestSupport
import Testing
import VPlayModel
import VPlayTesting

@testable import VPlayKit

struct BoundaryObserverTests {
  private func time(_ milliseconds: Int64) -> MediaTime { MediaTime(value: milliseconds, timescale: 1000) }

  @Test func timesArePassedOnce() {
    var schedule = BoundarySchedule(times: [time(500), time(100), time(100), time(300)], at: .zero)
    #expect(schedule.next == time(100))
    #expect(schedule.advance(to: time(99)) == [])
    #expect(schedule.advance(to: MediaTime(value: 99_600, timescale: 1_000_000)) == [time(100)])
    #expect(schedule.advance(to: time(100)) == [])
    #expect(schedule.advance(to: time(700)) == [time(300), time(500)])
    #expect(schedule.next == nil)
  }

  @Test func aJumpPassesNothing() {
    var schedule = BoundarySchedule(times: [time(100), time(300)], at: .zero)
    schedule.jump(to: time(300))
    #expect(schedule.advance(to: time(310)) == [] && schedule.next == nil)
    schedule.jump(to: time(50))
    #expect(schedule.next == time(100))
    #expect(schedule.advance(to: time(120)) == [time(100)])
    // Back without a word, as by a loop whose jump is still to be told.
    #expect(schedule.advance(to: time(20)) == [])
    #expect(schedule.advance(to: time(400)) == [time(100), time(300)])
  }

  /// At the heard time, in order, at another rate, and after a seek back once more.
  @Test func aPlayerCallsAtTheHeardTime() throws {
    let file = try MediaFixtures.wav(
      "bounds.wav", samples: MediaFixtures.noise(frames: 48_000, channels: 2), rate: 48_000, channels: 2)
    let player = AVPlayer()
    player.audioOutput = .null
    player.replaceCurrentItem(with: AVPlayerItem(url: file))
    let heard = Log<Double>()
    let times = [0.2, 0.4, 0.6].map { NSValue(time: CMTime(seconds: $0, preferredTimescale: 1000)) }
    let token = player.addBoundaryTimeObserver(forTimes: times, queue: DispatchQueue(label: "test.bounds")) {
      heard.add(player.currentTime().seconds)
    }
    #expect(waitUntil(player, \.currentItem?.status) { $0 == .readyToPlay })
    player.rate = 2
    #expect(waitUntil(player, \.rate, seconds: 20) { $0 == 0 })
    #expect(heard.wait(count: 3) && heard.count == 3)
    // A busy machine calls late, but never early.
    for (time, wanted) in zip(heard.all, [0.2, 0.4, 0.6]) { #expect(time >= wanted - 0.002) }
    player.seek(to: CMTime(seconds: 0.5, preferredTimescale: 1000), toleranceBefore: .zero, toleranceAfter: .zero)
    player.play()
    #expect(heard.wait(count: 4))
    player.removeTimeObserver(token)
    #expect(waitUntil(player, \.rate, seconds: 20) { $0 == 0 })
    #expect(heard.count == 4)
  }

  @Test func noTimesCallNobody() {
    let player = AVPlayer()
    let token = player.addBoundaryTimeObserver(forTimes: [], queue: nil) {}
    player.removeTimeObserver(token)
  }
}
