import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

struct SourceErrorTests {
  static func clip() throws -> URL {
    try MediaFixtures.ffmpeg(
      "clip.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6"]
        + [
          "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "250", "-bf", "2", "-c:a", "aac", "-aac_pns", "0",
          "-b:a", "128k",
        ])
  }

  static func fastStart() throws -> URL {
    try MediaFixtures.encode(try clip(), as: "fast.mp4", ["-c", "copy", "-movflags", "+faststart"])
  }

  static func head(of file: URL, _ fraction: Double, as name: String) throws -> URL {
    let data = try Data(contentsOf: file)
    return try MediaFixtures.bytes(name, [UInt8](data.prefix(Int(Double(data.count) * fraction))))
  }

  static func failure(_ url: String) -> MediaError? {
    do {
      _ = try FFmpegSource(url: url).open()
      return nil
    } catch {
      return error
    }
  }

  static func failure(_ file: URL) -> MediaError? { failure(DecodedFile.address(file)) }

  @Test func `what is not there is not found`() {
    let error = Self.failure("file:///nonexistent/really%20not.wav")
    #expect(error?.kind == .notFound)
    #expect(error?.reason == "no such file")
  }

  @Test func `a folder is named as one`() {
    #expect(Self.failure("file:///tmp")?.kind == .isDirectory)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read all files"))
  func `a file that may not be read says so`() throws {
    let file = try MediaFixtures.bytes("noperm.mov", [1, 2, 3])
    chmod(file.path, 0)
    #expect(Self.failure(file)?.kind == .permissionDenied)
  }

  @Test func `what is no medium is not recognized`() throws {
    let files = [
      try MediaFixtures.bytes("empty.mov", []), try MediaFixtures.bytes("text.mov", Array("hello\n".utf8)),
      try MediaFixtures.bytes("zeros.wav", Array(repeating: 0, count: 5000)),
    ]
    for file in files {
      let error = Self.failure(file)
      #expect(error?.kind == .unrecognizedFormat, "\(file.lastPathComponent)")
      #expect(error?.reason.contains("\n") == false)
    }
    #expect(Self.failure(files[0])?.reason == "the file is empty")
  }

  @Test func `a movie without its index says that it is incomplete`() throws {
    let error = Self.failure(try Self.head(of: try Self.clip(), 0.5, as: "trunc.mov"))
    #expect(error?.kind == .unrecognizedFormat)
    #expect(error?.reason == "its index is missing: the file is incomplete")
  }

  @Test(arguments: [
    "rtsp://localhost/x", "concat:/etc/passwd", "subfile,,start,0,end,0,,:/etc/passwd", "data:text/plain,x",
    "ftp://localhost/x", "nonsense", "", "file://elsewhere/x.wav", "pipe:x",
  ])
  func `other protocols may not be opened`(_ url: String) {
    #expect(Self.failure(url)?.kind == .protocolNotAllowed)
  }

  @Test func `a list cannot reach into other protocols`() throws {
    let list = try MediaFixtures.bytes(
      "list.m3u8",
      Array("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nconcat:/etc/passwd\n#EXT-X-ENDLIST\n".utf8))
    #expect(Self.failure(list) != nil)
  }

  @Test func `a server that is not there is the network's fault`() {
    #expect(Self.failure("http://127.0.0.1:1/x.wav")?.kind == .network)
  }

  @Test func `a movie cut short plays what there is, and tells`() throws {
    let decoded = try DecodedFile(try Self.head(of: try Self.fastStart(), 0.6, as: "truncfast.mp4"))
    let seconds = Double(decoded.frameCount) / 48000
    #expect(seconds > 2 && seconds < 5)
    #expect(decoded.errors.contains { $0.kind == .damaged })
    #expect(decoded.errors.count < 10)
  }

  @Test(arguments: [
    ("still.png", ["-frames:v", "1"]), ("still.jpg", ["-frames:v", "1"]), ("moving.gif", []), ("moving.apng", []),
  ])
  func `a picture is no sound`(_ name: String, _ options: [String]) throws {
    let file = try MediaFixtures.ffmpeg(name, ["-f", "lavfi", "-i", "testsrc=s=32x32:d=0.2"] + options)
    #expect(Self.failure(file)?.kind == .nothingPlayable)
  }

  @Test func `a movie of which only the header is left is not an empty one`() throws {
    let file = try Self.fastStart()
    let data = [UInt8](try Data(contentsOf: file))
    let media = try #require(data.indices.first { data[$0...].starts(with: "mdat".utf8) })
    let description = try FFmpegSource(
      url: DecodedFile.address(try MediaFixtures.bytes("header.mp4", Array(data[..<(media + 4)])))
    ).open()
    #expect(try #require(description.audioTracks.first).exactEndFrame != 0)
    #expect(try #require(description.duration) > MediaTime(value: 1, timescale: 1))
  }

  @Test func `a WAV cut short has the length of what is there`() throws {
    let samples = MediaFixtures.noise(frames: 10_000, channels: 2)
    let whole = MediaFixtures.wavBytes(samples: samples, rate: 48000, channels: 2)
    let file = try MediaFixtures.bytes("cut.wav", Array(whole.prefix(44 + 4 * 5000)))
    let decoded = try DecodedFile(file)
    #expect(decoded.frameCount == 5000)
    #expect(decoded.description.duration == MediaTime(frame: 5000, rate: 48000))
  }

  @Test func `damage in the middle is passed over`() throws {
    let wav = try MediaFixtures.wav(
      "damage.wav", samples: MediaFixtures.noise(frames: 200_000, channels: 2), rate: 48000, channels: 2)
    for (name, options) in [("damage.flac", ["-c:a", "flac"]), ("damage.m4a", ["-c:a", "aac"])] {
      var data = [UInt8](try Data(contentsOf: try MediaFixtures.encode(wav, as: name, options)))
      for index in data.count / 2..<data.count / 2 + 3000 {
        data[index] = UInt8(truncatingIfNeeded: index &* 31)
      }
      let decoded = try DecodedFile(try MediaFixtures.bytes("broken-" + name, data))
      #expect(decoded.frameCount > 150_000, "\(name)")
      #expect(decoded.endFrame == 200_000, "\(name)")
      for (block, next) in zip(decoded.blocks, decoded.blocks.dropFirst()) {
        #expect(block.startFrame + Int64(block.frameCount) <= next.startFrame)
      }
    }
  }
}
