import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Connections that break, stall, or lead elsewhere.
@Suite(.serialized) struct NetworkTroubleTests {
  /// An answer that breaks off at each of `places` once, and then no more.
  private static func breaking(
    _ bytes: [UInt8], at places: [Int], _ change: @escaping @Sendable (inout HTTPReply) -> Void = { _ in }
  ) throws -> HTTPServer {
    try HTTPServer { request in
      HTTPReply(bytes) {
        change(&$0)
        if request.number < places.count { $0.dropsAt = places[request.number] }
      }
    }
  }

  @Test func `what breaks off is asked for from there on`() throws {
    let bytes = NetworkTests.wav()
    let server = try Self.breaking(bytes, at: [100_000, 100_000, 300_001, 799_999])
    let decoded = try DecodedFile(url: server.url("a.wav"))
    #expect(decoded.frameCount == NetworkTests.frames && decoded.errors.isEmpty)
    let isSame = decoded.samples == NetworkTests.samples.map { Float($0) / 32768 }
    #expect(isSame)
    #expect(server.requests.dropFirst().map(\.rangeStart) == [100_000, 100_000, 300_001, 799_999])
  }

  @Test(arguments: [false, true])
  func `without ranges the whole comes again, and is not heard again`(_ claims: Bool) throws {
    let bytes = try NetworkTests.encoded("a.mp3", [])
    let server = try Self.breaking(bytes, at: [20_000, 40_000, 61_000]) {
      $0.givesRanges = false
      $0.claimsRanges = claims
    }
    let decoded = try DecodedFile(url: server.url("a.mp3"))
    let isSame = decoded.samples == (try NetworkTests.expected(bytes, "a.mp3"))
    #expect(isSame)
    #expect(decoded.errors.isEmpty)
  }

  @Test func `what is another medium by now is not glued on`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { request in
      request.number == 0 ? HTTPReply(bytes) { $0.dropsAt = 200_000 } : HTTPReply(Array(bytes.dropLast(4)))
    }
    let decoded = try DecodedFile(url: server.url("a.wav"))
    #expect(!decoded.errors.isEmpty)
    #expect(decoded.frameCount < 60_000)
  }

  @Test(arguments: [HTTPReply.Framing.chunked, .open])
  func `what breaks off without a length or ranges ends there`(_ framing: HTTPReply.Framing) throws {
    let bytes = try NetworkTests.encoded("a.mp3", [])
    let server = try Self.breaking(bytes, at: [30_000]) {
      $0.givesRanges = false
      $0.framing = framing
    }
    let decoded = try DecodedFile(url: server.url("a.mp3"))
    #expect(decoded.frameCount > 20_000 && decoded.frameCount < NetworkTests.frames)
    #expect(server.requests.count == 1)
  }

  @Test func `a file that is gone when it is asked for again fails at once`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { request in
      request.number == 0 ? HTTPReply(bytes) { $0.dropsAt = 200_000 } : .status("404 Not Found")
    }
    let decoded = try DecodedFile(url: server.url("a.wav"))
    #expect(decoded.errors.first?.kind == .notFound)
    #expect(decoded.frameCount > 40_000 && decoded.frameCount < 60_000)
    #expect(server.requests.count <= 3)
  }

  @Test func `a server that fails for a while is asked until it answers`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { request in
      switch request.number {
      case 0: HTTPReply(bytes) { $0.dropsAt = 200_000 }
      case 1, 2: .status("503 Service Unavailable")
      default: HTTPReply(bytes)
      }
    }
    #expect(try DecodedFile(url: server.url("a.wav")).frameCount == NetworkTests.frames)
  }

  @Test func `silence breaks a connection off, and another one goes on`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { request in
      HTTPReply(bytes) { if request.number == 0 { $0.stallsAt = 250_000 } }
    }
    var options = NetworkTests.impatient
    options.persistenceSeconds = 60
    let reader = try TrackReader(url: server.url("a.wav"), options: options)
    let decoded = try reader.read(atLeast: .max)
    let isSame = decoded.samples == NetworkTests.samples.map { Float($0) / 32768 }
    #expect(isSame)
    #expect(server.requests.last?.rangeStart == 250_000)
  }

  @Test func `a server that stays silent is given up`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.stallsAt = 250_000 } }
    let reader = try TrackReader(url: server.url("a.wav"), options: NetworkTests.impatient)
    let decoded = try reader.read(atLeast: .max)
    #expect(decoded.errors.first?.kind == .network)
    #expect(decoded.frameCount > 50_000 && decoded.frameCount < 65_000)
    #expect(server.requests.count >= 3)
  }

  @Test func `an interrupt ends the wait for a server at once`() throws {
    let bytes = NetworkTests.wav()
    let server = try HTTPServer { request in
      // The second one never answers at all.
      HTTPReply(bytes) { $0.stallsAt = request.path == "open.wav" ? 0 : 100_000 }
    }
    for name in ["open.wav", "read.wav"] {
      let source = FFmpegSource(url: server.url(name))
      let before = server.requests.count
      let result = Monitor<MediaError?>(nil)
      Thread.detachNewThread {
        do {
          let description = try source.open()
          source.select(trackIDs: description.audioTracks.map(\.id))
          while try source.read() != nil {}
          result.withLockAndWake { $0 = MediaError(.other, "read") }
        } catch {
          result.withLockAndWake { $0 = error as? MediaError }
        }
      }
      #expect(server.wait(forRequests: before + 1))
      let start = SystemClock().now
      source.interrupt()
      let error = result.wait(until: start.advanced(bySeconds: 10)) { $0 }
      #expect(error?.kind == .interrupted)
      #expect(SystemClock().now.seconds(since: start) < 2)
    }
  }

  @Test func `an endless stream says what is heard, and is joined again where it breaks`() throws {
    let bytes = try NetworkTests.encoded("a.mp3", ["-write_xing", "0", "-id3v2_version", "0"])
    let server = try HTTPServer { request in
      HTTPReply(bytes) {
        $0.framing = .open
        $0.givesRanges = false
        $0.isEndless = true
        $0.headers["icy-name"] = "Radio Noise"
        $0.titles = request.number == 0 ? ["It's; one", "two"] : ["three"]
        if request.number == 0 { $0.dropsAt = 50_000 }
      }
    }
    let source = FFmpegSource(url: server.url("radio"))
    let description = try source.open()
    #expect(description.duration == nil && !description.isSeekable)
    #expect(description.tags["icy-name"] == "Radio Noise")
    source.select(trackIDs: description.audioTracks.map(\.id))
    var titles: [String] = []
    while titles.last != "three", let packet = try source.read() {
      if let title = packet.tags?["title"] { titles.append(title) }
    }
    #expect(titles == ["It's; one", "two", "three"])
    #expect(server.requests.count == 2)
    #expect(server.requests.allSatisfy { $0.headers["icy-metadata"] == "1" })
  }
}
