import TestSupport
import Testing
import VPlayEngine
import VPlayModel
import VPlayTesting

/// Entries of which nothing is heard: empty files, and starts past the end.
@Suite struct EmptyEntryTests {
  enum Output: CaseIterable {
    case file, clocked, muted
  }

  private static func ends(_ rig: EngineRig) -> [UInt64] {
    rig.events.compactMap { if case .entryEnded(let id) = $0 { id.rawValue } else { nil } }
  }

  /// Plays entries of so many frames, named 1, 2, … in order; which of them ended, in order.
  private static func played(_ lengths: [Int64], start: MediaTime = .zero, on output: Output) throws -> [UInt64] {
    var names: [UInt64] = []
    try withTemporaryPath { path in
      let sink: any AudioSink =
        if output == .file { WAVFileSink(path: path) } else { NullSink(clock: SystemClock()) }
      let environment = EngineEnvironment(clock: SystemClock(), sink: sink) {
        (input, output) throws(MediaError) in
        throw MediaError(.other, "no conversion in this test: \(input) to \(output)")
      }
      let ended = Monitor<[UInt64]>([])
      let engine = PlaybackEngine(environment: environment) { event in
        if case .entryEnded(let id) = event { ended.withLockAndWake { $0.append(id.rawValue) } }
      }
      defer { engine.shutdown() }
      if output == .muted { engine.setGain(0) }
      engine.setQueue(
        lengths.enumerated().map { index, frames in
          let configuration = NoiseSource.Configuration(lengthFrames: frames)
          return QueueEntry(id: EntryID(rawValue: UInt64(index + 1)), start: start) {
            NoiseSource(configuration, clock: SystemClock())
          }
        })
      engine.setRate(1)
      let limit = SystemClock().now.advanced(bySeconds: 20)
      _ = ended.wait(until: limit) { $0.count >= lengths.count ? true : nil }
      names = ended.withLock { $0 }
    }
    return names
  }

  @Test(
    arguments: [
      [1000, 0, 1000], [0, 1000], [1000, 0], [0, 0, 0], [1000, 0, 0, 1000], [0], [9000, 0, 0, 0, 9000, 0, 7],
    ], Output.allCases)
  func anEntryWithoutAFrameEndsInItsPlace(lengths: [Int64], output: Output) throws {
    #expect(try Self.played(lengths, on: output) == Array(1...UInt64(lengths.count)))
  }

  @Test(arguments: Output.allCases)
  func aStartPastTheEndEndsInItsPlace(output: Output) throws {
    let start = MediaTime(frame: 500, rate: 48_000)
    #expect(try Self.played([1000, 400, 1000, 400], start: start, on: output) == [1, 2, 3, 4])
  }

  @Test func whatIsAddedBehindAnEmptyEntryFollowsIt() {
    let rig = EngineRig()
    let (first, empty, last) = (
      rig.entry(1, frames: 48_000), rig.entry(2, frames: 0), rig.entry(3, frames: 1000, offset: 200_000)
    )
    rig.engine.setQueue([first, empty])
    rig.engine.setRate(1)
    rig.run(0.5, readers: 2)
    rig.engine.setQueue([first, empty, last])
    rig.run(0.4, readers: 3)
    rig.run(0.6)
    #expect(Self.ends(rig) == [1, 2, 3])
    #expect(
      rig.heard().sound == [
        HeardRun(kind: .media(0), frames: 48_000), HeardRun(kind: .media(200_000), frames: 1000),
      ])
  }

  @Test func anUnchangedQueueIsLeftAsItIs() {
    let rig = EngineRig()
    let entries = [
      rig.entry(1, frames: 48_000), rig.entry(2, frames: 0), rig.entry(3, frames: 48_000, offset: 200_000),
    ]
    rig.engine.setQueue(entries)
    rig.engine.setRate(1)
    rig.run(0.5, readers: 3)
    let writes = rig.sink.statistics.writes
    rig.engine.setQueue(entries)
    rig.settle(readers: 3)
    #expect(rig.sink.statistics.writes == writes)
    rig.run(0.4, readers: 3)
    rig.run(1.5)
    #expect(Self.ends(rig) == [1, 2, 3])
  }

  @Test func pausesOverAnEmptyEntryLoseNoEnd() {
    let rig = EngineRig()
    rig.engine.setQueue([
      rig.entry(1, frames: 20_000), rig.entry(2, frames: 0), rig.entry(3, frames: 20_000, offset: 200_000),
    ])
    for turn in 0..<14 {
      rig.engine.setRate(1)
      rig.run(0.07, readers: turn < 3 ? 3 : 1)
      rig.engine.setRate(0)
      rig.run(0.11, readers: turn < 3 ? 3 : 1)
    }
    rig.engine.setRate(1)
    rig.run(1)
    #expect(Self.ends(rig) == [1, 2, 3])
  }
}
