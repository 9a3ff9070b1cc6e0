import Foundation
import TestSupport
import VPlayEngine
import VPlayModel
import VPlayTesting

/// An engine on a simulated server and a clock moved by hand, playing noise of which every frame is known.
final class EngineRig: Sendable {
  let clock = ManualClock()
  let sink: SimulatedSink
  let engine: PlaybackEngine
  let counters = EngineCounters()
  private let log = Monitor<[EngineEvent]>([])

  init(sink configuration: SimulatedSink.Configuration = .init()) {
    sink = SimulatedSink(clock: clock, configuration: configuration)
    let log = log
    let environment = EngineEnvironment(clock: clock, sink: sink) { (input, output) throws(MediaError) in
      throw MediaError(.other, "no conversion in this test: \(input) to \(output)")
    }
    engine = PlaybackEngine(environment: environment, counters: counters) { event in log.withLock { $0.append(event) } }
  }

  deinit { engine.shutdown() }

  var events: [EngineEvent] { log.withLock { $0 } }

  func entry(
    _ id: UInt64 = 1, frames: Int64, passes: Int? = 1, offset: UInt32 = 0, start: MediaTime = .zero,
    end: MediaTime? = nil, _ change: (inout NoiseSource.Configuration) -> Void = { _ in }
  ) -> QueueEntry {
    var configuration = NoiseSource.Configuration(lengthFrames: frames)
    configuration.noise.offset = offset
    change(&configuration)
    let (final, clock) = (configuration, clock)
    return QueueEntry(id: EntryID(rawValue: id), start: start, end: end, passes: passes) {
      NoiseSource(final, clock: clock)
    }
  }

  /// Moves time on; the engine's and `readers` demux threads come to rest at each step.
  func run(_ seconds: Double, readers: Int = 1) {
    clock.advance(bySeconds: seconds, settling: 1 + readers)
  }

  /// Lets the threads come to rest without time going on.
  func settle(readers: Int = 1) {
    clock.settle(threads: 1 + readers)
  }

  var position: EnginePosition? { engine.position(at: clock.now) }

  /// What was heard, as runs: media frames in order, silence, or what is neither (ramps).
  func heard(offset: UInt32 = 0) -> [HeardRun] {
    HeardRun.identify(sink.heardSamples, NoiseMedia(offset: offset))
  }
}

/// Captured frames in a row that belong together.
struct HeardRun: Equatable, CustomStringConvertible {
  enum Kind: Equatable {
    case silence
    /// The first media frame; the others follow it.
    case media(Int64)
    case other
  }
  var kind: Kind
  var frames: Int

  var description: String {
    switch kind {
    case .silence: "silence \(frames)"
    case .media(let first): "media \(first)..<\(first + Int64(frames))"
    case .other: "other \(frames)"
    }
  }

  static func identify(_ samples: [Float], _ noise: NoiseMedia) -> [HeardRun] {
    var runs: [HeardRun] = []
    for index in stride(from: 0, to: samples.count - 1, by: 2) {
      let (left, right) = (samples[index] * 32_768, samples[index + 1] * 32_768)
      if left == 0, right == 0 {
        add(.silence, to: &runs)
      } else if left == left.rounded(), right == right.rounded(), left < 32_768, right < 32_768,
        case let frame = noise.frame(low: Int(left), high: Int(right)), (0..<10_000_000).contains(frame)
      {
        if let last = runs.last, case .media(let first) = last.kind, first + Int64(last.frames) == frame {
          runs[runs.count - 1].frames += 1
        } else {
          runs.append(HeardRun(kind: .media(frame), frames: 1))
        }
      } else {
        add(.other, to: &runs)
      }
    }
    return runs
  }

  private static func add(_ kind: Kind, to runs: inout [HeardRun]) {
    if let last = runs.last, last.kind == kind {
      runs[runs.count - 1].frames += 1
    } else {
      runs.append(HeardRun(kind: kind, frames: 1))
    }
  }
}

extension [HeardRun] {
  /// Without the silence before and after.
  var sound: [HeardRun] {
    var runs = self
    while runs.first?.kind == .silence { runs.removeFirst() }
    while runs.last?.kind == .silence { runs.removeLast() }
    return runs
  }

  /// The media frames heard, and those that a ramp made unreadable, in order; silence left out.
  var mediaFrames: [HeardRun] { filter { $0.kind != .silence } }
}
