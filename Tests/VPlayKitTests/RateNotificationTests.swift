import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel
import VPlayTesting

/// What is told of a rate's change, and of what is there to be played.
struct RateNotificationTests {
  @Test func theReasonIsTold() throws {
    let file = try MediaFixtures.wav(
      "reason.wav", samples: MediaFixtures.noise(frames: 96_000, channels: 2), rate: 48_000, channels: 2)
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    let reasons = Log<AVPlayer.RateDidChangeReason>()
    let token = NotificationCenter.default.addObserver(
      forName: AVPlayer.rateDidChangeNotification, object: player, queue: nil
    ) { note in
      if let reason = note.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason {
        reasons.add(reason)
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    player.replaceCurrentItem(with: AVPlayerItem(url: file))
    player.play()
    bench.advance(bySeconds: 0.5)
    #expect(reasons.wait(count: 1) && reasons.all == [.setRateCalled])
    bench.setInterrupted(true)
    bench.advance(bySeconds: 0.1)
    #expect(reasons.wait(count: 2) && reasons.all == [.setRateCalled, .audioSessionInterrupted])
    #expect(player.rate == 0)
  }

  @Test func aFileIsThereAsAWhole() throws {
    let file = try MediaFixtures.wav(
      "ranges.wav", samples: MediaFixtures.noise(frames: 96_000, channels: 2), rate: 48_000, channels: 2)
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    let item = AVPlayerItem(url: file)
    #expect(item.loadedTimeRanges.isEmpty && item.seekableTimeRanges.isEmpty)
    player.replaceCurrentItem(with: item)
    bench.advance(bySeconds: 0.1)
    let whole = CMTimeRange(start: .zero, duration: CMTime(value: 2, timescale: 1))
    #expect(item.loadedTimeRanges.map(\.timeRangeValue) == [whole])
    #expect(item.seekableTimeRanges.map(\.timeRangeValue) == [whole])
  }
}
