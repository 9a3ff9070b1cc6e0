import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

/// The servers that each promise is shown on.
enum ServerKind: CaseIterable, CustomTestStringConvertible {
  case pulseAudio, pulseAudioWithoutSharedMemory, pipeWire

  var testDescription: String {
    switch self {
    case .pulseAudio: "PulseAudio"
    case .pulseAudioWithoutSharedMemory: "PulseAudio without shared memory"
    case .pipeWire: "PipeWire"
    }
  }

  func start() throws -> PrivatePulseServer {
    switch self {
    case .pulseAudio: try PrivatePulseServer()
    case .pulseAudioWithoutSharedMemory: try PrivatePulseServer(.init { $0.sharedMemory = false })
    case .pipeWire: try PrivatePulseServer(.init(.pipeWire))
    }
  }
}

extension ServerTests {
  @Suite struct Playback {
    @Test(arguments: ServerKind.allCases)
    func everyFrameIsHeard(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      let frames: Int64 = 48_000 * 3 + 17
      try driver.play(tape, upTo: frames)
      // What is heard survives the stream's end.
      driver.stream.close()
      server.capture.wait(seconds: 0.2)
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      let sounds = runs.filter { $0.origin != .silence }
      #expect(sounds.map(\.origin) == [.tape(0, frame: 0)], "\(runs)")
      #expect(sounds.map(\.count) == [Int(frames)], "\(runs)")
    }

    /// The pipe's sink renders a frame when it falls due, so the capture's stamps tell when each was heard.
    @Test func heardFrameIsTheOneAtTheEar() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      server.capture.wait(seconds: 0.2)
      var timings: [SinkTiming] = []
      for pause in [0.05, 0.061, 0.073, 0.087, 0.099, 0.107, 0.113] {
        server.capture.wait(seconds: pause)
        timings.append(try driver.fill(tape))
      }
      driver.stream.close()
      server.capture.wait(seconds: 0.1)
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      let first = try #require(runs.first { $0.origin == .tape(0, frame: 0) }).start
      let zero = server.capture.hostTime(ofFrame: 0)
      for timing in timings {
        let truth = timing.hostTime.seconds(since: zero) * 48_000 - Double(first)
        #expect(abs(Double(timing.heardFrame) - truth) < 48 * 2, "\(timing) \(truth)")
        #expect(timing.isRunning)
      }
    }

    @Test(arguments: ServerKind.allCases)
    func rewriteReplacesExactlyFromItsFrame(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let tapes = [NoiseTape(seed: 1), NoiseTape(seed: 2)]
      let driver = try StreamDriver(server.server)
      try driver.fill(tapes[0])
      try driver.stream.setCorked(false)
      var random = Seeded(state: 11)
      var starts: [(frame: Int64, isInTime: Bool)] = [(0, true)]
      for round in 1...12 {
        server.capture.wait(seconds: Double.random(in: 0.1...0.25, using: &random))
        let timing = try driver.fill(tapes[(round + 1) % 2])
        try driver.write(tapes[round % 2], timing.rewriteFrame..<driver.end.withLock { $0 })
        // On a busy machine even this can come too late; what the server had not taken yet it must have replaced.
        // PipeWire tells what it took a quantum later.
        let taken = try driver.stream.timing().readFrame + (kind == .pipeWire ? 1024 : 0)
        starts.append((timing.rewriteFrame, taken <= timing.rewriteFrame))
      }
      let end = driver.end.withLock { $0 }
      try driver.waitUntilHeard(end)
      driver.stream.close()
      server.capture.wait(seconds: 0.2)
      let runs = NoiseRun.identify(server.capture.samples, tapes).filter { $0.origin != .silence }
      #expect(runs.count == starts.count, "\(runs) \(starts)")
      let first = runs.first?.start ?? 0
      for (index, (run, start)) in zip(runs, starts).enumerated() {
        // Every frame in its own place, whichever tape it is from: none lost, none doubled.
        #expect(run.origin == .tape(index % 2, frame: Int64(run.start - first)), "\(runs)")
        let late = Int64(run.start - first) - start.frame
        #expect(start.isInTime ? late == 0 : late >= 0, "round \(index) of \(runs) \(starts)")
      }
      #expect(runs.last.map { $0.start + $0.count - first } == Int(end))
      #expect(starts.filter(\.isInTime).count > 1)
    }
  }
}

/// Numbers that are the same in each run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
