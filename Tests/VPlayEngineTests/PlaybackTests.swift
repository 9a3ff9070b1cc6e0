import Testing
import TestSupport
import VPlayEngine
import VPlayModel
import VPlayTesting

@Suite struct PlaybackTests {
  @Test func everyFrameIsHeardOnceInOrder() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 150_001)])
    rig.engine.setRate(1)
    rig.run(4)
    #expect(rig.heard().sound == [HeardRun(kind: .media(0), frames: 150_001)])
    let ends = rig.events.filter { if case .entryEnded = $0 { true } else { false } }
    #expect(ends.count == 1)
    #expect(rig.position?.time == MediaTime(frame: 150_001, rate: 48_000))
  }

  @Test(arguments: [1, 17, 1024, 1440, 48_000, 33_333])
  func aLoopHasNoSeam(length: Int64) {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: length, passes: 20)])
    rig.engine.setRate(1)
    rig.run(Double(length * 20) / 48_000 + 1)
    let runs = rig.heard().sound
    #expect(runs.count == 20)
    #expect(runs.allSatisfy { $0 == HeardRun(kind: .media(0), frames: Int(length)) })
    let passes = rig.events.compactMap { event -> Int? in
      if case .passEnded(_, let pass) = event { pass } else { nil }
    }
    #expect(passes == Array(0..<19))
  }

  @Test func aQueueHasNoSeam() {
    let rig = EngineRig()
    rig.engine.setQueue((1...3).map { rig.entry($0, frames: 30_000, offset: UInt32($0) * 100_000) })
    rig.engine.setRate(1)
    rig.run(0.5, readers: 2)
    rig.run(2.5, readers: 1)
    let runs = rig.heard().sound
    #expect(
      runs == [
        HeardRun(kind: .media(100_000), frames: 30_000), HeardRun(kind: .media(200_000), frames: 30_000),
        HeardRun(kind: .media(300_000), frames: 30_000),
      ])
    let ends = rig.events.compactMap { event -> UInt64? in
      if case .entryEnded(let id) = event { id.rawValue } else { nil }
    }
    #expect(ends == [1, 2, 3])
  }

  @Test func pauseLosesNothing() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 200_000)])
    rig.engine.setRate(1)
    rig.run(1.234)
    rig.engine.setRate(0)
    rig.run(0.5)
    let paused = rig.position?.time
    rig.run(3)
    #expect(rig.position?.time == paused)
    rig.engine.setRate(1)
    rig.run(4)
    let runs = rig.heard().mediaFrames
    // Up to the fade, the fade, the fade-in of the same frames, and on to the end.
    #expect(runs.count == 4, "\(runs)")
    guard runs.count == 4, case .media(0) = runs[0].kind, case .media(let second) = runs[3].kind else { return }
    #expect(abs(second - Int64(runs[0].frames)) <= 240)
    #expect(second + Int64(runs[3].frames) == 200_000)
    // The ramp's first frame is still at full level.
    #expect(paused == MediaTime(frame: Int64(runs[0].frames) - 1, rate: 48_000))
  }

  @Test func aSeekIsHeardFromTheVeryFrame() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 480_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.engine.seek(
      SeekID(rawValue: 1), to: MediaTime(frame: 300_007, rate: 48_000), toleranceBefore: .zero, toleranceAfter: .zero)
    rig.run(1)
    rig.engine.seek(
      SeekID(rawValue: 2), to: MediaTime(frame: 11, rate: 48_000), toleranceBefore: .zero, toleranceAfter: .zero)
    rig.run(1)
    let starts = rig.heard().sound.compactMap { run -> Int64? in
      if case .media(let frame) = run.kind, run.frames > 240 { frame } else { nil }
    }
    #expect(starts == [0, 300_007, 11])
    let finished = rig.events.compactMap { event -> Bool? in
      if case .seekFinished(_, let done) = event { done } else { nil }
    }
    #expect(finished == [true, true])
  }

  @Test(arguments: [5, 30])
  func aSeekInWhatIsNotOpenYetHoldsItsPlace(seconds: Double) {
    let rig = EngineRig()
    let second = rig.entry(2, frames: 960_000, offset: 1_000_000) { $0.openDelaySeconds = 0.3 }
    rig.engine.setQueue([rig.entry(frames: 480_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.engine.setQueue([second])
    rig.engine.seek(
      SeekID(rawValue: 1), to: MediaTime(value: Int64(seconds), timescale: 1), toleranceBefore: .zero,
      toleranceAfter: .zero)
    rig.settle()
    #expect(rig.position?.time.seconds == seconds)
    var times: [Double] = []
    for _ in 1...100 {
      rig.run(0.005)
      times.append(rig.position?.time.seconds ?? -1)
    }
    // Past the end it is clamped, once the length is known.
    let place = min(seconds, 20)
    #expect(times.allSatisfy { $0 >= place && $0 <= max(seconds, place + 0.3) }, "\(times)")
  }

  @Test(arguments: [true, false], [nil, 3])
  func aSeekToTheEndOfAPassGoesOnWithTheNext(isPlaying: Bool, passes: Int?) {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 48_000, passes: passes)])
    rig.engine.setRate(1)
    rig.run(0.5)
    if !isPlaying {
      rig.engine.setRate(0)
      rig.run(0.2)
    }
    rig.engine.seek(
      SeekID(rawValue: 1), to: MediaTime(frame: 48_000, rate: 48_000), toleranceBefore: .zero, toleranceAfter: .zero)
    rig.settle()
    rig.engine.setRate(1)
    rig.run(0.7)
    #expect(rig.position?.pass == 1)
    #expect(rig.heard().sound.last.map { $0.kind == .media(0) && $0.frames > 20_000 } == true)
    rig.run(3)
    let ends = rig.events.count { if case .entryEnded = $0 { true } else { false } }
    #expect(ends == (passes == nil ? 0 : 1))
  }

  @Test func mutedFromTheStartOpensNoStream() {
    let rig = EngineRig()
    rig.engine.setGain(0)
    rig.engine.setQueue([rig.entry(frames: 960_000)])
    rig.engine.setRate(1)
    rig.run(3)
    #expect(rig.sink.statistics.opens == 0)
    #expect(abs((rig.position?.time.seconds ?? 0) - 3) < 0.001)
    rig.engine.setGain(1)
    rig.run(3)
    let runs = rig.heard().sound
    guard let last = runs.last, case .media(let first) = last.kind else {
      Issue.record("nothing heard: \(runs)")
      return
    }
    // In step with the clock that ran: frame and capture time agree.
    #expect(abs((rig.position?.time.seconds ?? 0) - 6) < 0.002)
    #expect(Double(first) / 48_000 < 3.15)
    rig.engine.setGain(0)
    rig.run(6)
    #expect(rig.sink.statistics.openStreams == 0)
    #expect(abs((rig.position?.time.seconds ?? 0) - 12) < 0.002)
  }

  @Test(arguments: [false, true])
  func whatComesTooSlowlyIsHeardWholeAndInTime(isRemote: Bool) {
    let rig = EngineRig()
    let entry = rig.entry(frames: 96_000) {
      $0.isRemote = isRemote
      // Half the medium's pace.
      $0.readDelaySeconds = 2 * 1024.0 / 48_000
    }
    rig.engine.setQueue([entry])
    rig.engine.setRate(1)
    rig.run(8)
    #expect(rig.heard().mediaFrames.allSatisfy { if case .media = $0.kind { true } else { false } })
    #expect(rig.heard().mediaFrames.reduce(0) { $0 + $1.frames } == 96_000)
    #expect(rig.position?.time == MediaTime(frame: 96_000, rate: 48_000))
    let events = rig.events
    let ends = events.count { if case .entryEnded = $0 { true } else { false } }
    #expect(ends == 1)
    let stalls = events.count { if case .stalled(.data) = $0 { true } else { false } }
    #expect((1...4).contains(stalls))
    let statuses = events.compactMap { if case .bufferChanged(_, let status) = $0 { status } else { nil } }
    #expect(statuses.contains { $0.isEmpty } && statuses.contains { $0.isLikelyToKeepUp })
  }

  /// An output may have much to play before a new stream.
  @Test func unmutedOnASlowOutputTimeGoesOn() {
    var slow = SimulatedSink.Configuration()
    slow.delaySeconds = 4
    let rig = EngineRig(sink: slow)
    rig.engine.setGain(0)
    rig.engine.setQueue([rig.entry(frames: 960_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.engine.setGain(1)
    rig.run(3)
    #expect(abs((rig.position?.time.seconds ?? 0) - 4) < 0.002)
  }
}
