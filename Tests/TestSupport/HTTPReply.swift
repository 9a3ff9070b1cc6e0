import Glibc
import VPlayModel

/// What an `HTTPServer` answers, and how it sends that.
package struct HTTPReply: Sendable {
  package enum Framing: Sendable {
    case length, chunked
    /// No length: the end of the connection ends it.
    case open
  }

  package var status = "200 OK"
  package var headers: [String: String] = [:]
  /// The whole resource.
  package var body: [UInt8] = []
  /// Whether parts are given where they are asked for.
  package var givesRanges = true
  /// Whether it is said that they are, though they are not.
  package var claimsRanges = false
  package var framing = Framing.length
  /// Nil is as fast as it goes.
  package var bytesPerSecond: Int?
  /// Before this byte of the resource it waits for `HTTPServer.release`.
  package var stallsAt: Int?
  /// Before this byte of the resource the connection is cut.
  package var dropsAt: Int?
  /// The resource is sent over and over.
  package var isEndless = false
  /// Titles of an Icecast stream, the next one after each so many bytes.
  package var titles: [String] = []
  package var titleInterval = 8192

  package init(_ body: [UInt8] = [], _ change: (inout HTTPReply) -> Void = { _ in }) {
    self.body = body
    change(&self)
  }

  package static func text(_ text: String, type: String = "application/vnd.apple.mpegurl") -> HTTPReply {
    HTTPReply(Array(text.utf8)) { $0.headers["Content-Type"] = type }
  }

  package static func status(_ status: String) -> HTTPReply {
    HTTPReply(Array("no\n".utf8)) {
      $0.status = status
      $0.givesRanges = false
    }
  }

  package static func redirect(to url: String) -> HTTPReply {
    HTTPReply {
      $0.status = "302 Found"
      $0.headers["Location"] = url
    }
  }
}

/// Sends one reply over one socket.
struct HTTPReplyWriter {
  let socket: Int32
  let reply: HTTPReply
  /// False when the server is closing.
  let waitForRelease: () -> Bool
  /// False when the server is closing.
  let waitUntil: (HostTime) -> Bool

  private static let blockBytes = 4096

  func write(to request: HTTPServer.Request) {
    var reply = reply
    var start = 0
    if reply.givesRanges, reply.framing == .length, reply.status.hasPrefix("200"), let asked = request.rangeStart {
      if asked >= reply.body.count {
        reply.status = "416 Range Not Satisfiable"
        reply.body = []
      } else {
        start = asked
        reply.status = "206 Partial Content"
        reply.headers["Content-Range"] = "bytes \(asked)-\(reply.body.count - 1)/\(reply.body.count)"
      }
    }
    if reply.claimsRanges || reply.givesRanges && reply.framing == .length { reply.headers["Accept-Ranges"] = "bytes" }
    switch reply.framing {
    case .length: reply.headers["Content-Length"] = String(reply.body.count - start)
    // Without `Connection: close`, so that a chunk cut short is told from the end.
    case .chunked: reply.headers["Transfer-Encoding"] = "chunked"
    case .open: reply.headers["Connection"] = "close"
    }
    let hasTitles = !reply.titles.isEmpty && request.headers["icy-metadata"] == "1"
    if hasTitles { reply.headers["icy-metaint"] = String(reply.titleInterval) }
    var head = "HTTP/1.1 \(reply.status)\r\n"
    for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
    guard send(Array((head + "\r\n").utf8)) else { return }
    if hasTitles { sendTitled(reply) } else { sendBody(reply, from: start) }
  }

  private func sendBody(_ reply: HTTPReply, from start: Int) {
    let began = SystemClock().now
    var sent = 0
    var position = start
    while position < reply.body.count || reply.isEndless {
      if position >= reply.body.count { position = 0 }
      if reply.dropsAt == position { return reset() }
      if reply.stallsAt == position, !waitForRelease() { return }
      var end = min(position + Self.blockBytes, reply.body.count)
      for stop in [reply.stallsAt, reply.dropsAt] { if let stop, stop > position { end = min(end, stop) } }
      if let rate = reply.bytesPerSecond,
        !waitUntil(began.advanced(bySeconds: Double(sent) / Double(rate)))
      {
        return
      }
      guard sendPart(Array(reply.body[position..<end]), reply) else { return }
      sent += end - position
      position = end
    }
    if reply.framing == .chunked { _ = send(Array("0\r\n\r\n".utf8)) }
    // The reader sees the end once all has arrived.
    shutdown(socket, Int32(SHUT_WR))
  }

  private func sendTitled(_ reply: HTTPReply) {
    let began = SystemClock().now
    var sent = 0
    var position = 0
    for title in sequence(first: 0, next: { $0 + 1 }) {
      if let rate = reply.bytesPerSecond,
        !waitUntil(began.advanced(bySeconds: Double(sent) / Double(rate)))
      {
        return
      }
      var block: [UInt8] = []
      while block.count < reply.titleInterval {
        if position >= reply.body.count {
          guard reply.isEndless else { return }
          position = 0
        }
        let end = min(reply.body.count, position + reply.titleInterval - block.count)
        block += reply.body[position..<end]
        position = end
      }
      if let drop = reply.dropsAt, sent >= drop { return reset() }
      var text: [UInt8] = []
      if title < reply.titles.count { text = Array("StreamTitle='\(reply.titles[title])';StreamUrl='';".utf8) }
      let units = (text.count + 15) / 16
      text += [UInt8](repeating: 0, count: units * 16 - text.count)
      guard send(block + [UInt8(units)] + text) else { return }
      sent += block.count
    }
  }

  private func sendPart(_ bytes: [UInt8], _ reply: HTTPReply) -> Bool {
    guard reply.framing == .chunked else { return send(bytes) }
    return send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8))
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Ends the connection in mid-answer, what was sent before being delivered.
  private func reset() { shutdown(socket, Int32(SHUT_RDWR)) }
}
