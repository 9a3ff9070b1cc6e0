import Foundation
import TestSupport
import Testing
import VPlayModel
import VPlayPulse

@testable import VPlayKit

/// The session as a value, and by what a private server tells it.
struct SessionTests {
  static func state(
    _ outputs: [String], default name: String?, change: (inout PulseServerState.Output) -> Void = { _ in }
  ) -> PulseServerState {
    var state = PulseServerState()
    state.isConnected = true
    state.defaultOutput = name
    for (index, name) in outputs.enumerated() {
      var output = PulseServerState.Output(
        name: name, description: name, rate: 48_000, channelCount: 2)
      change(&output)
      state.outputs[UInt32(index)] = output
    }
    return state
  }

  @Test(
    arguments: [
      (["a", "b"], "a", ["a", "b"], "a", nil), (["a", "b"], "a", ["b"], "b", .oldDeviceUnavailable),
      (["a"], "a", ["a", "b"], "b", .newDeviceAvailable), (["a", "b"], "a", ["a", "b"], "b", .override),
      (["a"], "a", ["a", "b"], "a", nil),
    ] as [([String], String, [String], String, ServerChange.Route?)])
  func `a new way of the sound has its reason`(
    before: [String], first: String, after: [String], second: String, reason: ServerChange.Route?
  ) {
    let old = Self.state(before, default: first)
    var new = Self.state(after, default: second)
    // Indices are the server's: those that stay keep theirs.
    if before == ["a", "b"], after == ["b"] { new.outputs = [1: new.outputs[0]].compactMapValues { $0 } }
    #expect(ServerChange(from: old, to: new, routed: old, hasLost: false).route == reason)
  }

  @Test(
    arguments: [
      ("Headphones", "Speakers", ["Headphones"], .oldDeviceUnavailable),
      ("Speakers", "Headphones", [], .newDeviceAvailable), ("Speakers", "Line", [], .override),
    ] as [(String, String, Set<String>, ServerChange.Route)])
  func `a connector that is pulled out or plugged in has its reason`(
    before: String, after: String, unplugged: Set<String>, reason: ServerChange.Route
  ) {
    let old = Self.state(["a"], default: "a") { output in
      output.port = before
      output.unpluggedPorts = before == "Headphones" ? [] : ["Headphones"]
    }
    let new = Self.state(["a"], default: "a") { output in
      output.port = after
      output.unpluggedPorts = unplugged
    }
    #expect(ServerChange(from: old, to: new, routed: old, hasLost: false).route == reason)
  }

  @Test func `the server's end and return are told once`() {
    let up = Self.state(["a"], default: "a")
    let down = PulseServerState()
    #expect(ServerChange(from: up, to: down, routed: nil, hasLost: false).isLost)
    #expect(!ServerChange(from: down, to: down, routed: nil, hasLost: true).isLost)
    #expect(ServerChange(from: down, to: up, routed: nil, hasLost: true).isReset)
    #expect(!ServerChange(from: down, to: up, routed: nil, hasLost: false).isReset)
    #expect(ServerChange(from: up, to: down, routed: nil, hasLost: false).route == nil)
  }

  @Test func `the route is where our own sound is`() {
    var state = Self.state(["a", "b"], default: "a")
    #expect(state.route?.name == "a")
    state.inputs[7] = PulseServerState.Input(output: 1, isOurs: false, isCall: true, isRunning: true)
    #expect(state.route?.name == "a" && state.hasCall && state.hasOthersSound)
    state.inputs[8] = PulseServerState.Input(output: 1, isOurs: true, isCall: false, isRunning: true)
    #expect(state.route?.name == "b")
  }

  @Test func `categories that VPlay has not are refused, and change nothing`() throws {
    let session = AVAudioSession(sink: { PulseSink(applicationName: "VPlayTests", server: "unix:/nonexistent") })
    #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
    try session.setCategory(.playback, mode: .moviePlayback, options: .duckOthers)
    for category in [AVAudioSession.Category.record, .playAndRecord, .multiRoute, .init(rawValue: "x")] {
      let error = #expect(throws: NSError.self) { try session.setCategory(category) }
      #expect(error?.domain == NSOSStatusErrorDomain && error?.code == AVAudioSession.ErrorCode.badParam.rawValue)
    }
    #expect(throws: NSError.self) { try session.setCategory(.ambient, options: .duckOthers) }
    #expect(throws: NSError.self) { try session.setMode(.init(rawValue: "x")) }
    #expect(session.category == .playback && session.mode == .moviePlayback && session.categoryOptions == .duckOthers)
    #expect(session.role(hasVideo: false) == .video)
    try session.setMode(.spokenAudio)
    #expect(session.role(hasVideo: false) == .music && session.role(hasVideo: true) == .video)
  }

  @Test func `without a server there is no route and no volume`() {
    let session = AVAudioSession(sink: { PulseSink(applicationName: "VPlayTests", server: "unix:/nonexistent") })
    #expect(session.currentRoute.outputs.isEmpty)
    #expect(session.sampleRate == 0 && session.outputNumberOfChannels == 0 && session.outputVolume == 0)
    session.setOutputVolume(0.5)
    #expect(!session.isOtherAudioPlaying)
  }
}
