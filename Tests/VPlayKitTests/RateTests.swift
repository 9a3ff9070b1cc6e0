import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayTesting

/// Other rates than 1, as heard.
struct RateTests {
  static let tone = 440.0
  static let level = 0.5

  private func tone(seconds: Double, rate: Int, channels: Int = 2) throws -> URL {
    let step = 2 * Double.pi * Self.tone / Double(rate)
    let samples = (0..<Int(seconds * Double(rate)) * channels).map { index -> Int16 in
      let value = sin(step * Double(index / channels)) * Self.level * 32_767
      return Int16(value.rounded())
    }
    return try MediaFixtures.wav(
      "rate-\(seconds)-\(rate)-\(channels).wav", samples: samples, rate: rate, channels: channels)
  }

  /// One channel of what was heard.
  private func heard(_ bench: PlaybackBench) throws -> (samples: [Float], rate: Double) {
    let sound = try #require(bench.heard.last)
    let samples = stride(from: 0, to: sound.samples.count, by: sound.channelCount).map { sound.samples[$0] }
    let end = samples.lastIndex { $0 != 0 } ?? 0
    return (Array(samples[...end]), Double(sound.sampleRate))
  }

  private func frequency(_ samples: ArraySlice<Float>, rate: Double) -> Double {
    var crossings: [Double] = []
    for index in samples.indices.dropFirst() where samples[index - 1] < 0 && samples[index] >= 0 {
      let part = samples[index] / (samples[index] - samples[index - 1])
      crossings.append(Double(index) - Double(part))
    }
    guard let first = crossings.first, let last = crossings.last, crossings.count > 1 else { return 0 }
    return Double(crossings.count - 1) * rate / (last - first)
  }

  /// The largest step between samples, to that of the tone itself.
  private func stepRatio(_ samples: [Float], rate: Double) -> Double {
    let largest = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    let own = 2 * Double.pi * Self.tone / rate * Self.level
    return Double(largest) / own
  }

  private func play(_ file: URL, rate: Float, on bench: PlaybackBench) -> AVPlayer {
    let player = bench.makePlayer()
    player.replaceCurrentItem(with: AVPlayerItem(url: file))
    player.rate = rate
    return player
  }

  @Test(arguments: [0.5, 0.75, 1.25, 1.37, 1.5, 2], [44_100, 48_000])
  func lengthAndPitchAreKept(rate: Float, sampleRate: Int) throws {
    let bench = PlaybackBench()
    let player = play(try tone(seconds: 4, rate: sampleRate), rate: rate, on: bench)
    let length = 4 / Double(rate)
    bench.advance(bySeconds: length - 0.01)
    #expect(player.rate == rate)
    // The output takes blocks of 1024 frames.
    bench.advance(bySeconds: 0.05)
    #expect(player.rate == 0 && player.currentTime().seconds == 4)
    let (samples, own) = try heard(bench)
    #expect(own == Double(sampleRate))
    // Of the last period some may be silent; it is not longer.
    let audible = Double(samples.count) / own - length
    #expect(audible < 0.001 && audible > -0.005, "\(audible)")
    let middle = samples[samples.count / 10..<samples.count * 9 / 10]
    #expect(abs(frequency(middle, rate: own) / Self.tone - 1) < 0.01, "\(frequency(middle, rate: own))")
    #expect(stepRatio(Array(middle), rate: own) < 1.3)
  }

  @Test(arguments: [1, 6]) func othersThanStereoToo(channels: Int) throws {
    let bench = PlaybackBench()
    let player = play(try tone(seconds: 2, rate: 48_000, channels: channels), rate: 1.5, on: bench)
    bench.advance(bySeconds: 3)
    #expect(player.currentTime().seconds == 2)
    let sound = try #require(bench.heard.last)
    #expect(sound.channelCount == channels)
    let samples = try heard(bench).samples
    #expect(abs(Double(samples.count) - 64_000) < 48)
  }

  /// From one rate to the other and back: at the right place, without a click or a hole.
  @Test(arguments: [(1, 1.5), (1, 0.5), (2, 1), (0.75, 1.25)] as [(Float, Float)])
  func aChangeInMidPlayHasNoClick(from first: Float, to second: Float) throws {
    let bench = PlaybackBench()
    let player = play(try tone(seconds: 6, rate: 48_000), rate: first, on: bench)
    bench.advance(bySeconds: 1)
    let before = player.currentTime().seconds
    player.rate = second
    bench.advance(bySeconds: 1)
    let after = player.currentTime().seconds
    // The change is heard a moment after the call.
    let (slow, fast) = (Double(min(first, second)), Double(max(first, second)))
    #expect((slow - 0.01...fast + 0.01).contains(after - before))
    let late = abs(after - before - Double(second))
    #expect(late < 0.1 * (fast - slow) + 0.02)
    player.rate = first
    bench.advance(bySeconds: 12)
    #expect(player.rate == 0 && player.currentTime().seconds == 6)
    let (samples, own) = try heard(bench)
    #expect(stepRatio(samples, rate: own) < 1.3)
    #expect(abs(frequency(samples[...], rate: own) / Self.tone - 1) < 0.01)
    let window = 480
    var quietest = Float.infinity
    for start in stride(from: 0, to: samples.count - window, by: window) {
      quietest = min(quietest, samples[start..<start + window].map { abs($0) }.max() ?? 0)
    }
    #expect(quietest > Float(Self.level) * 0.7)
  }

  @Test func varispeedTakesThePitchAlong() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    let item = AVPlayerItem(url: try tone(seconds: 3, rate: 48_000))
    item.audioTimePitchAlgorithm = .varispeed
    player.replaceCurrentItem(with: item)
    player.rate = 1.5
    bench.advance(bySeconds: 3)
    let (samples, own) = try heard(bench)
    #expect(abs(Double(samples.count) - 96_000) <= 2)
    #expect(abs(frequency(samples[...], rate: own) / Self.tone - 1.5) < 0.001)
  }

  @Test func pausedAndResumedAtAnotherRate() throws {
    let bench = PlaybackBench()
    let player = play(try tone(seconds: 4, rate: 48_000), rate: 1, on: bench)
    bench.advance(bySeconds: 1)
    player.pause()
    bench.advance(bySeconds: 0.5)
    let stood = player.currentTime().seconds
    player.rate = 2
    bench.advance(bySeconds: 0.5)
    #expect(abs(player.currentTime().seconds - stood - 1) < 0.06)
    bench.advance(bySeconds: 2)
    #expect(player.currentTime().seconds == 4)
    #expect(stepRatio(try heard(bench).samples, rate: 48_000) < 1.3)
  }

  @Test func mutedTimeGoesAtTheRateAndJoinsInStep() throws {
    let bench = PlaybackBench()
    let player = bench.makePlayer()
    player.isMuted = true
    player.replaceCurrentItem(with: AVPlayerItem(url: try tone(seconds: 20, rate: 48_000)))
    player.rate = 2
    bench.advance(bySeconds: 1)
    #expect(abs(player.currentTime().seconds - 2) < 0.03)
    player.rate = 0.5
    bench.advance(bySeconds: 2)
    #expect(abs(player.currentTime().seconds - 3) < 0.03)
    player.isMuted = false
    bench.advance(bySeconds: 2)
    #expect(abs(player.currentTime().seconds - 4) < 0.03)
    #expect(bench.openStreamCount == 1)
    #expect(abs(frequency(try heard(bench).samples[24_000...], rate: 48_000) / Self.tone - 1) < 0.01)
  }

  @Test func loopsAndQueuesKeepTheRate() throws {
    let bench = PlaybackBench()
    let player = bench.makeQueuePlayer()
    let looper = AVPlayerLooper(
      player: player, templateItem: AVPlayerItem(url: try tone(seconds: 1, rate: 48_000)), passes: 5)
    player.insert(AVPlayerItem(url: try tone(seconds: 2, rate: 48_000)), after: nil)
    player.rate = 1.25
    bench.advance(bySeconds: 8)
    #expect(player.currentItem == nil)
    let samples = try heard(bench).samples
    #expect(abs(samples.count - 7 * 48_000 * 4 / 5) < 48)
    #expect(stepRatio(samples, rate: 48_000) < 1.3)
    withExtendedLifetime(looper) {}
  }
}
