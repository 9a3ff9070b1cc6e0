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
      #expect(abs(Double(media[1].lowerBound) - stood.seconds * 48_000) <= 2, "\(runs) \(stood.seconds)")
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
      let noticed = clock.now.seconds(since: frozen)
      // It is asked when it should have wanted more, and given a second to answer.
      #expect(noticed < 4, "\(noticed)")
      let stood = heard.player.currentTime()
      #expect(stood.seconds <= time + noticed + 0.05)
      let pause = Log<Bool>()
      _ = pause.wait(seconds: 0.6) { !$0.isEmpty }
      #expect(heard.player.currentTime() == stood)
      server.thaw()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 1)
      let samples = server.capture.samples
      let told = heard.player.currentTime().seconds
      let runs = file.runs(in: samples).filter { $0.origin != .silence }
      #expect(runs.count == 2 && runs.allSatisfy { $0.media != nil }, "\(runs)")
      guard runs.count == 2, let old = runs[0].media, let new = runs[1].media else { return }
      // Thawed, it may first play what it had; then it goes on where time stood.
      #expect(old.lowerBound == 0 && Double(old.upperBound) <= stood.seconds * 48_000 + 2, "\(runs)")
      #expect(abs(Double(new.lowerBound) - stood.seconds * 48_000) <= 2, "\(runs) \(stood.seconds)")
      // And what is told is heard, but for what the capture's reader and a sink that catches up may be behind.
      #expect(abs(told - Double(new.upperBound) / 48_000) < 0.3, "\(told) \(runs)")
    }

    /// What is asked of a frozen server is done when it thaws.
    @Test(arguments: [true, false])
    func whatIsAskedOfAFrozenServerIsDoneLater(isPaused: Bool) throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      heard.wait(seconds: 0.5)
      server.freeze()
      heard.seek(toFrame: 480_000)
      if isPaused { heard.pause() }
      let asked = SystemClock().now
      let pause = Log<Bool>()
      _ = pause.wait(seconds: 1.5) { !$0.isEmpty }
      #expect(heard.player.currentTime() == CMTime(value: 10, timescale: 1))
      server.thaw()
      #expect(heard.waitForAnswers())
      #expect(heard.answers.all.map(\.isDone) == [true])
      #expect(SystemClock().now.seconds(since: asked) < 8)
      if isPaused {
        // Once it answers it has caught up with its clock, and may have played what it had meanwhile.
        #expect(try heard.streams().isEmpty)
        heard.wait(seconds: 0.7)
        #expect(server.capture.samples.suffix(9_600).allSatisfy { $0 == 0 })
        #expect(heard.player.currentTime() == CMTime(value: 10, timescale: 1))
        heard.play()
      }
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.4)
      let media = file.runs(in: server.capture.samples).compactMap(\.media)
      #expect(media.last?.lowerBound == 480_000, "\(media)")
      #expect(media.dropLast().allSatisfy { $0.upperBound < 480_000 }, "\(media)")
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
    @Test("a released player is silent, B40", arguments: [ServerKind.pulseAudio, .pipeWire])
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
