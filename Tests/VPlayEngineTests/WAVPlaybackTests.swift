import TestSupport
import Testing
import VPlayEngine
import VPlayModel

@Suite struct WAVPlaybackTests {
  private static func play(_ entries: [QueueEntry], to path: String) throws -> Double {
    let sink = WAVFileSink(path: path)
    let ended = Monitor(0)
    let environment = EngineEnvironment(clock: SystemClock(), sink: sink) {
      (input, output) throws(MediaError) in
      throw MediaError(.other, "no conversion in this test: \(input) to \(output)")
    }
    let engine = PlaybackEngine(environment: environment) { event in
      if case .entryEnded = event { ended.withLockAndWake { $0 += 1 } }
    }
    let start = SystemClock().now
    engine.setQueue(entries)
    engine.setRate(1)
    let done = ended.wait(until: start.advanced(bySeconds: 60)) { $0 == entries.count ? true : nil }
    #expect(done == true)
    let seconds = SystemClock().now.seconds(since: start)
    engine.shutdown()
    // Closes the file whatever the engine's thread is at.
    try sink.finish()
    return seconds
  }

  private func entry(_ id: UInt64, frames: Int64, passes: Int) -> QueueEntry {
    var configuration = NoiseSource.Configuration(lengthFrames: frames)
    configuration.noise.offset = UInt32(id) << 24
    return QueueEntry(id: EntryID(rawValue: id), passes: passes) { [configuration] in
      NoiseSource(configuration, clock: SystemClock())
    }
  }

  @Test func aLoopAndAQueueAreInTheFileToTheFrameAndFasterThanTime() throws {
    try withTemporaryPath { path in
      let seconds = try Self.play([entry(1, frames: 33_333, passes: 40), entry(2, frames: 1000, passes: 1)], to: path)
      let samples = try ParsedWAV(path).samples
      let pass = NoiseMedia(offset: 1 << 24).floats(fromFrame: 0, count: 33_333)
      #expect(samples.count == 40 * pass.count + 2000)
      #expect((0..<40).allSatisfy { Array(samples[$0 * pass.count..<($0 + 1) * pass.count]) == pass })
      #expect(Array(samples.suffix(2000)) == NoiseMedia(offset: 2 << 24).floats(fromFrame: 0, count: 1000))
      #expect(seconds < 20, "28 s of sound")
    }
  }
}
