import Foundation
import Glibc
import TestSupport
import Testing
import VPlayModel

/// The program on a desktop's bus: what it tells, and what it obeys.
@Suite(.serialized)
struct DesktopTests {
  private let scratch: Scratch
  private let bus: PrivateSessionBus

  init() throws {
    scratch = try Scratch()
    bus = try PrivateSessionBus()
    for (index, seconds) in [30, 20].enumerated() {
      try WaveFile.noise(frames: 48_000 * seconds, seed: UInt64(index)).write(to: scratch["\(index).wav"])
    }
  }

  private func player(_ arguments: String...) throws -> PlayerProcess {
    try PlayerProcess(
      (["--output", "null"] + arguments).map { Array($0.utf8) }, terminal: .none,
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
  }

  private func control(_ arguments: String...) throws -> String {
    try bus.run(["playerctl", "-p", "vplay"] + arguments)
  }

  /// Waits until the desktop sees `value`.
  private func sees(_ value: String, _ arguments: String...) -> Bool {
    let limit = SystemClock().now.advanced(bySeconds: 10)
    while SystemClock().now < limit {
      if let seen = try? bus.run(["playerctl", "-p", "vplay"] + arguments), seen == value { return true }
    }
    return false
  }

  @Test func itTellsWhatItPlays() throws {
    let player = try player("--volume", "0.5", "--rate", "2", "--loop", scratch["0.wav"])
    #expect(sees("Playing", "status"))
    #expect(try control("metadata", "xesam:title") == "0.wav")
    #expect(try control("metadata", "mpris:length") == "30000000")
    #expect(try control("metadata", "xesam:url").hasSuffix("/0.wav"))
    #expect(try control("volume") == "0.500000")
    #expect(try control("loop") == "Playlist")
    let first = try #require(Double(try control("position")))
    let second = try #require(Double(try control("position")))
    #expect(second > first && second < 30)
    kill(player)
  }

  @Test func itObeys() throws {
    let player = try player(scratch["0.wav"], scratch["1.wav"])
    #expect(sees("Playing", "status"))
    _ = try control("pause")
    #expect(sees("Paused", "status"))
    _ = try control("position", "12.5")
    #expect(sees("12.500000", "position"))
    _ = try control("volume", "0.25")
    #expect(sees("0.250000", "volume"))
    _ = try control("loop", "Playlist")
    #expect(sees("Playlist", "loop"))
    _ = try control("loop", "None")
    #expect(sees("None", "loop"))
    _ = try control("play")
    #expect(sees("Playing", "status"))
    _ = try control("next")
    #expect(sees("1.wav", "metadata", "xesam:title"))
    _ = try control("previous")
    #expect(sees("0.wav", "metadata", "xesam:title"))
    _ = try control("play-pause")
    #expect(sees("Paused", "status"))
    let name = try bus.run(["playerctl", "-l"])
    // It may be gone before its answer is read.
    _ = try? bus.run([
      "gdbus", "call", "--session", "--dest", "org.mpris.MediaPlayer2.\(name)", "--object-path",
      "/org/mpris/MediaPlayer2", "--method", "org.mpris.MediaPlayer2.Quit",
    ])
    #expect(player.next(within: 5) == .exited(0))
  }

  /// A picture is written for desktops to read, and is gone with the program.
  @Test(arguments: [SIGTERM, nil]) func itsPictureGoesWithIt(signal: Int32?) throws {
    let picture = try MediaFixtures.ffmpeg("cover.png", ["-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1"])
    let song = try MediaFixtures.ffmpeg(
      "covered-\(signal ?? 0).mp3",
      [
        "-f", "lavfi", "-i", "sine=440:r=48000:d=\(signal == nil ? 3 : 30)", "-i", picture.path, "-map", "0", "-map",
        "1",
        "-c:v", "copy", "-disposition:v", "attached_pic", "-metadata", "artist=Somebody", "-f", "mp3",
      ])
    let folder = scratch["run"]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let player = try PlayerProcess(
      ["--output", "null", song.path].map { Array($0.utf8) }, terminal: .none,
      environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": folder])
    #expect(sees("Somebody", "metadata", "xesam:artist"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasPrefix("vplay-artwork-") })
    if let signal { player.send(signal) }
    #expect(player.next(within: 10) == (signal.map { .signalled($0) } ?? .exited(0)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix("vplay-artwork-") })
  }

  @Test func withoutABusNothingIsSaid() throws {
    try WaveFile.noise(frames: 48_000).write(to: scratch["short.wav"])
    let player = try PlayerProcess(
      ["--output", "null", scratch["short.wav"]].map { Array($0.utf8) }, terminal: .none,
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(scratch["no-bus"])"])
    #expect(player.next(within: 10) == .exited(0))
    #expect(player.errors == "" && player.output == "")
  }

  private func kill(_ player: PlayerProcess) {
    player.send(SIGTERM)
    #expect(player.next(within: 5) == .signalled(SIGTERM))
  }
}
