import Foundation
import Glibc
import TestSupport
import Testing
import VPlayModel

/// `--duck-others`: what becomes of another program's stream.
@Suite(.serialized)
struct DuckingTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try WaveFile.noise(frames: 48_000 * 20).write(to: scratch["in.wav"])
    try WaveFile.noise(frames: 48_000).write(to: scratch["short.wav"])
  }

  /// A server, and on it a stream of silence at a volume of its own, which PipeWire rounds.
  private func start(_ kind: PrivatePulseServer.Options.Kind) throws -> (PrivatePulseServer, Int) {
    let server = try PrivatePulseServer(.init(kind))
    _ = try server.launch("pacat", "--playback", "--raw", "/dev/zero")
    try wait("a stream") { try volume(server) != nil }
    // PipeWire does not heed pacat's own option for it.
    try server.run("pactl", "set-sink-input-volume", #require(try index(server)), "50000")
    var original = 0
    try wait("the other stream") {
      original = try volume(server) ?? 0
      return abs(original - 50_000) < 100
    }
    return (server, original)
  }

  private func player(_ server: PrivatePulseServer, _ arguments: String...) throws -> PlayerProcess {
    try PlayerProcess(
      (["--duck-others"] + arguments).map { Array($0.utf8) }, terminal: .none,
      environment: ["PULSE_SERVER": server.server])
  }

  /// The other stream's volume, of 65536.
  private func volume(_ server: PrivatePulseServer) throws -> Int? {
    let streams = try server.run("pactl", "list", "sink-inputs").components(separatedBy: "Sink Input #")
    guard let other = streams.first(where: { $0.contains("\"pacat\"") }),
      let line = other.split(separator: "\n").first(where: { $0.contains("Volume:") })
    else { return nil }
    return line.split(separator: " ").compactMap { Int($0) }.first
  }

  private func index(_ server: PrivatePulseServer) throws -> String? {
    let streams = try server.run("pactl", "list", "sink-inputs").components(separatedBy: "Sink Input #")
    return streams.first { $0.contains("\"pacat\"") }?.split(separator: "\n").first.map(String.init)
  }

  private func wait(_ what: String, _ isTrue: () throws -> Bool) throws {
    let limit = SystemClock().now.advanced(bySeconds: 10)
    while try !isTrue() {
      if SystemClock().now > limit { throw SinkError(.timedOut, "in vain: \(what)") }
    }
  }

  @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
  func othersAreLoweredAndGivenBack(kind: PrivatePulseServer.Options.Kind) throws {
    let (server, original) = try start(kind)
    defer { server.stop() }
    let player = try player(server, scratch["in.wav"])
    try wait("the other to be lowered") { try volume(server).map { $0 < original * 3 / 4 } ?? false }
    player.send(SIGTERM)
    #expect(player.next(within: 5) == .signalled(SIGTERM))
    #expect(try volume(server) == original)

    let short = try self.player(server, scratch["short.wav"])
    #expect(short.next(within: 10) == .exited(0))
    #expect(try volume(server) == original)
  }

  @Test func aPauseGivesBack() throws {
    let (server, original) = try start(.pulseAudio)
    defer { server.stop() }
    let player = try PlayerProcess(
      ["--duck-others", scratch["in.wav"]].map { Array($0.utf8) }, terminal: .pseudo(columns: 80),
      environment: ["PULSE_SERVER": server.server])
    try wait("the other to be lowered") { try volume(server).map { $0 < original } ?? false }
    player.type(" ")
    try wait("its own volume") { try volume(server) == original }
    player.type(" ")
    try wait("the other to be lowered again") { try volume(server).map { $0 < original } ?? false }
    player.type("q")
    #expect(player.next(within: 5) == .exited(0))
    #expect(try volume(server) == original)
  }

  @Test func whatTheUserSetsMeanwhileStands() throws {
    let (server, original) = try start(.pulseAudio)
    defer { server.stop() }
    let player = try player(server, scratch["in.wav"])
    try wait("the other to be lowered") { try volume(server).map { $0 < original } ?? false }
    try server.run("pactl", "set-sink-input-volume", #require(try index(server)), "30000")
    player.send(SIGTERM)
    #expect(player.next(within: 5) == .signalled(SIGTERM))
    #expect(try volume(server) == 30_000)
  }

  @Test func aMutedPlayerTouchesNobody() throws {
    let (server, original) = try start(.pulseAudio)
    defer { server.stop() }
    let player = try player(server, "--mute", scratch["short.wav"])
    var seen: Set<Int> = []
    while player.next(within: 0.05) == nil { try seen.insert(volume(server) ?? -1) }
    #expect(seen == [original])
  }
}
