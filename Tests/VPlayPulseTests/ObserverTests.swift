import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

/// States of a server, as they come.
private final class States: Sendable {
  private let all = Monitor<[PulseServerState]>([])

  func add(_ state: PulseServerState) { all.withLockAndWake { $0.append(state) } }

  /// Waits until a state since the last look is as wanted.
  func wait(_ what: String, _ isWanted: (PulseServerState) -> Bool) throws {
    let found: Bool? = all.wait(until: SystemClock().now.advanced(bySeconds: 10)) { states in
      guard let index = states.firstIndex(where: isWanted) else { return nil }
      states.removeFirst(index)
      return true
    }
    if found == nil { throw SinkError(.timedOut, "in vain: \(what); \(all.withLock { $0 })") }
  }
}

extension ServerTests {
  @Suite struct Observer {
    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func whatTheServerHasIsFollowed(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind) { $0.nullSinks = 1 })
      defer { server.stop() }
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let states = States()
      let token = sink.observe { states.add($0) }
      defer { withExtendedLifetime(token) {} }
      try states.wait("both outputs") {
        Set($0.outputs.values.map(\.name)) == ["lab", "n1"] && $0.defaultOutput == "lab"
          && $0.output(named: "lab")?.rate == 48_000 && $0.output(named: "lab")?.channelCount == 2
      }
      // The recorded one: PipeWire 1.4 leaves the volume of a null sink that nothing runs on as it is.
      try server.run("pactl", "set-sink-volume", "lab", "40%")
      try states.wait("the volume") { abs(($0.output(named: "lab")?.volume ?? 0) - 0.4) < 0.01 }
      sink.setVolume(0.25, ofOutput: "lab")
      try states.wait("our volume") { abs(($0.output(named: "lab")?.volume ?? 0) - 0.25) < 0.01 }
      try server.run("pactl", "set-sink-mute", "lab", "1")
      try states.wait("the mute") { $0.output(named: "lab")?.isMuted == true }
      try server.run("pactl", "set-default-sink", "n1")
      try states.wait("the default") { $0.defaultOutput == "n1" }
      try server.run("pactl", "suspend-sink", "n1", "1")
      try states.wait("the suspension") { $0.output(named: "n1")?.isSuspended == true }
      let modules = try server.run("pactl", "list", "short", "modules").split(separator: "\n")
      if let module = modules.first(where: { $0.contains("sink_name=n1") })?.split(separator: "\t").first {
        try server.run("pactl", "unload-module", String(module))
        try states.wait("its end") { $0.output(named: "n1") == nil && $0.defaultOutput == "lab" }
      }
    }

    @Test func aServerThatEndsIsTold() throws {
      let server = try PrivatePulseServer()
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let states = States()
      let token = sink.observe { states.add($0) }
      defer { withExtendedLifetime(token) {} }
      try states.wait("a connection") { $0.isConnected && $0.defaultOutput == "lab" }
      server.stop()
      try states.wait("its end") { $0 == PulseServerState() }
    }
  }
}
