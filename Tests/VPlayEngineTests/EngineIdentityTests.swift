import TestSupport
import Testing
import VPlayEngine
import VPlayModel
import VPlayTesting

/// Noise is played while everything happens at random; each captured frame is named, and each step from one run of
/// frames to the next must be one that a call asked for.
@Suite struct EngineIdentityTests {
  static let rate = 12_000
  static let ramp: Int64 = 60

  private struct Server {
    var configuration = SimulatedSink.Configuration()

    init(_ random: inout SeededGenerator) {
      configuration.blockFrames = [64, 256, 300].randomElement(using: &random) ?? 64
      configuration.delaySeconds = [0, 0.004, 0.15].randomElement(using: &random) ?? 0
      configuration.dropsOnCork = Bool.random(using: &random)
      configuration.driftPPM = Double.random(in: -200...200, using: &random)
    }
  }

  @Test(arguments: 0..<40) func randomCalls(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let rig = EngineRig(sink: Server(&random).configuration)
    let length = Int64.random(in: 20_000...60_000, using: &random)
    rig.engine.setQueue([
      rig.entry(frames: length, passes: nil) {
        $0.sampleRate = EngineIdentityTests.rate
        $0.packetFrames = 500
        $0.blockFrames = Int.random(in: 100...700, using: &random)
      }
    ])
    rig.engine.setRate(1)
    rig.run(0.3)
    var targets: [Int64] = []
    var calls: [String] = []
    for _ in 0..<60 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<3:
        let gain: Float = [0.25, 0.5, 1].randomElement(using: &random) ?? 1
        rig.engine.setGain(gain)
        calls.append("gain \(gain)")
      case 3..<5:
        rig.engine.setRate(0)
        calls.append("pause")
      case 5..<8:
        rig.engine.setRate(1)
        calls.append("play")
      default:
        let target = Int64.random(in: 0..<length - 2000, using: &random)
        targets.append(target)
        rig.engine.seek(
          SeekID(rawValue: UInt64(targets.count)), to: MediaTime(frame: target, rate: EngineIdentityTests.rate),
          toleranceBefore: .zero, toleranceAfter: .zero)
        calls.append("seek \(target)")
      }
      let wait: Double = [0.0, 0.003, 0.012, 0.03, 0.1, 0.4].randomElement(using: &random) ?? 0
      rig.run(wait)
      calls.append("\(wait)")
    }
    rig.engine.setRate(1)
    rig.run(0.5)
    let faults = faults(rig, length: length, targets: targets)
    #expect(faults.isEmpty, "\(calls.joined(separator: ", "))")
    expectOneAnswerEach(rig, seeks: targets.count)
  }

  private func faults(_ rig: EngineRig, length: Int64, targets: [Int64]) -> [String] {
    var analyser = NoiseAnalyser(noise: NoiseMedia(), mediaFrames: 0..<length, levels: [1, 0.5, 0.25])
    analyser.rampStep = 0.035
    analyser.starts = [0, 1] + targets.flatMap { [$0, $0 + 1] }
    analyser.nearbyFrames = 3 * EngineIdentityTests.ramp
    var runs = analyser.runs(in: rig.sink.heardSamples)
    // Less than three frames at the very end tell nothing.
    if let last = runs.last, last.origin == .unknown, last.frameCount < 3 { runs.removeLast() }
    var faults = runs.indices.filter { runs[$0].origin == .unknown }.map { index in
      "unknown: \(runs[max(0, index - 2)...min(runs.count - 1, index + 2)])"
    }
    var next = 0
    var last: TracedRun?
    for run in runs {
      guard let media = run.media else { continue }
      defer { last = run }
      guard let before = last, let old = before.media else {
        if media.lowerBound != 0 { faults.append("begins with \(media)") }
        continue
      }
      if old.upperBound == length, media.lowerBound == 0, before.captureEnd == run.captureFrame { continue }
      // A pause: the fade's first frame comes again, at gain 0, which cannot be told from silence.
      let wasPaused = run.firstGain < 0.02
      if wasPaused, media.lowerBound == old.upperBound - EngineIdentityTests.ramp + 1 { continue }
      if !wasPaused, let index = targets[next...].firstIndex(of: media.lowerBound) {
        next = index + 1
        continue
      }
      faults.append("\(before) is followed by \(run)")
    }
    return faults
  }

  private func expectOneAnswerEach(_ rig: EngineRig, seeks: Int) {
    var answers = [Int](repeating: 0, count: seeks + 1)
    var finished: [UInt64] = []
    for case .seekFinished(let id, let isDone) in rig.events {
      answers[Int(id.rawValue)] += 1
      if isDone { finished.append(id.rawValue) }
    }
    #expect(answers.dropFirst().allSatisfy { $0 == 1 })
    #expect(finished == finished.sorted())
    #expect(seeks == 0 || finished.last == UInt64(seeks))
  }
}
