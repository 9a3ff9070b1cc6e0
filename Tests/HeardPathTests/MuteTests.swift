import TestSupport
import Testing
import VPlayKit
import VPlayModel
import VPlayPulse

extension HeardPathTests {
  @Suite struct Mutes {
    @Test func aMutedPlayerHasNoStreamAndJoinsAtTheRightPlace() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.flac(offset: 0)
      heard.setMuted(true)
      heard.load(file.url)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      for _ in 0..<3 {
        heard.wait(seconds: 0.2)
        #expect(try heard.streams().isEmpty)
      }
      try checkUnmute(heard, file)
      // Muted for so long, the stream is let go; and back.
      heard.wait(seconds: 0.5)
      let muted = server.capture.frameCount
      heard.setMuted(true)
      heard.wait(seconds: 0.2)
      #expect(try heard.streams().count == 1)
      heard.wait(seconds: 5.2)
      #expect(try heard.streams().isEmpty)
      #expect(server.capture.samples(from: muted + 7_200).allSatisfy { $0 == 0 })
      try checkUnmute(heard, file)
    }

    @Test func twentyMutedPlayersHaveNoStreamAndOneJoinsInStep() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let file = try NoiseFile.flac(offset: 0)
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let players = (0..<20).map { _ in
        let heard = HeardPlayer(server, sink: sink)
        heard.setMuted(true)
        heard.load(file.url)
        heard.play()
        return heard
      }
      for heard in players { #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing }) }
      for _ in 0..<3 {
        players[0].wait(seconds: 0.2)
        #expect(try players[0].streams().isEmpty)
      }
      try checkUnmute(players[0], file)
      #expect(try players[0].streams().count == 1)
    }

    /// Unmutes, and compares when which frame is heard then with what the clock had told.
    private func checkUnmute(_ heard: HeardPlayer, _ file: NoiseFile) throws {
      let capture = heard.server.capture
      let clock = SystemClock()
      let from = capture.frameCount
      let before = clock.now
      let time = heard.player.currentTime().seconds
      heard.setMuted(false)
      heard.wait(seconds: 0.4)
      let runs = file.runs(in: capture.samples(from: from))
      let run = try #require(runs.first { $0.media != nil }, "\(runs)")
      #expect(runs.allSatisfy { $0.origin != .unknown }, "\(runs)")
      #expect(runs.filter { $0.media != nil }.count == 1, "\(runs)")
      let host = capture.hostTime(ofFrame: from + run.captureFrame)
      let wait = host.seconds(since: before)
      #expect(wait < 0.15, "\(wait)")
      let media = Double(try #require(run.media?.lowerBound)) / 48_000
      #expect(abs(media - time - wait) < 0.010, "\(media) \(time) \(wait)")
      // What is told goes on from what was told, and agrees with what is heard.
      let later = heard.player.currentTime().seconds
      let passed = clock.now.seconds(since: before)
      #expect(abs(later - time - passed) < 0.015, "\(later) \(time) \(passed)")
    }
  }
}
