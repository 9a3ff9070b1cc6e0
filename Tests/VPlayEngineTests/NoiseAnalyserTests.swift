import TestSupport
import Testing
import VPlayEngine

@Suite struct NoiseAnalyserTests {
  /// What is heard of a medium under a gain, on a grid of 16 bits if asked.
  private func render(_ noise: NoiseMedia, from frame: Int64, count: Int, _ gain: GainSchedule, grid: Bool) -> [Float] {
    var samples = noise.floats(fromFrame: frame, count: count)
    samples.withUnsafeMutableBufferPointer { gain.apply(to: $0, channels: noise.channels, from: 0) }
    return grid ? samples.map { ($0 * 32_768).rounded() / 32_768 } : samples
  }

  @Test(arguments: [1, 2, 6], [false, true]) func tellsEachFrameInAndOutOfRamps(channels: Int, grid: Bool) {
    let noise = NoiseMedia(channels: channels, offset: 5_000_000)
    var analyser = NoiseAnalyser(noise: noise, mediaFrames: 0..<100_000, levels: [1, 0.5])
    if grid { analyser.quantum = 1 / 32_768 }
    var fade = GainSchedule(gain: 1)
    fade.change(to: 0.5, at: 500, overFrames: 240)
    fade.change(to: 0, at: 1500, overFrames: 240)
    var rise = GainSchedule(gain: 0)
    rise.change(to: 0.5, at: 0, overFrames: 240)
    let silence = [Float](repeating: 0, count: 300 * channels)
    let capture =
      silence + render(noise, from: 40, count: 1740, fade, grid: grid) + silence
      + render(noise, from: 1540, count: 2000, rise, grid: grid)
      + render(noise, from: 90_000, count: 500, GainSchedule(gain: 1), grid: grid)
      + render(noise, from: 90_501, count: 500, GainSchedule(gain: 1), grid: grid)
    let runs = analyser.runs(in: capture)
    #expect(runs.filter { $0.origin == .unknown }.isEmpty)
    let heard = runs.compactMap(\.media)
    #expect(heard.count == 4)
    // The frames at gain 0, and on a grid those near it, cannot be told from silence.
    let slack: Int64 = grid ? 8 : 1
    let expected: [Range<Int64>] = [40..<1780, 1540..<3540, 90_000..<90_500, 90_501..<91_001]
    for (range, expected) in zip(heard, expected) {
      #expect(
        abs(range.lowerBound - expected.lowerBound) <= slack && abs(range.upperBound - expected.upperBound) <= slack)
    }
    #expect(heard.last == 90_501..<91_001)
  }

  @Test func aFrameLostDoubledOrSwappedIsSeen() {
    let noise = NoiseMedia()
    let analyser = NoiseAnalyser(noise: noise, mediaFrames: 0..<10_000)
    let whole = noise.floats(fromFrame: 0, count: 3000)
    var lost = whole
    lost.removeSubrange(2000..<2002)
    #expect(analyser.runs(in: lost).compactMap(\.media) == [0..<1000, 1001..<3000])
    var doubled = whole
    doubled.insert(contentsOf: whole[2000..<2002], at: 2000)
    #expect(analyser.runs(in: doubled).compactMap(\.media) == [0..<1001, 1000..<3000])
    var swapped = whole
    swapped.swapAt(2000, 2001)
    #expect(analyser.runs(in: swapped).map(\.origin) == [.media(0), .unknown, .media(1001)])
    #expect(analyser.runs(in: whole).map(\.description) == ["0: media from 0, 3000, gain 1.0…1.0"])
  }

  @Test func mediaAreToldApartByTheirOffsets() {
    let (a, b) = (NoiseMedia(offset: 0), NoiseMedia(offset: 1 << 24))
    let analyser = NoiseAnalyser(noise: a, mediaFrames: 0..<1_000_000)
    #expect(analyser.runs(in: b.floats(fromFrame: 0, count: 1000)).map(\.origin) == [.unknown])
    #expect(a.samples(ofFrame: 1 << 24) == b.samples(ofFrame: 0))
  }
}
