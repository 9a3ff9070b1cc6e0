import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayTesting

/// Starts at an instant of the host's clock.
struct StartTests {
  private func noise() throws -> (URL, [Float]) {
    let samples = MediaFixtures.noise(frames: 96_000, channels: 2, seed: 9)
    let file = try MediaFixtures.wav("start-noise.wav", samples: samples, rate: 48_000, channels: 2)
    return (file, samples.map { Float($0) / 32_768 })
  }

  private func after(_ seconds: Double, on bench: PlaybackBench) -> CMTime {
    bench.hostTime + CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
  }

  @Test func itBeginsThenWithItsFirstFrame() throws {
    let (file, samples) = try noise()
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: file))
    bench.advance(bySeconds: 0.1)
    player.setRate(1, time: .zero, atHostTime: after(2, on: bench))
    bench.advance(bySeconds: 1.5)
    #expect(player.currentTime() == .zero)
    bench.advance(bySeconds: 1.5)
    #expect(abs(player.currentTime().seconds - 1) < 0.005, "\(player.currentTime().seconds)")
    bench.advance(bySeconds: 2)
    #expect(player.rate == 0 && player.currentTime().seconds == 2)
    let heard = try #require(bench.heard.last).samples
    let first = try #require(heard.firstIndex { $0 != 0 }) & ~1
    #expect(Array(heard[first...].prefix(samples.count)) == samples)
  }

  @Test func fromAPlaceAndAtARate() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: try noise().0))
    player.play()
    bench.advance(bySeconds: 0.3)
    player.setRate(
      2, time: CMTime(value: 1, timescale: 1), atHostTime: after(0.5, on: bench))
    bench.advance(bySeconds: 0.75)
    #expect(abs(player.currentTime().seconds - 1.5) < 0.01, "\(player.currentTime().seconds)")
  }

  @Test func whatIsLateIsWhereItWouldBe() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: try noise().0))
    bench.advance(bySeconds: 0.1)
    player.setRate(1, time: .zero, atHostTime: after(-0.5, on: bench))
    bench.advance(bySeconds: 0.5)
    #expect(abs(player.currentTime().seconds - 1) < 0.01, "\(player.currentTime().seconds)")
  }

  @Test func anInvalidInstantIsAtOnce() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: try noise().0))
    player.setRate(1, time: CMTime(value: 1, timescale: 2), atHostTime: .invalid)
    bench.advance(bySeconds: 0.5)
    #expect(abs(player.currentTime().seconds - 1) < 0.05)
  }
}
