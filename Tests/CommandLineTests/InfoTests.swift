import Foundation
import TestSupport
import Testing

/// `--info`, and the title that the status line takes from the medium.
struct InfoTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try WaveFile.noise(frames: 24_000).write(to: scratch["a.wav"])
  }

  /// A song with a name that is longer than a line, and with what a terminal must not obey.
  private func song() throws -> String {
    try MediaFixtures.ffmpeg(
      "cli-song.m4a",
      [
        "-f", "lavfi", "-i", "sine=440:r=44100:d=2", "-ac", "1", "-c:a", "aac", "-b:a", "64k",
        "-metadata", "title=Lied\u{1b}[31m \u{202e}曲", "-metadata", "artist=Die Sängerin", "-metadata", "album=A\nB",
        "-metadata:s:a:0", "language=deu",
      ]
    ).path
  }

  @Test func text() throws {
    let player = try scratch.player("--info", Scratch.clip, scratch["a.wav"], try song())
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
    let parts = player.output.components(separatedBy: "\n\n")
    #expect(parts.count == 3)
    #expect(
      parts[0].wholeMatch(
        of:
          /.*clip\.mov\n  container  QuickTime \/ MOV\n  duration   0:10\.000\n  picture    h264, 640×360, 25 frames\/s, \d+ kbit\/s\n  sound      aac, 48000 Hz, stereo, \d+ kbit\/s/
      ) != nil, "\(parts[0])")
    #expect(
      parts[1] == """
        \(scratch["a.wav"])
          container  WAV / WAVE (Waveform Audio)
          duration   0:00.500
          sound      pcm_s16le, 48000 Hz, stereo, 1536 kbit/s
        """)
    #expect(parts[2].contains("\n  sound      aac, 44100 Hz, mono, "))
    #expect(parts[2].contains(", deu\n"))
    #expect(parts[2].contains("\n  title      Lied\\x1b[31m \\xe2\\x80\\xae曲\n"))
    #expect(parts[2].contains("\n  artist     Die Sängerin\n"))
    #expect(parts[2].contains("\n  albumName  A\n             B\n"))
  }

  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  @Test func json() throws {
    let player = try scratch.player("--info", "--json", Scratch.clip, scratch["none.wav"], try song())
    #expect(player.next() == .exited(1))
    #expect(player.errors == "vplay: \(scratch["none.wav"]): no such file\n")
    let objects = try objects(player.output)
    #expect(objects.map { $0["event"] as? String } == ["info", "error", "info"])
    #expect(objects[1]["file"] as? String == scratch["none.wav"] && objects[1]["message"] as? String == "no such file")
    let clip = objects[0]
    #expect(clip["duration"] as? Double == 10 && clip["exact"] as? Bool == true)
    let tracks = try #require(clip["tracks"] as? [[String: Any]])
    #expect(tracks.map { $0["kind"] as? String } == ["picture", "sound"])
    #expect(tracks[0]["width"] as? Int == 640 && tracks[0]["height"] as? Int == 360)
    #expect(tracks[0]["frameRate"] as? Double == 25)
    #expect(tracks[1]["rate"] as? Int == 48_000 && tracks[1]["channels"] as? Int == 2)
    #expect(tracks[1]["layout"] as? String == "stereo" && tracks[1]["codec"] as? String == "aac")
    #expect(tracks.allSatisfy { $0["playable"] as? Bool == true && $0["start"] as? Double == 0 })
    let tags = try #require(objects[2]["tags"] as? [[String: String]])
    #expect(tags.contains { $0["name"] == "title" && $0["value"] == "Lied\u{1b}[31m \u{202e}曲" })
  }

  @Test func standardInputAndLists() throws {
    let bytes = try #require(FileManager.default.contents(atPath: scratch["a.wav"]))
    let piped = try scratch.player("--info", "-", terminal: .input(Array(bytes)))
    #expect(piped.next() == .exited(0))
    #expect(piped.output.hasPrefix("standard input\n  container  WAV"))
    try Data("a.wav\nnone.wav\n".utf8).write(to: URL(fileURLWithPath: scratch["list.m3u"]))
    let listed = try scratch.player("--info", scratch["list.m3u"])
    #expect(listed.next() == .exited(1))
    #expect(listed.output.hasPrefix("\(scratch["a.wav"])\n"))
    #expect(listed.errors == "vplay: \(scratch["none.wav"]): no such file\n")
  }

  @Test(arguments: ["", "hello", "folder"])
  func whatIsNoMedium(content: String) throws {
    let path = scratch["x.mov"]
    if content == "folder" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } else {
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    }
    let player = try scratch.player("--info", path)
    #expect(player.next() == .exited(1))
    #expect(player.output == "")
    #expect(player.errors.hasPrefix("vplay: \(path): ") && player.errors.filter { $0 == "\n" }.count == 1)
  }

  @Test func needsAnInputAndASpaceToWrite() throws {
    let nothing = try scratch.player("--info")
    #expect(nothing.next() == .exited(2))
    let full = try scratch.shell("exec \"$vplay\" --info a.wav >/dev/full")
    #expect(full.next() == .exited(1))
    #expect(full.errors == "vplay: standard output: No space left on device\n")
    let gone = try scratch.shell("\"$vplay\" --info a.wav a.wav | true; exit ${PIPESTATUS[0]}")
    let end = gone.next()
    #expect(end == .exited(0) || end == .exited(141))
    #expect(gone.errors == "")
  }

  @Test func theTitleIsShown() throws {
    let player = try scratch.player("--output", "null", try song(), terminal: .pseudo(columns: 80))
    #expect(player.shows("100%   Lied\\x1b[31m \\xe2…"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    let machine = try scratch.player("--output", "null", "--json", "--end", "0.2", try song())
    #expect(machine.next() == .exited(0))
    #expect(try objects(machine.output).contains { $0["title"] as? String == "Lied\u{1b}[31m \u{202e}曲" })
  }

  @Test func aListsTitleIsShownWhereTheMediumHasNone() throws {
    try Data("#EXTINF:1,Noise\u{7}\na.wav\n".utf8).write(to: URL(fileURLWithPath: scratch["list.m3u"]))
    let player = try scratch.player("--output", "null", "--loop", scratch["list.m3u"], terminal: .pseudo(columns: 80))
    #expect(player.shows("loop  Noise\\x07"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }
}
