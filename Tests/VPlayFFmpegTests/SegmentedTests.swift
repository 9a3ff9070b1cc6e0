import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Lists of segments (HLS), and what lists may lead to.
struct SegmentedTests {
  static let seconds = 6

  /// The files of a list made by ffmpeg: its name, and each segment's.
  private static func segments(_ name: String, _ options: [String] = []) throws -> [String: [UInt8]] {
    let tone = "aevalsrc=0.4*sin(2*PI*(300+100*floor(t))*t):s=48000:d=\(seconds)"
    let list = try MediaFixtures.ffmpeg(
      "\(name).m3u8",
      ["-f", "lavfi", "-i", tone, "-c:a", "aac", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0"] + options)
    var files: [String: [UInt8]] = [:]
    let folder = list.deletingLastPathComponent()
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasPrefix(name) {
      files[file] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(file)))
    }
    return files
  }

  private static func server(
    _ files: [String: [UInt8]],
    _ change: @escaping @Sendable (HTTPServer.Request, inout HTTPReply) -> Void = { _, _ in }
  ) throws -> HTTPServer {
    try HTTPServer { request in
      guard let bytes = files[request.path] else { return .status("404 Not Found") }
      return HTTPReply(bytes) {
        if request.path.hasSuffix(".m3u8") { $0.headers["Content-Type"] = "application/vnd.apple.mpegurl" }
        change(request, &$0)
      }
    }
  }

  /// Which second of the tones is heard at each tenth of one.
  private static func heardSeconds(_ file: DecodedFile) -> [Int] {
    let channels = file.description.audioTracks.first?.format.channelCount ?? 1
    let mono = stride(from: 0, to: file.samples.count, by: channels).map { file.samples[$0] }
    return stride(from: 0, to: mono.count - 4800, by: 4800).map { start in
      let part = mono[start..<start + 4800]
      let crossings = zip(part, part.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
      return Int((Double(crossings * 10 - 300) / 100).rounded())
    }
  }

  private static func isWhole(_ file: DecodedFile) -> Bool {
    let heard = heardSeconds(file)
    let whole = (0..<seconds).allSatisfy { second in heard.filter { $0 == second }.count >= 8 }
    return whole && zip(heard, heard.dropFirst()).filter { $0 > $1 }.count <= 2
      && abs(file.frameCount - seconds * 48_000) < 4096
  }

  @Test func `a list of segments plays whole, and is asked for with the medium's own headers`() throws {
    let server = try Self.server(try Self.segments("vod"))
    var options = SourceOptions()
    options.userAgent = "Segments/1"
    options.headers = ["X-Token": "abc"]
    let reader = try TrackReader(url: server.url("vod.m3u8"), options: options)
    #expect(reader.description.isSeekable && reader.description.isRemote)
    #expect(abs((reader.description.duration?.seconds ?? 0) - Double(Self.seconds)) < 0.1)
    #expect(Self.isWhole(try reader.read(atLeast: .max)))
    #expect(server.requests.count >= 7)
    for request in server.requests {
      #expect(request.headers["user-agent"] == "Segments/1" && request.headers["x-token"] == "abc", "\(request.path)")
    }
  }

  @Test func `a seek within a list of segments reaches its time`() throws {
    let server = try Self.server(try Self.segments("vod"))
    let reader = try TrackReader(url: server.url("vod.m3u8"))
    for second in [4, 1, 5, 0] {
      try reader.seek(to: MediaTime(value: Int64(second * 10 + 3), timescale: 10))
      let part = try reader.read(atLeast: 10_000)
      #expect(part.startFrame == Int64(second * 48_000 + 14_400))
      #expect(Self.heardSeconds(part).first == second)
    }
  }

  @Test func `a segment that breaks off is resumed`() throws {
    let files = try Self.segments("vod")
    let dropped = Monitor<Set<String>>([])
    let server = try Self.server(files) { request, reply in
      guard request.path.hasSuffix(".ts") else { return }
      if dropped.withLock({ $0.insert(request.path).inserted }) { reply.dropsAt = reply.body.count / 2 }
    }
    #expect(Self.isWhole(try DecodedFile(url: server.url("vod.m3u8"))))
  }

  @Test func `the sound of a list with renditions of its own is found`() throws {
    var files = try Self.segments("sound")
    let video = try MediaFixtures.ffmpeg(
      "silentvideo.m3u8",
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=\(Self.seconds)", "-c:v", "libx264", "-g", "25"]
        + ["-pix_fmt", "yuv420p", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0"])
    let folder = video.deletingLastPathComponent()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix("silentvideo") {
      files[name] = [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }
    files["master.m3u8"] = Array(
      """
      #EXTM3U
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="sound.m3u8"
      #EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS="avc1.42c00b,mp4a.40.2",RESOLUTION=160x120,AUDIO="a"
      silentvideo.m3u8

      """.utf8)
    let server = try Self.server(files)
    let decoded = try DecodedFile(url: server.url("master.m3u8"))
    #expect(decoded.description.hasVideo)
    #expect(Self.isWhole(decoded))
  }

  @Test(arguments: ["file://", ""])
  func `a remote list opens no file`(_ scheme: String) throws {
    let wav = try MediaFixtures.wav(
      "secret.wav", samples: MediaFixtures.noise(frames: 48_000, channels: 2), rate: 48_000, channels: 2)
    let secret = try MediaFixtures.encode(wav, as: "secret.ts", ["-c:a", "aac"])
    let lists = [
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(scheme)\(secret.path)\n#EXT-X-ENDLIST\n",
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(scheme)\(secret.path)\n",
      "ffconcat version 1.0\nfile '\(scheme)\(secret.path)'\n",
    ]
    for list in lists {
      let server = try HTTPServer { $0.path == "list" ? .text(list) : .status("404 Not Found") }
      #expect(NetworkTests.failure(server.url("list")) != nil, "\(list)")
    }
  }

  @Test func `a local list that has been elsewhere opens no file`() throws {
    let files = try Self.segments("vod")
    let server = try Self.server(files)
    let inner = try Self.segments("inner")
    let folder = try MediaFixtures.bytes("inner-anchor", []).deletingLastPathComponent()
    var list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(server.url("vod0.ts"))\n"
    for name in inner.keys.sorted() where name.hasSuffix(".ts") { list += "#EXTINF:1,\n\(folder.path)/\(name)\n" }
    let mixed = try MediaFixtures.bytes("mixed.m3u8", Array((list + "#EXT-X-ENDLIST\n").utf8))
    let decoded = try DecodedFile(mixed)
    #expect(decoded.frameCount > 30_000 && decoded.frameCount < 60_000)
  }
}
