import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Media over `http`, from servers that do as they should and from those that do not.
@Suite(.serialized) struct NetworkTests {
  static let frames = 200_000
  static let samples = MediaFixtures.noise(frames: frames, channels: 2)

  static func wav() -> [UInt8] { MediaFixtures.wavBytes(samples: samples, rate: 48_000, channels: 2) }

  static func encoded(_ name: String, _ options: [String]) throws -> [UInt8] {
    let wav = try MediaFixtures.wav("network.wav", samples: samples, rate: 48_000, channels: 2)
    return [UInt8](try Data(contentsOf: try MediaFixtures.encode(wav, as: "network-" + name, options)))
  }

  /// What a file of these bytes decodes to.
  static func expected(_ bytes: [UInt8], _ name: String) throws -> [Float] {
    try DecodedFile(try MediaFixtures.bytes("expected-" + name, bytes)).samples
  }

  /// Quick to notice what takes long in life.
  static let impatient: SourceOptions = {
    var options = SourceOptions()
    options.silenceSeconds = 0.4
    options.persistenceSeconds = 1.5
    return options
  }()

  static func failure(_ url: String, _ options: SourceOptions = impatient) -> MediaError? {
    do {
      _ = try FFmpegSource(url: url, options: options).open()
      return nil
    } catch {
      return error
    }
  }

  // MARK: - As it should be

  @Test(arguments: [
    ("end.m4a", ["-c:a", "aac"]), ("front.m4a", ["-c:a", "aac", "-movflags", "+faststart"]), ("a.flac", []),
    ("a.mp3", []), ("a.ogg", ["-c:a", "libvorbis"]),
  ])
  func `a server that knows ranges is as good as a file`(_ name: String, _ options: [String]) throws {
    let bytes = try Self.encoded(name, options)
    let server = try HTTPServer { _ in HTTPReply(bytes) }
    let decoded = try DecodedFile(url: server.url(name))
    let isSame = decoded.samples == (try Self.expected(bytes, name))
    #expect(isSame)
    #expect(decoded.errors.isEmpty && decoded.description.isRemote && decoded.description.isSeekable)
    // What was looked at before the demuxer reads it is not asked for twice.
    #expect(server.requests.count <= 4, "\(server.requests.map(\.rangeStart))")
  }

  @Test(arguments: [
    ("exact.m4a", ["-c:a", "aac", "-aac_pns", "0"]), ("a.flac", []), ("a.ogg", ["-c:a", "libvorbis"]),
  ])
  func `seeks are exact where the server knows ranges`(_ name: String, _ options: [String]) throws {
    let bytes = try Self.encoded(name, options)
    let server = try HTTPServer { _ in HTTPReply(bytes) }
    let expected = try Self.expected(bytes, name)
    let reader = try TrackReader(url: server.url(name))
    for frame in [123_456, 7, 199_000, 60_001] {
      try reader.seek(to: MediaTime(frame: Int64(frame), rate: 48_000))
      let part = try reader.read(atLeast: 500)
      #expect(part.startFrame == Int64(frame))
      let isSame = part.samples.prefix(100).elementsEqual(expected[(frame * 2)...].prefix(100))
      #expect(isSame, "\(frame)")
    }
  }

  @Test(arguments: [HTTPReply.Framing.length, .chunked, .open])
  func `without ranges a medium is read to its end, and not sought in`(_ framing: HTTPReply.Framing) throws {
    for (name, options) in [("front.m4a", ["-c:a", "aac", "-movflags", "+faststart"]), ("a.mp3", [])] {
      let bytes = try Self.encoded(name, options)
      let server = try HTTPServer { _ in
        HTTPReply(bytes) {
          $0.givesRanges = false
          $0.framing = framing
        }
      }
      let reader = try TrackReader(url: server.url(name))
      let isSame = try reader.read(atLeast: .max).samples == (try Self.expected(bytes, name))
      // Without a length an mp3's tag cannot be checked against it, and is not used.
      #expect(isSame || name == "a.mp3" && framing != .length, "\(name)")
      #expect(!reader.description.isSeekable)
      let error = #expect(throws: MediaError.self) { try reader.seek(to: .zero) }
      #expect(error?.kind == .notSeekable)
      #expect(server.requests.count == 1)
    }
  }

  @Test func `a movie with its index at the end needs ranges, and says so`() throws {
    let bytes = try Self.encoded("end.m4a", ["-c:a", "aac"])
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.givesRanges = false } }
    let error = try #require(Self.failure(server.url("end.m4a")))
    #expect(error.kind == .unrecognizedFormat && error.reason.contains("index is at its end"))
  }

  @Test func `redirects are followed, but not round and round, and to no file`() throws {
    let wav = Self.wav()
    let file = try MediaFixtures.wav("network.wav", samples: Self.samples, rate: 48_000, channels: 2)
    let server = try HTTPServer { request in
      switch request.path {
      case "a": .redirect(to: "/b/c")
      case "b/c": .redirect(to: "d.wav?x=1")
      case "b/d.wav?x=1": HTTPReply(wav)
      case "file": .redirect(to: "file://" + file.path)
      default: .redirect(to: "/round")
      }
    }
    #expect(try DecodedFile(url: server.url("a")).frameCount == Self.frames)
    #expect(Self.failure(server.url("round")) != nil)
    #expect(server.requests.count < 60)
    #expect(Self.failure(server.url("file")) != nil)
  }

  @Test func `what is to be sent is sent, and a line break sends nothing more`() throws {
    let wav = Self.wav()
    let server = try HTTPServer { _ in HTTPReply(wav) }
    var options = SourceOptions()
    options.userAgent = "Radio/1 (test)"
    options.headers = ["Authorization": "Bearer x", "X-Bad": "a\r\nX-Injected: b", "X:Y": "z"]
    _ = try FFmpegSource(url: server.url("a.wav"), options: options).open()
    for request in server.requests {
      #expect(request.headers["user-agent"] == "Radio/1 (test)")
      #expect(request.headers["authorization"] == "Bearer x")
      #expect(request.headers["x-injected"] == nil && request.headers["x-bad"] == nil)
    }
  }

  // MARK: - Refusals

  @Test(arguments: [
    ("404 Not Found", MediaError.Kind.notFound, "404"), ("403 Forbidden", .permissionDenied, "403"),
    ("401 Unauthorized", .permissionDenied, "401"), ("500 Internal Server Error", .network, "5xx"),
    ("503 Service Unavailable", .network, "5xx"), ("410 Gone", .network, "4xx"),
  ])
  func `a refusal is one clear line, at once`(_ status: String, _ kind: MediaError.Kind, _ word: String) throws {
    let server = try HTTPServer { _ in .status(status) }
    let error = try #require(Self.failure(server.url("x.mp3")))
    #expect(error.kind == kind && error.reason.contains(word) && !error.reason.contains("\n"))
    #expect(error.code != 0)
    #expect(server.requests.count == 1)
  }

  @Test func `a page that is no medium is not recognized`() throws {
    let server = try HTTPServer { _ in .text("<html><body>Log in first</body></html>", type: "text/html") }
    #expect(Self.failure(server.url("x.mp3"))?.kind == .unrecognizedFormat)
  }

  @Test func `a server that never answers has failed after its time`() throws {
    let server = try HTTPServer { _ in
      HTTPReply(Self.wav()) { $0.stallsAt = 0 }
    }
    let error = try #require(Self.failure(server.url("x.wav")))
    #expect(error.kind == .network)
  }
}
