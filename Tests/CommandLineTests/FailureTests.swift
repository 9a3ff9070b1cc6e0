import Foundation
import TestSupport
import Testing

/// What cannot be played: status 1 and one line with the name and the cause, the same each time.
struct FailureTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let clip = try #require(FileManager.default.contents(atPath: Scratch.clip))
    try Data().write(to: URL(fileURLWithPath: scratch["empty.mov"]))
    try Data("hello\n".utf8).write(to: URL(fileURLWithPath: scratch["text.mov"]))
    // The index of a movie stands before its media here, so that the half of a file still plays: cut the index itself.
    try clip.prefix(1000).write(to: URL(fileURLWithPath: scratch["cut.mov"]))
    try FileManager.default.createDirectory(atPath: scratch["folder"], withIntermediateDirectories: true)
  }

  @Test(
    "one line and status 1, each time, B48", arguments: ["missing.mov", "empty.mov", "text.mov", "cut.mov", "folder"])
  func oneLineEachTime(name: String) throws {
    var lines: Set<String> = []
    for _ in 1...3 {
      let player = try scratch.player("--output", "null", scratch[name])
      #expect(player.next() == .exited(1))
      #expect(player.output == "")
      lines.insert(player.errors)
    }
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(line.hasPrefix("vplay: \(scratch[name]): "))
    #expect(line.hasSuffix("\n") && line.filter { $0 == "\n" }.count == 1)
    #expect(line.count > "vplay: \(scratch[name]): \n".count)
  }

  @Test("half of a movie plays, and says that it is half, B48") func aMovieThatBreaksOff() throws {
    let clip = try #require(FileManager.default.contents(atPath: Scratch.clip))
    try clip.prefix(clip.count * 6 / 10).write(to: URL(fileURLWithPath: scratch["half.mov"]))
    let player = try scratch.player("--output", "wav:\(scratch["out.wav"])", scratch["half.mov"])
    #expect(player.next() == .exited(1))
    #expect(player.errors == "vplay: \(scratch["half.mov"]): the file breaks off before its stated end\n")
    let heard = try #require(WaveFile(path: scratch["out.wav"]))
    #expect((96_000..<480_000).contains(heard.frameCount), "\(heard.frameCount)")
  }

  @Test func emptyStandardInput() throws {
    let player = try scratch.player("--output", "null", "-")
    #expect(player.next() == .exited(1))
    #expect(player.errors.hasPrefix("vplay: standard input: "))
  }

  @Test func theNameIsMadePrintable() throws {
    let player = try scratch.player("--output", "null", "/no\u{1b}[31m\nsuch")
    #expect(player.next() == .exited(1))
    #expect(player.errors.hasPrefix("vplay: /no\\x1b[31m\\x0asuch: "))
  }

  @Test func allBrokenForEver() throws {
    let player = try scratch.player("--loop", "--output", "null", scratch["text.mov"], scratch["missing.mov"])
    #expect(player.next() == .exited(1))
    #expect(player.errors.filter { $0 == "\n" }.count == 2)
  }

  @Test func noServer() throws {
    let player = try scratch.player(Scratch.clip, environment: ["PULSE_SERVER": "unix:\(scratch["none"])"])
    #expect(player.next() == .exited(3))
    #expect(player.output == "")
    #expect(player.errors.hasPrefix("vplay: no sound output: "))
    #expect(player.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test func mutedNeedsNoServer() throws {
    try WaveFile.noise(frames: 24_000).write(to: scratch["in.wav"])
    let player = try scratch.player(
      "--mute", scratch["in.wav"], environment: ["PULSE_SERVER": "unix:\(scratch["none"])"])
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
  }

  @Test func noServerToListDevicesOf() throws {
    let player = try scratch.player(
      "--list-devices", environment: ["PULSE_SERVER": "unix:\(scratch["none"])"])
    #expect(player.next() == .exited(3))
    #expect(player.errors.hasPrefix("vplay: --list-devices: "))
  }

  @Test func theOutputMustNotBeAnInput() throws {
    try WaveFile.noise(frames: 24_000).write(to: scratch["in.wav"])
    try FileManager.default.createSymbolicLink(atPath: scratch["link.wav"], withDestinationPath: scratch["in.wav"])
    let before = FileManager.default.contents(atPath: scratch["in.wav"])
    for output in ["in.wav", "link.wav"] {
      let player = try scratch.player("--output", "wav:\(scratch[output])", Scratch.clip, scratch["in.wav"])
      #expect(player.next() == .exited(2))
      #expect(player.errors.hasPrefix("vplay: --output: \(scratch["in.wav"]) is to be played"))
    }
    #expect(FileManager.default.contents(atPath: scratch["in.wav"]) == before)
  }
}
