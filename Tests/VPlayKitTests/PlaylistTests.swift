import Foundation
import Testing
import VPlayModel

@testable import VPlayKit

struct PlaylistTests {
  private func lines(_ text: String) throws -> [PlaylistText.Line]? {
    try lines(Array(text.utf8))
  }

  private func lines(_ bytes: [UInt8]) throws -> [PlaylistText.Line]? {
    if case .list(let lines) = try PlaylistText.parse(bytes) { return lines }
    return nil
  }

  private func line(_ address: String, _ title: String? = nil) -> PlaylistText.Line {
    PlaylistText.Line(address: Array(address.utf8), title: title)
  }

  @Test(
    arguments: [
      ("", []), ("\n\r\n# a comment\n", []), ("a.wav", ["a.wav"]), ("a.wav\r\nb.wav\r\n", ["a.wav", "b.wav"]),
      ("a.wav\rb.wav", ["a.wav", "b.wav"]), ("\u{feff}a.wav\n", ["a.wav"]), ("  a b.wav\t\n", ["a b.wav"]),
      ("\u{feff}#EXTM3U\r\na.wav", ["a.wav"]), ("./#1.wav", ["./#1.wav"]), ("é曲.wav", ["é曲.wav"]),
    ] as [(String, [String])])
  func addresses(text: String, expected: [String]) throws {
    #expect(try lines(text) == expected.map { line($0) })
  }

  @Test(
    arguments: [
      ("#EXTINF:12,A - B", "A - B"), ("#EXTINF:-1 , t ", "t"), ("#EXTINF:12", nil), ("#EXTINF:12,", nil),
      ("#EXTINF:-1 logo=\"x,y\" id=\"z\",News, at nine", "News, at nine"), ("#EXTM3U", nil),
    ] as [(String, String?)])
  func titles(comment: String, title: String?) throws {
    #expect(try lines(comment + "\n# between\na.wav\nb.wav\n") == [line("a.wav", title), line("b.wav")])
  }

  @Test func titlesThatAreNotUTF8() throws {
    let text = Array("#EXTINF:1,caf".utf8) + [0xe9] + Array("\na".utf8)
    #expect(try lines(text) == [line("a", "café")])
  }

  @Test func whatIsNoList() throws {
    #expect(try PlaylistText.parse(Array("#EXTM3U\n#EXT-X-TARGETDURATION:9\na.ts".utf8)) == .medium)
    #expect(throws: AVError.self) { try PlaylistText.parse([0x61, 0, 0x62]) }
  }

  // MARK: Where a line leads to

  private func url(_ address: String, in list: String) throws -> String {
    let entry = PlaylistAddress.entry(for: line(address), in: try #require(URL(string: list)))
    return entry.error == nil ? entry.url.absoluteString : "refused"
  }

  @Test(arguments: [
    ("a b.wav", "file:///m/a%20b.wav"), ("sub/%41#?.wav", "file:///m/sub/%2541%23%3F.wav"),
    ("/x/y.wav", "file:///x/y.wav"), ("../z.wav", "file:///m/../z.wav"), ("http://h/a b", "http://h/a%20b"),
    ("file:///a%20b.wav", "file:///a%20b.wav"), ("a:b.wav", "file:///m/a%3Ab.wav"), ("ftp://h/x", "ftp://h/x"),
    ("é.wav", "file:///m/%C3%A9.wav"),
  ])
  func linesOfALocalList(address: String, expected: String) throws {
    #expect(try url(address, in: "file:///m/list.m3u") == expected)
  }

  @Test(arguments: [
    ("a b.wav", "http://h:8/m/a%20b.wav"), ("/x.wav", "http://h:8/x.wav"), ("../x.wav", "http://h:8/x.wav"),
    ("//other/x", "http://other/x"), ("https://o/x?y=%20", "https://o/x?y=%20"),
    ("a[1].wav", "http://h:8/m/a%5B1%5D.wav"),
    ("http://[::1]:8/x", "http://[::1]:8/x"),
    ("file:///etc/passwd", "refused"), ("FILE:///etc/passwd", "refused"), ("pipe:0", "refused"),
    ("data:audio/wav;base64,UklG", "refused"), ("concat:/etc/passwd", "refused"), ("ftp://h/x", "refused"),
    ("/etc/passwd", "http://h:8/etc/passwd"),
  ])
  func linesOfARemoteList(address: String, expected: String) throws {
    #expect(try url(address, in: "http://h:8/m/list.m3u?key=1") == expected)
  }

  // MARK: Lists in lists

  /// What is at each address; nothing elsewhere.
  private func reader(_ lists: [String: String]) -> PlaylistReader {
    PlaylistReader { (url, _) throws(MediaError) in
      guard let text = lists[url.absoluteString] else { throw MediaError(.notFound, "no such file") }
      return Array(text.utf8)
    }
  }

  private func read(_ lists: [String: String], _ url: String = "http://h/0.m3u") throws -> [MediaPlaylist.Entry] {
    try reader(lists).read(#require(URL(string: url))).get()
  }

  @Test func listsAreTakenInAtTheirPlace() throws {
    let entries = try read([
      "http://h/0.m3u": "a\nsub/1.M3U8\nb\nlive.m3u8", "http://h/sub/1.M3U8": "#EXTINF:1,C\nc\nd",
      "http://h/live.m3u8": "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:1\n1.ts",
    ])
    #expect(
      entries.map(\.url.absoluteString) == [
        "http://h/a", "http://h/sub/c", "http://h/sub/d", "http://h/b", "http://h/live.m3u8",
      ])
    #expect(entries.map(\.title) == [nil, "C", nil, nil, nil])
    #expect(entries.allSatisfy { $0.error == nil })
  }

  @Test func whatIsWrongInAListIsToldAtItsPlace() throws {
    let entries = try read([
      "http://h/0.m3u": "a\nnone.m3u\n0.m3u\nempty.m3u\nfile:///x\nb", "http://h/empty.m3u": "#\n",
    ])
    #expect(
      entries.map { $0.error?.code } == [
        nil, .contentIsUnavailable, .operationNotSupportedForAsset, .noSourceTrack, .operationNotAllowed, nil,
      ])
  }

  @Test func listsInListsEnd() throws {
    let chain = Dictionary(uniqueKeysWithValues: (0..<20).map { ("http://h/\($0).m3u", "x\($0)\n\($0 + 1).m3u") })
    let entries = try read(chain)
    #expect(entries.count == 9 && entries.last?.error != nil)
    // Each holds the next ten times: the whole is bounded.
    let bush = Dictionary(
      uniqueKeysWithValues: (0..<8).map { level in
        ("http://h/\(level).m3u", String(repeating: level == 7 ? "x\n" : "\(level + 1).m3u\n", count: 50))
      })
    #expect((try? read(bush).count) ?? 0 <= 100_000)
  }

  @Test func theListItselfMustBeReadable() throws {
    #expect(throws: AVError.self) { try read([:]) }
    #expect(throws: AVError.self) { try read(["http://h/0.m3u": "# nothing\n"]) }
  }

  @Test(arguments: [
    ("file:///a.m3u", true), ("http://h/a.M3U8?x=y", true), ("file:///a.m3u.wav", false), ("http://h/a?b=.m3u", false),
    ("file:///m3u", false),
  ])
  func names(url: String, isPlaylist: Bool) throws {
    #expect(MediaPlaylist.isPlaylist(try #require(URL(string: url))) == isPlaylist)
  }

  // MARK: Files

  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("vplay-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  @Test func filesAreFoundHoweverTheirNamesAreWritten() async throws {
    try await inFolder { folder in
      for name in ["café.wav", "a\\b.wav"] { try Data().write(to: folder.appendingPathComponent(name)) }
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
      try Data().write(to: folder.appendingPathComponent("sub/x.wav"))
      let list = folder.appendingPathComponent("list.m3u")
      try Data(Array("caf".utf8) + [0xe9] + Array(".wav\na\\b.wav\nsub\\x.wav\n".utf8)).write(to: list)
      let entries = try await MediaPlaylist(contentsOf: list).entries
      #expect(entries.map(\.url.path) == ["café.wav", "a\\b.wav", "sub/x.wav"].map { folder.path + "/" + $0 })
    }
  }

  @Test func aCycleThroughLinksIsSeen() async throws {
    try await inFolder { folder in
      let list = folder.appendingPathComponent("a.m3u")
      try Data("x.wav\nb.m3u\n".utf8).write(to: list)
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("b.m3u"), withDestinationURL: list)
      let entries = try await MediaPlaylist(contentsOf: list).entries
      #expect(entries.count == 2 && entries[1].error?.reason == "the list contains itself")
    }
  }

  @Test func aListThatNeverComesCanBeCancelled() async throws {
    try await inFolder { folder in
      let list = folder.appendingPathComponent("fifo.m3u")
      #expect(mkfifo(list.path, 0o600) == 0)
      // Held open for writing, so that its reader waits.
      let writer = open(list.path, O_RDWR)
      defer { close(writer) }
      let reading = Task { try await MediaPlaylist(contentsOf: list) }
      reading.cancel()
      let error = await #expect(throws: AVError.self) { try await reading.value }
      #expect(error?.code == .operationCancelled)
    }
  }
}
