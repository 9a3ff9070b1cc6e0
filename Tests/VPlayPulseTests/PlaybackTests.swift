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
      server.capture.wait(seconds: 0.2)
      driver.stream.close()
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      let sounds = runs.filter { $0.origin != .silence }
      #expect(sounds.map(\.origin) == [.tape(0, frame: 0)], "\(runs)")
      #expect(sounds.map(\.count) == [Int(frames)], "\(runs)")
    }

    @Test(arguments: ServerKind.allCases)
    func rewriteReplacesExactlyFromItsFrame(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let tapes = [NoiseTape(seed: 1), NoiseTape(seed: 2)]
      let driver = try StreamDriver(server.server)
      try driver.fill(tapes[0])
      try driver.stream.setCorked(false)
      var expected: [NoiseRun.Origin] = [.tape(0, frame: 0)]
      var counts: [Int] = []
      var random = SystemRandomNumberGenerator()
      for round in 1...12 {
        server.capture.wait(seconds: Double.random(in: 0.1...0.4, using: &random))
        let timing = try driver.fill(tapes[(round + 1) % 2])
        let end = driver.end.withLock { $0 }
        try driver.write(tapes[round % 2], timing.rewriteFrame..<end)
        counts.append(Int(timing.rewriteFrame))
        expected.append(.tape(round % 2, frame: timing.rewriteFrame))
      }
      let end = driver.end.withLock { $0 }
      try driver.waitUntilHeard(end)
      server.capture.wait(seconds: 0.2)
      driver.stream.close()
      counts.append(Int(end))
      let runs = NoiseRun.identify(server.capture.samples, tapes)
      let sounds = runs.filter { $0.origin != .silence }
      #expect(sounds.map(\.origin) == expected, "\(runs)")
      #expect(sounds.map(\.count) == zip(counts, [0] + counts).map { $0 - $1 }, "\(runs)")
    }
  }
}
