import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  @Suite struct Pauses {
    @Test(
      "200 toggles in quick succession end in the last state asked, B23", arguments: [(true, UInt64(5)), (false, 6)])
    func twoHundredTogglesEndInTheLastState(endsInPlay: Bool, seed: UInt64) throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      var random = SeededGenerator(seed: seed)
      let clock = SystemClock()
      var slowest = 0.0
      for index in 0..<200 {
        let start = clock.now
        if (index % 2 == 1) == endsInPlay { heard.play() } else { heard.pause() }
        slowest = max(slowest, clock.now.seconds(since: start))
        if index < 199 { heard.wait(seconds: .random(in: 0...0.03, using: &random)) }
      }
      #expect(slowest < 0.2)
      let last = server.capture.frameCount
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == (endsInPlay ? .playing : .paused) })
      heard.wait(seconds: 0.6)
      let tail = server.capture.samples(from: last + 14_400)
      if endsInPlay {
        #expect(tail.prefix(4_800).contains { $0 != 0 })
      } else {
        #expect(tail.allSatisfy { $0 == 0 })
        #expect(try heard.streams().allSatisfy(\.isCorked))
      }
      #expect(heard.player.rate == (endsInPlay ? 1 : 0))
      let trace = heard.trace(of: file)
      #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(trace.runs)")
    }

    /// B22: what is loaded and not played opens nothing, and begins with its first frame.
    @Test("what is loaded, or paused, keeps nothing awake and loses nothing, B22") func whatIsPausedKeepsNothingAwake()
      throws
    {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      #expect(waitUntil(heard.player, \.status) { $0 == .readyToPlay })
      heard.wait(seconds: 1)
      #expect(heard.player.currentTime() == .zero)
      #expect(try heard.streams().allSatisfy(\.isCorked))
      heard.play()
      heard.wait(seconds: 0.7)
      heard.pause()
      heard.wait(seconds: 0.3)
      let time = heard.player.currentTime()
      heard.wait(seconds: 0.7)
      #expect(heard.player.currentTime() == time)
      #expect(try heard.streams().allSatisfy(\.isCorked))
      let sinks = try server.run("pactl", "list", "short", "sinks")
      #expect(sinks.contains("IDLE") || sinks.contains("SUSPENDED"), "\(sinks)")
      heard.play()
      heard.wait(seconds: 0.3)
      let trace = heard.trace(of: file)
      #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(trace.runs)")
      // The paused time is the frame from which the sound comes back.
      let media = trace.runs.compactMap(\.media)
      #expect(media.count == 2)
      let resumed = try #require(media.last?.lowerBound)
      #expect(abs(time.seconds * 48_000 - Double(resumed)) < 48)
    }
  }
}
