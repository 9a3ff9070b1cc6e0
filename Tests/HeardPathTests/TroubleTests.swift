import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  @Suite struct Trouble {
    /// Between the server's end and the player's hearing of it the clock goes on; and what the dying server had in its
    /// pipe is captured, though not told as heard.
    private static let toldSeconds = 0.05

    @Test func theSoundGoesOnWhereItStoodWhenTheServerIsBack() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      heard.wait(seconds: 0.7)
      server.kill()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      #expect(heard.player.rate == 1)
      let stood = heard.player.currentTime()
      let before = server.capture.frameCount
      // The clock of a dead server is no clock.
      let pause = Log<Bool>()
      _ = pause.wait(seconds: 0.6) { !$0.isEmpty }
      #expect(heard.player.currentTime() == stood)
      try server.restart()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.5)
      heard.seek(toFrame: 480_000)
      heard.wait(seconds: 0.4)
      let runs = file.runs(in: server.capture.samples).filter { $0.origin != .silence }
      let media = runs.compactMap(\.media)
      #expect(runs.count == 3 && media.count == 3, "\(runs)")
      guard media.count == 3 else { return }
      #expect(media[0].lowerBound == 0)
      #expect(runs[0].captureEnd <= before && runs[1].captureFrame >= before, "\(runs)")
      #expect(abs(Double(media[1].lowerBound - media[0].upperBound)) < Self.toldSeconds * 48_000, "\(runs)")
      #expect(abs(Double(media[1].lowerBound) - stood.seconds * 48_000) <= 1, "\(runs) \(stood.seconds)")
      #expect(media[2].lowerBound == 480_000, "\(runs)")
    }

    @Test func aFrozenServerStopsTimeAndAThawedOneGoesOn() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      heard.wait(seconds: 0.7)
      let clock = SystemClock()
      let frozen = clock.now
      let time = heard.player.currentTime().seconds
      server.freeze()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      let stood = heard.player.currentTime()
      let noticed = clock.now.seconds(since: frozen)
      #expect(noticed < 4, "\(noticed)")
      let pause = Log<Bool>()
      _ = pause.wait(seconds: 1) { !$0.isEmpty }
      #expect(heard.player.currentTime() == stood)
      server.thaw()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 1.5)
      let told = heard.player.currentTime().seconds
      let now = clock.now
      let capture = server.capture
      heard.wait(seconds: 0.3)
      let runs = file.runs(in: capture.samples)
      let media = runs.compactMap(\.media)
      print(time, stood.seconds, noticed, told, runs)
      #expect(runs.allSatisfy { $0.origin != .unknown }, "\(runs)")
      for (old, new) in zip(media, media.dropFirst()) {
        #expect(new.lowerBound <= old.upperBound, "lost: \(runs)")
      }
      _ = now
    }

    @Test func aPlayerIsReleasedAtOnceThoughTheServerIsFrozen() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      var heard: HeardPlayer? = HeardPlayer(server)
      heard?.load(try NoiseFile.wav().url)
      heard?.play()
      heard?.wait(seconds: 0.5)
      server.freeze()
      let clock = SystemClock()
      let start = clock.now
      weak let player = heard?.player
      heard?.seek(toFrame: 96_000)
      heard?.pause()
      heard?.play()
      heard = nil
      #expect(clock.now.seconds(since: start) < 0.2)
      #expect(player == nil)
      server.thaw()
    }

    /// B40: no sound stays behind.
    @Test(arguments: [ServerKind.pulseAudio, .pipeWire])
    func aReleasedPlayerIsSilent(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      var heard: HeardPlayer? = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard?.load(file.url)
      heard?.play()
      heard?.wait(seconds: 0.5)
      heard = nil
      let released = server.capture.frameCount
      server.capture.wait(seconds: 0.5)
      let samples = server.capture.samples
      let runs = file.runs(in: samples)
      #expect(runs.filter { $0.origin != .silence }.count == 1, "\(runs)")
      let last = try #require(runs.last { $0.media != nil })
      #expect(last.captureEnd < released + 9_600, "\(runs) \(released)")
      // By a ramp, not a cut.
      #expect(last.lastGain < 0.1, "\(runs)")
    }
  }
}
