import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

extension ServerTests {
  @Suite struct Control {
    /// Fade, cork when the fade is through, resume where it stopped: not one frame lost, none heard twice.
    @Test(arguments: ServerKind.allCases)
    func pauseAndResumeLoseNothing(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      // Tape 0 is the medium; tape 1 marks the fades, 240 frames of it at each end.
      let media = NoiseTape(seed: 1)
      let fade = NoiseTape(seed: 2)
      let driver = try StreamDriver(server.server)
      let fadeFrames: Int64 = 240
      /// Stream frame less media frame.
      var shift: Int64 = 0
      var expected: [NoiseRun.Origin] = [.tape(0, frame: 0)]
      try driver.fill(media)
      try driver.stream.setCorked(false)
      for round in 1...5 {
        server.capture.wait(seconds: 0.13 * Double(round))
        let start = try driver.stream.timing().rewriteFrame
        let end = driver.end.withLock { $0 }
        try driver.write(fade, start..<start + fadeFrames)
        try writeSilence(driver, start + fadeFrames..<end)
        try driver.waitUntilHeard(start + fadeFrames)
        try driver.stream.setCorked(true)
        let corked = try driver.stream.timing()
        #expect(!corked.isRunning)
        server.capture.wait(seconds: 0.1)
        let still = try driver.stream.timing()
        #expect(still.readFrame == corked.readFrame && still.heardFrame == corked.heardFrame)
        // From the read frame on, the medium goes on with the fade's first frame.
        let resumed = corked.rewriteFrame
        shift += resumed - start
        try driver.write(media, resumed..<resumed + 96_000, shiftedBy: shift)
        try driver.stream.setCorked(false)
        expected += [.tape(1, frame: start), .tape(0, frame: resumed - shift)]
      }
      try driver.waitUntilHeard(driver.end.withLock { $0 })
      driver.stream.close()
      server.capture.wait(seconds: 0.1)
      let runs = NoiseRun.identify(server.capture.samples, [media, fade]).filter { $0.origin != .silence }
      #expect(runs.map(\.origin) == expected, "\(runs)")
      for (run, next) in zip(runs, runs.dropFirst()) {
        guard case .tape(0, let frame) = run.origin, case .tape(1, _) = next.origin else { continue }
        // The next media run begins with the frame after this one's last.
        let index = runs.firstIndex(of: next).map { $0 + 1 } ?? 0
        #expect(
          index >= runs.count || runs[index].origin == .tape(0, frame: frame + Int64(run.count)), "\(runs)")
        #expect(next.count == Int(fadeFrames))
      }
    }

    @Test(arguments: ServerKind.allCases)
    func dryStreamGoesOnAndIsToldSo(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1, frames: 384_000)
      let driver = try StreamDriver(server.server)
      try driver.write(tape, 0..<9_600)
      try driver.stream.setCorked(false)
      #expect(driver.events.wait(seconds: 2) { $0 == .underflow })
      server.capture.wait(seconds: 2.5)
      let dry = try driver.stream.timing()
      #expect(dry.isRunning && dry.readFrame > 9_600 + 96_000, "time goes on")
      // Over the hole, to where it is heard again; then the server asks as before.
      let again = dry.rewriteFrame
      try driver.write(tape, again..<again + 96_000)
      let before = driver.events.all.filter { $0 == .needsData }.count
      try driver.play(tape, upTo: again + 96_000 * 2)
      #expect(driver.events.all.filter { $0 == .needsData }.count >= before + 2)
      driver.stream.close()
      server.capture.wait(seconds: 0.1)
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      let sounds = runs.filter { $0.origin != .silence }
      #expect(sounds.map(\.origin) == [.tape(0, frame: 0), .tape(0, frame: again)], "\(runs)")
      #expect(sounds.map(\.count) == [9_600, 192_000], "\(runs)")
    }

    @Test func sinkThatRewindsIsTrusted() throws {
      let server = try PrivatePulseServer(.init { $0.nullSinks = 1 })
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server, StreamRequest(format: .stereo(48_000), device: "n1"))
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      try driver.waitUntilHeard(20_000)
      for _ in 0..<12 {
        server.capture.wait(seconds: 0.051)
        let timing = try driver.fill(tape)
        #expect(timing.rewriteFrame - timing.heardFrame == 1_440)
        try driver.write(tape, timing.rewriteFrame..<driver.end.withLock { $0 })
      }
    }

    /// A pipe of 4096 bytes is 256 ms of 8 kHz, and gives nothing back.
    @Test func deepSinkThatCannotRewindIsLearned() throws {
      let server = try PrivatePulseServer(
        .init {
          $0.rate = 8_000
          $0.channels = 1
        })
      defer { server.stop() }
      let tapes = [1, 2].map { NoiseTape(seed: $0, channels: 1, frames: 80_000) }
      let driver = try StreamDriver(server.server, StreamRequest(format: .mono(8_000)))
      try driver.fill(tapes[0])
      try driver.stream.setCorked(false)
      server.capture.wait(seconds: 0.3)
      var starts: [Int64] = []
      for round in 1...12 {
        server.capture.wait(seconds: 0.151)
        let timing = try driver.fill(tapes[(round + 1) % 2])
        starts.append(timing.rewriteFrame)
        try driver.write(tapes[round % 2], timing.rewriteFrame..<driver.end.withLock { $0 })
      }
      let last = try driver.stream.timing()
      #expect(last.rewriteFrame - last.heardFrame >= 800 + 56)
      try driver.waitUntilHeard(driver.end.withLock { $0 })
      driver.stream.close()
      server.capture.wait(seconds: 0.3)
      let runs = NoiseRun.identify(server.capture.samples, tapes).filter { $0.origin != .silence }
      // The first that needed a rewind began late; from then on all are whole.
      let whole = starts.enumerated().map { NoiseRun.Origin.tape(($0.offset + 1) % 2, frame: $0.element) }
      let found = runs.dropFirst().map(\.origin)
      let late = zip(found, whole).filter { $0 != $1 }.count
      #expect(found.count == whole.count && late <= 1, "\(runs) \(starts)")
    }

    @Test func steadyPlayLetsTheMachineSleep() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      _ = driver.events.wait(seconds: 2) { $0 == .needsData }
      let before = (server: server.wakeUps(), loop: loopWakeUps())
      let timings = try (0..<5).map { _ in
        let timing = try driver.fill(tape)
        #expect(driver.events.wait(seconds: 2) { $0 == .needsData })
        return timing
      }
      let spent = try driver.stream.timing().hostTime.seconds(since: timings[0].hostTime)
      let scale = 5 / spent
      let loop = Double(loopWakeUps() - before.loop) * scale
      let served = Double(server.wakeUps() - before.server) * scale
      #expect(loop <= 100, "the loop's thread woke \(loop) times in 5 s")
      #expect(served <= 450, "the server woke \(served) times in 5 s")
    }

    private func loopWakeUps() -> Int {
      ChildProcess.wakeUps(process: "self") { $0 == "vplay-pulse" }
    }

    private func writeSilence(_ driver: StreamDriver, _ frames: Range<Int64>) throws {
      let silence = [Float](repeating: 0, count: frames.count * 2)
      try silence.withUnsafeBufferPointer { try driver.stream.write($0, at: frames.lowerBound) }
      driver.end.withLock { $0 = frames.upperBound }
    }
  }
}
