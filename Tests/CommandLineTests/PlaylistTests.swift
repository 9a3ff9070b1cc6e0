import Foundation
import TestSupport
import Testing

/// Lists on the command line, by what is rendered of them.
struct PlaylistTests {
  private let scratch: Scratch
  private let parts: [WaveFile]

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: scratch["sub"], withIntermediateDirectories: true)
    parts = (0..<3).map { WaveFile.noise(frames: 4800 + $0, seed: UInt64($0)) }
    for (index, part) in parts.enumerated() { try part.write(to: scratch["sub/\(index).wav"]) }
  }

  private func list(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: scratch[name]))
  }

  /// What is heard, and what is said of it.
  private func render(_ arguments: String..., end: PlayerProcess.End) throws -> (heard: [Float], errors: String) {
    let player = try PlayerProcess(
      (["--output", "wav:\(scratch["out.wav"])"] + arguments).map { Array($0.utf8) })
    #expect(player.next(within: 20) == end)
    #expect(player.output == "")
    return (WaveFile(path: scratch["out.wav"])?.samples ?? [], player.errors)
  }

  private func samples(_ order: Int...) -> [Float] { order.flatMap { parts[$0].samples } }

  /// In a few words; nil where there is none.
  private func difference(_ heard: [Float], _ expected: [Float]) -> String? {
    WaveFile(sampleRate: 48_000, channelCount: 2, samples: heard).difference(from: expected)
  }

  @Test func relativeToItsOwnFolder() throws {
    try list("sub/list.m3u", "\u{feff}#EXTM3U\r\n#EXTINF:1,One\r\n1.wav\r\n\r\n../sub/0.wav\r\n")
    try list("all.m3u8", "sub/2.wav\nsub/list.m3u\nfile://\(scratch["sub/2.wav"])\n")
    let (heard, errors) = try render(scratch["all.m3u8"], scratch["sub/0.wav"], end: .exited(0))
    #expect(difference(heard, samples(2, 1, 0, 2, 0)) == nil)
    #expect(errors == "")
  }

  @Test func loopedAsAWhole() throws {
    try list("list.m3u", "sub/0.wav\nsub/1.wav\n")
    #expect(difference(try render("--loop=2", scratch["list.m3u"], end: .exited(0)).heard, samples(0, 1, 0, 1)) == nil)
    try list("one.m3u", "sub/2.wav\n")
    #expect(difference(try render("--loop=3", scratch["one.m3u"], end: .exited(0)).heard, samples(2, 2, 2)) == nil)
  }

  @Test func theRestIsPlayed() throws {
    try list("list.m3u", "sub/0.wav\nnone.wav\nlist.m3u\nsub\nsub/1.wav\n")
    let (heard, errors) = try render(scratch["list.m3u"], scratch["none.m3u"], end: .exited(1))
    #expect(difference(heard, samples(0, 1)) == nil)
    let lines = Set(errors.split(separator: "\n").map(String.init))
    #expect(
      lines == [
        "vplay: \(scratch["none.wav"]): no such file", "vplay: \(scratch["list.m3u"]): the list contains itself",
        "vplay: \(scratch["sub"]): is a folder", "vplay: \(scratch["none.m3u"]): no such file",
      ], "\(lines)")
  }

  @Test func fromAServer() throws {
    let bytes = try (0..<2).map { try #require(FileManager.default.contents(atPath: scratch["sub/\($0).wav"])) }
    let secret = scratch["sub/2.wav"]
    let server = try HTTPServer { request in
      switch request.path {
      case "music/list.m3u": .text("#EXTM3U\r\n0.wav\r\nfile://\(secret)\r\n/1.wav\r\nnone.m3u\r\n")
      case "music/0.wav": HTTPReply(Array(bytes[0]))
      case "1.wav": HTTPReply(Array(bytes[1]))
      default: .status("404 Not Found")
      }
    }
    // A list here may name one there.
    try list("list.m3u", "\(server.url("music/list.m3u"))\n")
    let (heard, errors) = try render(scratch["list.m3u"], end: .exited(1))
    #expect(difference(heard, samples(0, 1)) == nil)
    let lines = errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.contains { $0.hasPrefix("vplay: \(secret): a list from the network may name http and https only") })
    #expect(lines.contains { $0.hasPrefix("vplay: \(server.url("music/none.m3u")): ") })
  }

  @Test func aServerThatDoesNotSendItsListIsNoReasonToStay() throws {
    let server = try HTTPServer { _ in HTTPReply(Array("0.wav\n".utf8)) { $0.stallsAt = 2 } }
    let player = try scratch.player("--output", "null", server.url("list.m3u"), terminal: .pseudo(columns: 80))
    #expect(player.shows("waiting  0:00 / ?"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(player.terminalIsPlain)
  }

  @Test func anHLSPlaylistIsAStream() throws {
    let folder = try MediaFixtures.ffmpeg(
      "cli-hls.m3u8",
      [
        "-f", "lavfi", "-i", "sine=440:r=48000:d=5", "-c:a", "aac", "-f", "hls", "-hls_time", "2", "-hls_list_size",
        "0",
      ])
    try list("list.m3u", "sub/0.wav\n\(folder.path)\n")
    let (heard, errors) = try render(scratch["list.m3u"], end: .exited(0))
    #expect(errors == "")
    // The first file's two channels, then the stream in the same format.
    let streamFrames = (heard.count - parts[0].samples.count) / 2
    #expect((235_200...244_800).contains(streamFrames), "\(streamFrames)")
  }

  @Test(arguments: ["", "# nothing\n", "\u{0}\n"])
  func aListOfNothing(text: String) throws {
    try list("list.m3u", text)
    let (_, errors) = try render(scratch["list.m3u"], end: .exited(1))
    #expect(errors.hasPrefix("vplay: \(scratch["list.m3u"]): "))
    #expect(errors.filter { $0 == "\n" }.count == 1)
  }

  @Test func theOutputMustNotBeInTheList() throws {
    try list("list.m3u", "out.wav\nsub/0.wav\n")
    try parts[1].write(to: scratch["out.wav"])
    let before = FileManager.default.contents(atPath: scratch["out.wav"])
    let player = try scratch.player("--output", "wav:\(scratch["out.wav"])", "--mute", scratch["list.m3u"])
    #expect(player.next() == .exited(2))
    #expect(player.errors == "vplay: --output: \(scratch["out.wav"]) is to be played: it would be overwritten\n")
    #expect(FileManager.default.contents(atPath: scratch["out.wav"]) == before)
  }

  @Test func namesThatAreNotUTF8() throws {
    let shell = try scratch.shell(
      """
      mv sub/0.wav $'sub/\\xff.wav'; mv sub/1.wav sub/ä.wav; printf 'sub/\\xff.wav\\nsub/\\xe4.wav\\n' >list.m3u
      exec "$vplay" --output wav:out.wav list.m3u
      """)
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "")
    #expect(difference(WaveFile(path: scratch["out.wav"])?.samples ?? [], samples(0, 1)) == nil)
  }

  @Test func keysWhileTheListIsBeingRead() throws {
    let shell = try scratch.shell(
      "mkfifo list.m3u; exec \"$vplay\" --output null list.m3u", terminal: .pseudo(columns: 80))
    #expect(shell.shows("waiting  0:00 / ?  100%   list.m3u"))
    shell.type("nplm\u{1b}[C\u{1b}[D \u{1b}[B")
    #expect(shell.shows("paused   0:00 / ?  muted  loop  list.m3u"))
    shell.type("q")
    #expect(shell.next(within: 2) == .exited(0))
    #expect(shell.terminalIsPlain)
  }

  @Test func aListThatNeverComesIsNoReasonToStay() throws {
    let shell = try scratch.shell("mkfifo list.m3u; exec \"$vplay\" --output null list.m3u 3<>list.m3u")
    let player = shell
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
  }
}
