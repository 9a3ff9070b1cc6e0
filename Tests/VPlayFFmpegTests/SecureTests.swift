import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// `https`, on a server of openssl's with a certificate that it signed itself.
struct SecureTests {
  private final class Server {
    let process: ChildProcess
    let port: Int
    let certificate: String

    init(named name: String, address: String) throws {
      let wav = MediaFixtures.wavBytes(
        samples: MediaFixtures.noise(frames: 50_000, channels: 2), rate: 48_000, channels: 2)
      let folder = try MediaFixtures.bytes("secure.wav", wav).deletingLastPathComponent().path
      certificate = "\(folder)/\(name).pem"
      try MediaFixtures.run([
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(folder)/\(name).key", "-out",
        certificate, "-days", "2", "-subj", "/CN=vplay", "-addext", "subjectAltName=\(address)",
      ])
      let log = "\(folder)/\(name).log"
      process = try ChildProcess(
        [
          "sh", "-c",
          "cd '\(folder)' && exec openssl s_server -accept 127.0.0.1:0 -cert \(name).pem -key \(name).key -WWW",
        ], environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""], log: log)
      var found: Int?
      let limit = SystemClock().now.advanced(bySeconds: 20)
      while found == nil, SystemClock().now < limit {
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        found = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("ACCEPT") }
          .flatMap { $0.split(separator: ":").last }.flatMap { Int($0) }
        if found == nil { sched_yield() }
      }
      port = try #require(found, "openssl's server did not start; see \(log)")
    }

    deinit {
      process.signal(SIGTERM)
      process.wait()
    }

    var url: String { "https://127.0.0.1:\(port)/secure.wav" }
  }

  @Test func `a certificate that nobody trusts is refused, and one that is trusted is not`() throws {
    let server = try Server(named: "own", address: "IP:127.0.0.1")
    var options = SourceOptions()
    let error = try #require(NetworkTests.failure(server.url, options))
    #expect(error.kind == .network && error.reason.contains("certificate"))
    options.certificateFile = server.certificate
    #expect(try TrackReader(url: server.url, options: options).read(atLeast: .max).frameCount == 50_000)
  }

  @Test func `another machine's certificate is refused`() throws {
    let server = try Server(named: "other", address: "DNS:other.example")
    var options = SourceOptions()
    options.certificateFile = server.certificate
    #expect(NetworkTests.failure(server.url, options)?.kind == .network)
  }
}
