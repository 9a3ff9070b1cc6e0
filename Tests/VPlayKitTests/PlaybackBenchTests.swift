import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayTesting

/// What a program's own tests rest on.
struct PlaybackBenchTests {
  static let frames = 96_000

  private func noise() throws -> (URL, [Int16]) {
    let samples = MediaFixtures.noise(frames: Self.frames, channels: 2, seed: 7)
    return (try MediaFixtures.wav("bench-noise.wav", samples: samples, rate: 48_000, channels: 2), samples)
  }

  @Test func soundIsHeardAsTheClockIsMoved() throws {
    let (file, samples) = try noise()
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: file))
    player.play()
    bench.advance(bySeconds: 1)
    #expect(bench.elapsedSeconds == 1)
    #expect(abs(player.currentTime().seconds - 1) < 0.03)
    bench.advance(bySeconds: 2)
    #expect(player.currentTime().seconds == 2 && player.rate == 0)
    let heard = try #require(bench.heard.first)
    #expect(heard.sampleRate == 48_000 && heard.channelCount == 2)
    #expect(Array(heard.samples.prefix(samples.count)) == samples.map { Float($0) / 32_768 })
  }

  @Test func mutedPlayersOpenNothing() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.isMuted = true
    player.replaceCurrentItem(with: AVPlayerItem(url: try noise().0))
    player.play()
    bench.advance(bySeconds: 1)
    #expect(bench.openStreamCount == 0 && bench.heard.isEmpty)
    #expect(abs(player.currentTime().seconds - 1) < 0.03)
  }

  @Test func aLoopHasNoSeam() throws {
    let (file, samples) = try noise()
    let bench = PlaybackBench()
    let player = bench.makeQueuePlayer()
    let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: file))
    player.play()
    bench.advance(bySeconds: 5)
    let heard = try #require(bench.heard.first).samples
    let once = samples.map { Float($0) / 32_768 }
    #expect(Array(heard.prefix(2 * once.count)) == once + once)
    withExtendedLifetime(looper) {}
  }

  @Test func equalSoundsHaveEqualDigests() throws {
    let file = try noise().0
    func digest(volume: Float) throws -> String {
      let bench = PlaybackBench()
      let player = bench.makePlayer()
      player.volume = volume
      player.replaceCurrentItem(with: AVPlayerItem(url: file))
      player.play()
      bench.advance(bySeconds: 3)
      return try #require(bench.heard.first).digest
    }
    #expect(try digest(volume: 1) == digest(volume: 1))
    #expect(try digest(volume: 1) != digest(volume: 0.5))
  }

  @Test func aServerThatIsGoneIsWaitedFor() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: try noise().0))
    player.play()
    bench.advance(bySeconds: 0.5)
    bench.setAvailable(false)
    bench.advance(bySeconds: 2)
    let stood = player.currentTime().seconds
    #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate && abs(stood - 0.5) < 0.1)
    bench.setAvailable(true)
    bench.advance(bySeconds: 2)
    #expect(player.currentTime().seconds == 2)
  }
}
