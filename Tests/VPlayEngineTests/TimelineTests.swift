import TestSupport
import Testing
import VPlayEngine
import VPlayModel

@Suite struct TimelineTests {
  let a = EntryID(rawValue: 1)
  let b = EntryID(rawValue: 2)

  private func run(
    _ frame: Int64, _ kind: Timeline.Kind, _ entry: EntryID, pass: Int = 0, at media: Int64, rate: Double = 1,
    isCut: Bool = false
  ) -> Timeline.Run {
    Timeline.Run(
      firstFrame: frame, kind: kind, entry: entry, pass: pass, time: MediaTime(frame: media, rate: 48_000),
      rate: rate, isCut: isCut)
  }

  private func timeline(_ runs: Timeline.Run...) -> Timeline {
    var timeline = Timeline(sampleRate: 48_000)
    for run in runs { timeline.append(run) }
    return timeline
  }

  private func media(_ timeline: Timeline, _ frame: Int64) -> Int64? {
    timeline.time(at: frame)?.frame(rate: 48_000)
  }

  @Test func mediaAdvancesHoldsAndEndsStand() {
    let line = timeline(
      run(100, .media, a, at: 1000), run(200, .hold, a, at: 1100), run(300, .media, a, at: 1100),
      run(400, .end, a, at: 1200))
    let expected: [(Int64, Int64)] = [
      (-5, 1000), (100, 1000), (199, 1099), (200, 1100), (299, 1100), (300, 1100), (399, 1199), (400, 1200),
      (9999, 1200),
    ]
    for (frame, time) in expected { #expect(media(line, frame) == time, "frame \(frame)") }
    #expect(Timeline(sampleRate: 48_000).time(at: 0) == nil)
  }

  @Test func whatOnlyContinuesIsMerged() {
    var line = timeline(run(0, .media, a, at: 0), run(100, .media, a, at: 100))
    #expect(line.runs.count == 1)
    line.append(run(200, .media, a, pass: 1, at: 200))
    line.append(run(300, .media, a, pass: 1, at: 0))
    #expect(line.runs.count == 3)
    line.append(run(250, .hold, a, pass: 1, at: 250))
    #expect(line.runs.map(\.firstFrame) == [0, 200, 250])
    line.append(run(260, .hold, a, pass: 1, at: 250))
    #expect(line.runs.count == 3)
  }

  @Test func aDelayHoldsAndMovesTheRest() {
    var line = timeline(
      run(0, .media, a, at: 0), run(1000, .media, a, pass: 1, at: 0), run(2000, .end, a, pass: 1, at: 1000))
    line.delay(from: 400, byFrames: 50)
    let expected: [(Int64, Int64)] = [
      (399, 399), (400, 400), (449, 400), (450, 400), (1049, 999), (1050, 0), (2049, 999), (2050, 1000),
    ]
    for (frame, time) in expected { #expect(media(line, frame) == time, "frame \(frame)") }
    #expect(line.crossings(after: -1, through: 5000).map(\.frame) == [1050, 2050])
    line.delay(from: 1050, byFrames: 10)
    #expect(line.crossings(after: -1, through: 5000).map(\.frame) == [1050, 2060])
    line.delay(from: 5000, byFrames: 10)
    #expect(media(line, 6000) == 1000)
  }

  @Test func aDelayBeforeTheFirstRunOnlyMoves() {
    var line = timeline(run(1000, .media, a, at: 0), run(2000, .hold, a, at: 1000))
    line.delay(from: 500, byFrames: 100)
    #expect(line.runs.map(\.firstFrame) == [1100, 2100])
    #expect(media(line, 700) == 0 && media(line, 1100) == 0 && media(line, 1101) == 1)
  }

  @Test func crossingsAreTheEndsOfPasses() {
    let line = timeline(
      run(0, .media, a, at: 0), run(100, .media, a, pass: 1, at: 0), run(150, .hold, a, pass: 1, at: 50),
      run(170, .media, a, pass: 1, at: 50), run(200, .media, b, at: 0), run(300, .end, b, at: 100),
      run(400, .media, a, at: 0))
    let all = line.crossings(after: 0, through: 1000)
    #expect(
      all == [
        Timeline.Crossing(frame: 100, entry: a, pass: 0, endsEntry: false),
        Timeline.Crossing(frame: 200, entry: a, pass: 1, endsEntry: true),
        Timeline.Crossing(frame: 300, entry: b, pass: 0, endsEntry: true),
      ])
    for split in Int64(-1)...401 {
      #expect(line.crossings(after: -1, through: split) + line.crossings(after: split, through: 1000) == all)
      #expect(line.nextCrossing(after: split) == all.first { $0.frame > split }?.frame)
    }
  }

  @Test func whatWasCutToEndsNoPass() {
    let line = timeline(
      run(0, .media, a, at: 0), run(100, .media, b, at: 0, isCut: true),
      run(200, .media, b, pass: 3, at: 0, isCut: true),
      run(300, .end, b, pass: 3, at: 100), run(400, .media, b, pass: 4, at: 0), run(500, .media, b, pass: 5, at: 0))
    #expect(line.crossings(after: -1, through: 1000).map(\.frame) == [300, 500])
  }

  @Test func forgettingChangesNothingFromThereOn() {
    let line = timeline(
      run(0, .media, a, at: 0), run(100, .hold, a, at: 100), run(200, .media, a, at: 100),
      run(300, .media, b, at: 7))
    for frame in Int64(-10)...400 {
      var forgetful = line
      forgetful.forget(before: frame)
      for later in stride(from: max(0, frame), to: 420, by: 7) {
        #expect(media(forgetful, later) == media(line, later))
      }
      #expect(forgetful.crossings(after: frame, through: 1000) == line.crossings(after: frame, through: 1000))
    }
  }

  @Test func theFrameOfATimeIsExact() {
    let line = timeline(run(5, .media, a, at: 0), run(100_005, .media, a, pass: 1, at: 0))
    for frame in stride(from: Int64(0), to: 100_000, by: 11) {
      let time = MediaTime(frame: frame, rate: 48_000)
      #expect(line.frame(of: time, entry: a, from: 0) == frame + 5)
      #expect(line.frame(of: time, entry: a, from: frame + 6) == frame + 100_005)
      #expect(line.frame(of: MediaTime(seconds: time.seconds - 1e-6), entry: a, from: 0) == frame + 5 || frame == 0)
    }
    #expect(line.frame(of: .zero, entry: b, from: 0) == nil)
    #expect(line.frame(of: MediaTime(value: .max, timescale: 1), entry: a, from: 0) == nil)
    #expect(line.frame(of: MediaTime(value: .min, timescale: 1), entry: a, from: 0) == nil)
  }

  @Test func otherRatesGoBackAndForth() {
    for rate in [0.5, 0.75, 1.25, 2.0] {
      let line = timeline(run(10, .media, a, at: 4800, rate: rate))
      for frame in stride(from: Int64(10), to: 50_000, by: 1013) {
        let time = line.time(at: frame) ?? .zero
        #expect(line.frame(of: time, entry: a, from: 0) == frame)
        #expect(abs(time.seconds - 0.1 - Double(frame - 10) * rate / 48_000) < 1e-8)
      }
    }
  }

  /// Against a plain array of what each frame carries.
  @Test(arguments: 0..<40) func randomHistories(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var line = timeline(run(0, .media, a, at: 0))
    var model = (0..<3000).map { Int64($0) }
    for _ in 0..<60 {
      let frame = Int64.random(in: 0..<3000, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let media = Int64.random(in: 0..<100_000, using: &random)
        line.append(run(frame, .media, a, at: media, isCut: true))
        for index in Int(frame)..<3000 { model[index] = media + Int64(index) - frame }
      case 1:
        let media = model[Int(frame)]
        line.append(run(frame, .hold, a, at: media))
        for index in Int(frame)..<3000 { model[index] = media }
      case 2:
        let count = Int.random(in: 1...200, using: &random)
        line.delay(from: frame, byFrames: Int64(count))
        let held = [Int64](repeating: model[Int(frame)], count: count)
        model.insert(contentsOf: held, at: Int(frame))
        model.removeLast(count)
      default:
        // A continuation must not change anything.
        guard let current = line.run(at: frame), current.kind == .media else { continue }
        var copy = line
        copy.append(
          Timeline.Run(
            firstFrame: frame, kind: .media, entry: a, pass: 0, time: line.time(at: frame) ?? .zero))
        #expect(media(copy, frame + 1) == model[Int(frame)] + 1)
      }
      let stop = (0..<3000).first { media(line, Int64($0)) != model[$0] }
      #expect(stop == nil)
      if stop != nil { return }
    }
    #expect(line.crossings(after: -1, through: 3000).isEmpty)
  }
}
