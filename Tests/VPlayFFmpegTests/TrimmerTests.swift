import TestSupport
import Testing
import VPlayModel

@testable import VPlayFFmpeg

struct TrimmerTests {
  /// What goes in for one block, in frames at 48 kHz, and what is to come out.
  struct Step {
    var time: Int64?
    var count: Int
    var rate = 48000
    var skips = (start: 0, end: 0)
    var expected: Trimmer.Placement?
  }

  static func keep(_ offset: Int, _ count: Int, at start: Int64) -> Trimmer.Placement {
    Trimmer.Placement(offset: offset, frameCount: count, startFrame: start)
  }

  static func trimmer(
    start: Int64 = 0, end: Int64? = nil, tick: MediaTime = MediaTime(frame: 1, rate: 48000),
    grid: Trimmer.Grid? = nil, jumps: Bool = false
  ) -> Trimmer {
    Trimmer(
      window: Trimmer.Window(
        start: MediaTime(frame: start, rate: 48000), end: end.map { MediaTime(frame: $0, rate: 48000) }),
      tick: tick, grid: grid, clock: jumps ? .jumping : .steady)
  }

  static func run(_ trimmer: inout Trimmer, _ steps: [Step]) {
    for (index, step) in steps.enumerated() {
      let placement = trimmer.place(
        frameCount: step.count, rate: step.rate, time: step.time.map { MediaTime(frame: $0, rate: 48000) },
        startSkip: step.skips.start, endSkip: step.skips.end)
      #expect(placement == step.expected, "step \(index)")
    }
  }

  @Test func `priming before zero and padding after the end are cut`() {
    var trimmer = Self.trimmer(end: 2100)
    Self.run(
      &trimmer,
      [
        Step(time: -1024, count: 1024, expected: nil),
        Step(time: 0, count: 1024, expected: Self.keep(0, 1024, at: 0)),
        Step(time: 1024, count: 1024, expected: Self.keep(0, 1024, at: 1024)),
        Step(time: 2048, count: 1024, expected: Self.keep(0, 52, at: 2048)),
        Step(time: 3072, count: 1024, expected: nil),
      ])
  }

  @Test func `skips of codec and container are cut, over several blocks`() {
    var trimmer = Self.trimmer()
    Self.run(
      &trimmer,
      [
        Step(time: -1500, count: 1000, skips: (1500, 0), expected: nil),
        Step(time: -500, count: 1000, expected: Self.keep(500, 500, at: 0)),
        Step(time: 500, count: 1000, skips: (0, 300), expected: Self.keep(0, 700, at: 500)),
        Step(time: 1200, count: 1000, skips: (0, 2000), expected: nil),
      ])
  }

  @Test func `without times, frames are counted from the beginning`() {
    var trimmer = Self.trimmer(start: 100)
    Self.run(
      &trimmer,
      [
        Step(time: nil, count: 10, expected: Self.keep(0, 10, at: 100)),
        Step(time: nil, count: 10, expected: Self.keep(0, 10, at: 110)),
      ])
  }

  @Test func `small jitter is counted over, a gap is kept, an overlap is not`() {
    var trimmer = Self.trimmer()
    Self.run(
      &trimmer,
      [
        Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 0)),
        Step(time: 1048, count: 1000, expected: Self.keep(0, 1000, at: 1000)),
        Step(time: 1952, count: 1000, expected: Self.keep(0, 1000, at: 2000)),
        // 1 s of nothing.
        Step(time: 51_000, count: 1000, expected: Self.keep(0, 1000, at: 51_000)),
        // The clock runs back: the count goes on, and later times are read by the new clock.
        Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 52_000)),
        Step(time: 1000, count: 1000, expected: Self.keep(0, 1000, at: 53_000)),
        Step(time: 4000, count: 1000, expected: Self.keep(0, 1000, at: 56_000)),
      ])
  }

  @Test func `a leap of a clock that may jump is no gap`() {
    let far: Int64 = 45_000 * 48_000
    var transport = Self.trimmer(jumps: true)
    Self.run(
      &transport,
      [
        Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 0)),
        Step(time: far, count: 1000, expected: Self.keep(0, 1000, at: 1000)),
        Step(time: far + 1000, count: 1000, expected: Self.keep(0, 1000, at: 2000)),
      ])
    var movie = Self.trimmer()
    Self.run(
      &movie,
      [
        Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 0)),
        Step(time: far, count: 1000, expected: Self.keep(0, 1000, at: far)),
      ])
  }

  @Test func `nonsense times are no times`() {
    var trimmer = Self.trimmer()
    Self.run(
      &trimmer,
      [
        Step(time: .max, count: 10, expected: Self.keep(0, 10, at: 0)),
        Step(time: .min, count: 10, expected: Self.keep(0, 10, at: 10)),
      ])
  }

  @Test func `a restart drops what lies before its time`() {
    var trimmer = Self.trimmer(end: 5000)
    Self.run(&trimmer, [Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 0))])
    trimmer.restart(at: MediaTime(frame: 2500, rate: 48000))
    Self.run(
      &trimmer,
      [
        // No time yet, so no place.
        Step(time: nil, count: 500, expected: nil),
        Step(time: 1000, count: 1000, expected: nil),
        Step(time: 2000, count: 1000, expected: Self.keep(500, 500, at: 2500)),
        Step(time: nil, count: 1000, expected: Self.keep(0, 1000, at: 3000)),
      ])
    trimmer.restart(at: .zero)
    Self.run(&trimmer, [Step(time: 0, count: 1000, expected: Self.keep(0, 1000, at: 0))])
    trimmer.restart(at: MediaTime(value: 1, timescale: 1))
    Self.run(&trimmer, [Step(time: 4900, count: 1000, expected: nil)])
  }

  @Test func `a restart between frames takes the nearest`() {
    var trimmer = Self.trimmer()
    // 1001.5 frames: halves go up.
    trimmer.restart(at: MediaTime(value: 2003, timescale: 96000))
    Self.run(&trimmer, [Step(time: 0, count: 2000, expected: Self.keep(1002, 998, at: 1002))])
  }

  @Test func `a change of rate goes on at the same time`() {
    var trimmer = Self.trimmer(end: 96_000)
    Self.run(
      &trimmer,
      [
        Step(time: 0, count: 48000, expected: Self.keep(0, 48000, at: 0)),
        Step(time: nil, count: 12000, rate: 24000, expected: Self.keep(0, 12000, at: 24000)),
        Step(time: nil, count: 44100, rate: 44100, expected: Self.keep(0, 22050, at: 66150)),
      ])
  }

  @Test func `rounded times snap to the codec's grid after a seek, exact ones stay`() {
    let tick = MediaTime(value: 1, timescale: 1000)
    let grid = Trimmer.Grid(origin: MediaTime(frame: -1024, rate: 48000), unitFrames: 1024)
    var trimmer = Self.trimmer(tick: tick, grid: grid)
    trimmer.restart(at: .zero)
    // 9 blocks after the origin is frame 8192, or 170.67 ms, written as 171.
    Self.run(&trimmer, [Step(time: 171 * 48, count: 1024, expected: Self.keep(0, 1024, at: 8192))])
    trimmer.restart(at: .zero)
    Self.run(&trimmer, [Step(time: 181 * 48, count: 1024, expected: Self.keep(0, 1024, at: 181 * 48))])
  }

  @Test func `at the beginning the skip is exact and the time only to its tick`() {
    var trimmer = Self.trimmer(tick: MediaTime(value: 1, timescale: 1000))
    Self.run(
      &trimmer,
      [
        Step(time: -7 * 48, count: 960, skips: (312, 0), expected: Self.keep(312, 648, at: 0)),
        Step(time: 14 * 48, count: 960, expected: Self.keep(0, 960, at: 648)),
      ])
  }

  @Test func `a track that is said to begin does, whatever its time`() {
    var trimmer = Self.trimmer()
    trimmer.restart(at: .zero)
    trimmer.beginTrack()
    Self.run(
      &trimmer,
      [
        Step(time: 448, count: 128, expected: Self.keep(0, 128, at: 0)),
        Step(time: 576, count: 576, expected: Self.keep(0, 576, at: 128)),
      ])
  }

  @Test func `any row of blocks comes out in order and without overlap`() {
    var random = SplitMix(state: 3)
    for _ in 0..<300 {
      var trimmer = Self.trimmer(end: 100_000, jumps: Bool.random(using: &random))
      var end: Int64 = 0
      for _ in 0..<60 {
        if Int.random(in: 0..<20, using: &random) == 0 {
          trimmer.restart(at: MediaTime(frame: Int64.random(in: 0..<90_000, using: &random), rate: 48000))
          end = 0
        }
        let count = Int.random(in: 1...3000, using: &random)
        let time = Int64.random(in: -100_000...200_000, using: &random)
        let placement = trimmer.place(
          frameCount: count, rate: [48000, 44100].randomElement(using: &random) ?? 48000,
          time: Bool.random(using: &random) ? MediaTime(frame: time, rate: 48000) : nil,
          startSkip: Int.random(in: -5...5, using: &random),
          endSkip: Int.random(in: -5...5000, using: &random))
        guard let placement else { continue }
        #expect(placement.offset >= 0 && placement.frameCount > 0)
        #expect(placement.offset + placement.frameCount <= count)
        #expect(placement.startFrame >= 0)
        // Rates alternate, so that the end is compared a little loosely.
        #expect(Double(placement.startFrame) * 1.09 + 2 >= Double(end))
        end = placement.startFrame
      }
    }
  }
}
