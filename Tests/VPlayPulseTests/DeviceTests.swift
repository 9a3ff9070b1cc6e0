import Foundation
import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

extension ServerTests {
  @Suite struct Devices {
    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func areListedDefaultFirst(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind) { $0.nullSinks = 2 })
      defer { server.stop() }
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let devices = try sink.devices(cancellation: SinkCancellation())
      #expect(devices.first?.name == "lab")
      #expect(devices.map(\.isDefault) == [true, false, false])
      #expect(Set(devices.map(\.name)) == ["lab", "n1", "n2"])
      #expect(devices.allSatisfy { !$0.description.isEmpty })
    }

    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func unknownOneIsNamedInTheError(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind))
      defer { server.stop() }
      #expect(
        throws: SinkError(.noSuchDevice, "there is no output named speakers")
      ) {
        _ = try StreamDriver(server.server, StreamRequest(format: .stereo(48_000), device: "speakers"))
      }
    }

    @Test func askedForIsUsed() throws {
      let server = try PrivatePulseServer(.init { $0.nullSinks = 1 })
      defer { server.stop() }
      let driver = try StreamDriver(
        server.server, StreamRequest(format: .stereo(48_000), device: "n1", title: "A song"))
      let inputs = try server.run("pactl", "list", "sink-inputs")
      let n1 = try #require(
        server.run("pactl", "list", "short", "sinks").split(separator: "\n").first { $0.contains("n1") })
      #expect(inputs.contains("Sink: \(n1.split(separator: "\t")[0])\n"))
      #expect(inputs.contains("Corked: yes"))
      #expect(inputs.contains("Mute: no"))
      #expect(inputs.contains("media.name = \"A song\""))
      #expect(inputs.contains("media.role = \"music\""))
      #expect(inputs.contains("application.name = \"VPlayTests\""))
      #expect(inputs.contains("module-stream-restore.id = \"sink-input-by-application-id:vplay-music\""))
      driver.stream.close()
    }

    @Test(
      arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire], [8_000, 44_100, 96_000, 1_000_000])
    func streamTakesTheSinksRate(kind: PrivatePulseServer.Options.Kind, rate: Int) throws {
      let server = try PrivatePulseServer(.init(kind))
      defer { server.stop() }
      let driver = try StreamDriver(server.server, StreamRequest(format: .mono(rate)))
      #expect(driver.stream.format == .stereo(48_000))
      #expect(driver.stream.bufferFrames == 96_000)
    }

    @Test func idleSinkTakesTheStreamsRate() throws {
      let server = try PrivatePulseServer(
        .init {
          $0.daemonConfiguration = ["alternate-sample-rate = 44100", "avoid-resampling = yes"]
          $0.capturesNullSink = true
        })
      defer { server.stop() }
      // The recorder holds the null sink's rate; a second one is idle.
      try server.run("pactl", "load-module", "module-null-sink", "sink_name=idle", "rate=48000")
      let driver = try StreamDriver(server.server, StreamRequest(format: .stereo(44_100), device: "idle"))
      #expect(driver.stream.format == .stereo(44_100))
    }

    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire], [2, 6])
    func streamsHaveTheLayoutThatTheSinkPlays(kind: PrivatePulseServer.Options.Kind, sinkChannels: Int) throws {
      let stereo: [ChannelPosition] = [.frontLeft, .frontRight]
      let surround = stereo + [.frontCenter, .lowFrequency, .backLeft, .backRight]
      let server = try PrivatePulseServer(
        .init(kind) {
          $0.channels = sinkChannels
          if sinkChannels == 6 { $0.channelMap = "front-left,front-right,front-center,lfe,rear-left,rear-right" }
        })
      defer { server.stop() }
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let wide = sinkChannels == 6 ? surround : stereo
      let layouts: [(item: [ChannelPosition], stream: [ChannelPosition])] = [
        ([.frontCenter], stereo), ([.unknown], stereo), (stereo, stereo), (surround, wide),
        (stereo + [.frontCenter, .lowFrequency, .sideLeft, .sideRight], wide),
        (stereo + [.frontCenter], wide), ([.backCenter, .topCenter, .unknown], wide),
        (Array(repeating: .unknown, count: 33), wide),
      ]
      for layout in layouts {
        let format = AudioFormat(sampleRate: 48_000, channels: layout.item)
        let driver = try StreamDriver(server.server, StreamRequest(format: format), sink: sink)
        #expect(driver.stream.format.channels == layout.stream, "\(layout.item)")
        driver.stream.close()
      }
    }

    @Test func aMonoSinkKeepsMono() throws {
      let server = try PrivatePulseServer(.init { $0.channels = 1 })
      defer { server.stop() }
      let driver = try StreamDriver(server.server, StreamRequest(format: .mono(48_000)))
      #expect(driver.stream.format == .mono(48_000))
      let wide = try StreamDriver(
        server.server,
        StreamRequest(format: AudioFormat(sampleRate: 48_000, channels: [.frontLeft, .frontRight, .frontCenter])))
      #expect(wide.stream.format == .mono(48_000))
    }

    @Test func moveAndSuspensionAreTold() throws {
      // An idle sink would switch between 44.1 and 48 kHz for a stream that comes.
      let server = try PrivatePulseServer(
        .init {
          $0.rate = 32_000
          $0.nullSinks = 1
        })
      defer { server.stop() }
      try server.run("pactl", "load-module", "module-null-sink", "sink_name=other", "rate=48000")
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server, StreamRequest(format: .stereo(32_000)))
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      let input = try #require(
        server.run("pactl", "list", "short", "sink-inputs").split(separator: "\t").first)
      try server.run("pactl", "move-sink-input", String(input), "n1")
      #expect(driver.events.wait(seconds: 1) { $0 == .moved(needsReopen: false, device: "n1") })
      try server.run("pactl", "move-sink-input", String(input), "other")
      #expect(driver.events.wait(seconds: 1) { $0 == .moved(needsReopen: true, device: "other") })
      try server.run("pactl", "suspend-sink", "other", "1")
      #expect(driver.events.wait(seconds: 1) { $0 == .suspended(true) })
      let timing = try driver.stream.timing()
      #expect(!timing.isRunning)
      try server.run("pactl", "suspend-sink", "other", "0")
      #expect(driver.events.wait(seconds: 1) { $0 == .suspended(false) })
    }

    @Test func rememberedVolumeOfTheRoleIsNotOurs() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let other = try server.launch("pacat", "--property=media.role=music", "--raw", "/dev/zero")
      defer { other.signal(SIGKILL) }
      let index = try waitForInput(server)
      try server.run("pactl", "set-sink-input-volume", index, "30%")
      try server.run("pactl", "set-sink-input-mute", index, "1")
      other.signal(SIGKILL)
      other.wait()
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape, upTo: 4_800)
      try driver.stream.setCorked(false)
      try driver.waitUntilHeard(4_800)
      server.capture.wait(seconds: 0.1)
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      #expect(runs.contains { $0.origin == .tape(0, frame: 0) && $0.count == 4_800 }, "\(runs)")
    }
  }

  @Suite struct Settings {
    @Test func flatVolumesDoNotMoveTheSink() throws {
      let server = try PrivatePulseServer(.init { $0.daemonConfiguration = ["flat-volumes = yes"] })
      defer { server.stop() }
      try server.run("pactl", "set-sink-volume", "lab", "40%")
      let driver = try StreamDriver(server.server)
      try driver.fill(NoiseTape(seed: 1, frames: 4_800))
      try driver.stream.setCorked(false)
      try driver.waitUntilHeard(4_800)
      #expect(try server.run("pactl", "get-sink-volume", "lab").contains(" 40%"))
    }

    /// `PULSE_LATENCY_MSEC` would make the server wait for a full buffer of its own size.
    @Test("PULSE_LATENCY_MSEC is overruled, B26", arguments: ["1", "3000"]) func latencyOfTheEnvironmentIsOverruled(
      milliseconds: String
    ) throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      setenv("PULSE_LATENCY_MSEC", milliseconds, 1)
      defer { unsetenv("PULSE_LATENCY_MSEC") }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      #expect(driver.stream.bufferFrames == 96_000)
      try driver.fill(tape, upTo: 480)
      try driver.stream.setCorked(false)
      try driver.waitUntilHeard(480)
      server.capture.wait(seconds: 0.1)
      let runs = NoiseRun.identify(server.capture.samples, [tape])
      #expect(runs.contains { $0.origin == .tape(0, frame: 0) && $0.count == 480 }, "\(runs)")
    }

    /// Two seconds of it are more than the server's queue holds.
    @Test func wideFramesAreAllHeardAndRewritten() throws {
      let server = try PrivatePulseServer(
        .init {
          $0.rate = 96_000
          $0.channels = 8
          $0.channelMap = "front-left,front-right,front-center,lfe,rear-left,rear-right,side-left,side-right"
        })
      defer { server.stop() }
      let channels: [ChannelPosition] = [
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight,
      ]
      let format = AudioFormat(sampleRate: 96_000, channels: channels)
      let tape = NoiseTape(seed: 1, channels: 8, frames: 240_000)
      let driver = try StreamDriver(server.server, StreamRequest(format: format))
      #expect(driver.stream.format == format)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      for _ in 0..<4 {
        server.capture.wait(seconds: 0.1)
        let timing = try driver.fill(tape)
        try driver.write(tape, timing.rewriteFrame..<driver.end.withLock { $0 })
      }
      try driver.play(tape, upTo: 240_000)
      driver.stream.close()
      server.capture.wait(seconds: 0.1)
      let sounds = NoiseRun.identify(server.capture.samples, [tape]).filter { $0.origin != .silence }
      #expect(sounds.map(\.origin) == [.tape(0, frame: 0)] && sounds.map(\.count) == [240_000], "\(sounds)")
    }
  }

  @Suite struct Interruptions {
    /// module-role-cork mutes us as it asks: its mute is undone, and a second call asks again. PipeWire asks nobody.
    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func callBeginsAndEnds(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind))
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      for _ in 1...2 {
        let call = try server.launch("pacat", "--property=media.role=phone", "--raw", "/dev/zero")
        #expect(driver.events.wait(seconds: 2) { $0 == .interrupted(true) })
        try waitUntilMute(server, "no")
        try driver.stream.setCorked(true)
        call.signal(SIGKILL)
        call.wait()
        #expect(driver.events.wait(seconds: 2) { $0 == .interrupted(false) })
        try driver.stream.setCorked(false)
        try waitUntilMute(server, "no")
      }
    }

    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func streamOpenedDuringACallIsTold(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind))
      defer { server.stop() }
      let call = try server.launch("pacat", "--property=media.role=phone", "--raw", "/dev/zero")
      defer { call.signal(SIGKILL) }
      _ = try waitForInput(server)
      let driver = try StreamDriver(server.server)
      #expect(driver.events.wait(seconds: 2) { $0 == .interrupted(true) })
      call.signal(SIGKILL)
      call.wait()
      #expect(driver.events.wait(seconds: 2) { $0 == .interrupted(false) })
      try waitUntilMute(server, "no")
    }

    @Test func mixersMuteStands() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let driver = try StreamDriver(server.server)
      try driver.fill(NoiseTape(seed: 1))
      try driver.stream.setCorked(false)
      let index = try waitForInput(server)
      try server.run("pactl", "set-sink-input-mute", index, "1")
      _ = try driver.stream.timing()
      try waitUntilMute(server, "yes")
      #expect(!driver.events.all.contains(.interrupted(true)))
    }
  }
}

/// The index of the first stream on the server, once there is one.
private func waitForInput(_ server: PrivatePulseServer) throws -> String {
  var index: String?
  try waitUntil("a stream is there") {
    index = try server.run("pactl", "list", "short", "sink-inputs").split(separator: "\t").first.map(
      String.init)
    return index != nil
  }
  return index ?? ""
}

private func waitUntilMute(_ server: PrivatePulseServer, _ value: String) throws {
  try waitUntil("the mute is \(value)") {
    let inputs = try server.run("pactl", "list", "sink-inputs").components(separatedBy: "Sink Input #")
    return inputs.contains { $0.contains("VPlayTests") && $0.contains("Mute: \(value)\n") }
  }
}

/// Asks again and again, each time a program of its own.
private func waitUntil(_ what: String, _ isTrue: () throws -> Bool) throws {
  let limit = SystemClock().now.advanced(bySeconds: 3)
  while try !isTrue() {
    if SystemClock().now > limit { throw SinkError(.timedOut, "in vain: \(what)") }
  }
}
