import TestSupport
import Testing
import VPlayEngine
import VPlayModel

@Suite struct HeardClockTests {
  private let start = HostTime(nanoseconds: 1_000_000_000)

  private func timing(_ seconds: Double, heard: Double, running: Bool = true) -> SinkTiming {
    let frame = Int64((heard * 48_000).rounded())
    return SinkTiming(
      hostTime: start.advanced(bySeconds: seconds), readFrame: frame + 2000, heardFrame: frame,
      rewriteFrame: frame + 2000, isRunning: running)
  }

  private func told(_ clock: HeardClock, _ seconds: Double) -> Double {
    clock.frame(at: start.advanced(bySeconds: seconds)) / 48_000
  }

  @Test func standsStillUntilItRuns() {
    var clock = HeardClock(sampleRate: 48_000, frame: 480, at: start)
    #expect(told(clock, 5) == 0.01)
    #expect(clock.hostTime(ofFrame: 960) == nil)
    clock.reset(timing(5, heard: 0.01))
    #expect(abs(told(clock, 6) - 1.01) < 1e-9)
    #expect(told(clock, 4) == 0.01)
  }

  @Test(arguments: [-0.039, -0.02, -0.005, 0, 0.005, 0.02, 0.3]) func aSmallErrorIsCorrectedOnceAndForAll(error: Double)
  {
    var clock = HeardClock(sampleRate: 48_000, at: start)
    clock.reset(timing(0, heard: 0))
    clock.update(timing(1, heard: 1 + error))
    #expect(abs(told(clock, 1) - 1) < 1e-9)
    // However long no further report comes, it does not swing past the truth.
    let settled = 1 + max(0.5, abs(error) / HeardClock.correction)
    for seconds in [settled, settled + 1, settled + 100] {
      #expect(abs(told(clock, seconds) - seconds - error) < 1e-4)
    }
    for frame in stride(from: 48_000.0, to: 200_000, by: 7_777) {
      guard let host = clock.hostTime(ofFrame: frame) else { continue }
      #expect(abs(clock.frame(at: host) - frame) < 0.01)
    }
  }

  @Test func aLagIsWaitedFor() {
    var clock = HeardClock(sampleRate: 48_000, at: start)
    clock.reset(timing(0, heard: 0))
    clock.update(timing(1, heard: 0.8))
    #expect(abs(told(clock, 1.19) - 1) < 1e-4)
    #expect(abs(told(clock, 1.3) - 1.1) < 1e-4)
    #expect(clock.hostTime(ofFrame: 48_000 * 1.1) == start.advanced(bySeconds: 1.3))
  }

  @Test func comesToRestWhereTheOutputDid() {
    var clock = HeardClock(sampleRate: 48_000, at: start)
    clock.reset(timing(0, heard: 0))
    clock.update(timing(1, heard: 1.01, running: false))
    #expect(!clock.isRunning && clock.hostTime(ofFrame: 0) == nil)
    #expect(abs(told(clock, 1) - 1) < 1e-9)
    #expect(abs(told(clock, 1.005) - 1.005) < 1e-9)
    #expect(abs(told(clock, 2) - 1.01) < 1e-4)
    clock.update(timing(3, heard: 1.0, running: false))
    #expect(abs(told(clock, 9) - 1.01) < 1e-4)
  }

  @Test func aLateUpdateDoesNotTakeBackWhatWasTold() {
    var clock = HeardClock(sampleRate: 48_000, at: start)
    clock.reset(timing(0, heard: 0))
    let now = start.advanced(bySeconds: 1.2)
    let before = clock.frame(at: now)
    clock.update(timing(1, heard: 0.7), at: now)
    #expect(clock.frame(at: now) == before)
    #expect(clock.frame(at: now.advanced(bySeconds: 0.29)) == before)
    clock.update(timing(0.5, heard: 0.2))
    #expect(clock.frame(at: now) >= before)
  }

  /// An idle output says at first that it has seconds of silence to play, and then gives them back.
  @Test func aLateStartIsTakenBack() {
    var clock = HeardClock(sampleRate: 48_000, at: start)
    var first = timing(0, heard: -1.5, running: false)
    first.readFrame = 0
    clock.reset(first)
    clock.update(timing(0.4, heard: 0.2))
    #expect(abs(told(clock, 0.4) - 0.2) < 1e-6)
    // But never by more than the host's time since the start.
    clock.update(timing(0.5, heard: 2))
    #expect(told(clock, 0.5) <= 0.5 + 1e-9)
    // Nor later.
    clock.update(timing(1.5, heard: 3))
    #expect(told(clock, 1.5) <= 0.5 + 1 + HeardClock.correction + 1e-9)
  }

  /// Never backwards, never faster or slower than allowed, and near the truth soon after it settles.
  @Test(arguments: 0..<30) func randomReports(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let drift = 1 + Double.random(in: -500e-6...500e-6, using: &random)
    var clock = HeardClock(sampleRate: 48_000, at: start)
    var (host, real) = (0.0, 0.0)
    clock.reset(timing(0, heard: 0))
    var last = 0.0
    var isRunning = true
    var quiet = 0.0
    for _ in 0..<400 {
      let pause = Double.random(in: 0.001...1.5, using: &random)
      for step in 1...10 {
        let now = told(clock, host + pause * Double(step) / 10)
        #expect(now >= last - 1e-9)
        // Soon after the start it may catch up with the host.
        let isCatchingUp = host < HeardClock.starting && now <= host + pause * Double(step) / 10 + 2000 / 48_000
        #expect(now - last <= pause / 10 * (1 + HeardClock.correction) + 1e-6 || isCatchingUp)
        last = now
      }
      host += pause
      if isRunning { real += pause * drift }
      quiet += pause
      if quiet > 4, isRunning { #expect(abs(last - real) < 0.002, "after \(quiet) s") }
      switch Int.random(in: 0..<40, using: &random) {
      case 0:
        real -= Double.random(in: 0...0.3, using: &random)
        quiet = 0
      case 1:
        real += Double.random(in: 0...0.03, using: &random)
        quiet = 0
      case 2:
        isRunning.toggle()
        quiet = 0
      default: break
      }
      clock.update(timing(host, heard: real, running: isRunning))
    }
  }
}
