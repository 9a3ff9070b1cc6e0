import TestSupport
import Testing
import VPlayEngine
import VPlayModel

/// Media whose stated length is far from what they hold.
@Suite struct WrongClaimTests {
  private struct Outcome {
    var frames = 0
    var duration: MediaTime?
    var failure: MediaError?
    var isOver = false
  }

  /// Plays 10 s as they are claimed, of which `frames` are there.
  private static func play(
    _ frames: Int64, start: MediaTime = .zero, end: MediaTime? = nil
  ) throws -> Outcome {
    let outcome = Monitor(Outcome())
    try withTemporaryPath { path in
      let sink = WAVFileSink(path: path)
      let environment = EngineEnvironment(clock: SystemClock(), sink: sink) {
        (input, output) throws(MediaError) in
        throw MediaError(.other, "no conversion in this test: \(input) to \(output)")
      }
      let engine = PlaybackEngine(environment: environment) { event in
        outcome.withLockAndWake { outcome in
          switch event {
          case .durationChanged(_, let time): outcome.duration = time
          case .entryFailed(_, let error):
            outcome.failure = error
            outcome.isOver = true
          case .entryEnded: outcome.isOver = true
          default: break
          }
        }
      }
      var configuration = NoiseSource.Configuration(lengthFrames: frames)
      configuration.claimedFrames = 480_000
      configuration.isDurationExact = false
      let final = configuration
      engine.setQueue([
        QueueEntry(id: EntryID(rawValue: 1), start: start, end: end) { NoiseSource(final, clock: SystemClock()) }
      ])
      engine.setRate(1)
      #expect(outcome.wait(until: SystemClock().now.advanced(bySeconds: 10)) { $0.isOver ? true : nil } == true)
      engine.shutdown()
      try sink.finish()
      let samples = try ParsedWAV(path).samples.count
      outcome.withLock { $0.frames = samples / 2 }
    }
    return outcome.withLock { $0 }
  }

  @Test func aMediumThatGivesNothingFails() throws {
    let outcome = try Self.play(0)
    #expect(outcome.failure?.kind == .damaged)
    #expect(outcome.frames == 0)
  }

  @Test func anEndPastTheSoundAddsNoSilence() throws {
    let outcome = try Self.play(10_000, end: MediaTime(value: 5, timescale: 1))
    #expect(outcome.failure == nil)
    #expect(outcome.frames == 10_000)
    #expect(outcome.duration == MediaTime(frame: 10_000, rate: 48_000))
  }

  @Test func aStartPastTheSoundTellsNoLength() throws {
    let outcome = try Self.play(10_000, start: MediaTime(value: 5, timescale: 1))
    #expect(outcome.failure == nil)
    #expect(outcome.frames == 0)
    #expect(outcome.duration == nil)
  }
}
