import Glibc
import VPlayModel

/// A small `http` server on 127.0.0.1 that answers, and misbehaves, as a test says. It goes with its owner.
package final class HTTPServer: Sendable {
  package struct Request: Sendable {
    package var path: String
    /// Names in lower case.
    package var headers: [String: String]
    /// How many requests came before, of any path.
    package var number: Int

    /// The first byte asked for by a range.
    package var rangeStart: Int? {
      headers["range"].flatMap { $0.hasPrefix("bytes=") ? $0.dropFirst(6).split(separator: "-").first : nil }
        .flatMap { Int($0) }
    }
  }

  private struct State {
    var requests: [Request] = []
    var sockets: Set<Int32> = []
    var isClosed = false
    /// Stalled answers go on once this is as great as their number of the stall.
    var releases = 0
  }

  package let port: UInt16
  private let listener: Int32
  private let state = Monitor(State())
  private let answer: @Sendable (Request) -> HTTPReply

  package init(_ answer: @escaping @Sendable (Request) -> HTTPReply) throws {
    self.answer = answer
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else {
      Glibc.close(listener)
      throw ChildProcess.Failure(description: "no http server on 127.0.0.1: \(String(cString: strerror(errno)))")
    }
    port = UInt16(bigEndian: address.sin_port)
    let (state, answer) = (state, answer)
    startThread { HTTPServer.accept(on: listener, state, answer) }
  }

  deinit { close() }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  package var requests: [Request] { state.withLock { $0.requests } }

  /// Waits until so many requests have come; false when they have not within `seconds`.
  package func wait(forRequests count: Int, seconds: Double = 20) -> Bool {
    state.wait(until: SystemClock().now.advanced(bySeconds: seconds)) { $0.requests.count >= count ? true : nil }
      ?? false
  }

  /// Lets all answers that stall go on.
  package func release() {
    state.withLockAndWake { $0.releases += 1 }
  }

  /// Cuts all connections.
  package func cut() {
    state.withLock { for socket in $0.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
  }

  package func close() {
    let wasClosed = state.withLockAndWake { state in
      defer { state.isClosed = true }
      return state.isClosed
    }
    guard !wasClosed else { return }
    // Ends `accept`, whose thread closes the listener.
    shutdown(listener, Int32(SHUT_RDWR))
    cut()
  }

  // MARK: - Threads

  private static func accept(
    on listener: Int32, _ state: Monitor<State>, _ answer: @escaping @Sendable (Request) -> HTTPReply
  ) {
    while true {
      let socket = Glibc.accept(listener, nil, nil)
      if socket >= 0 { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
      if socket < 0, errno == EINTR || errno == ECONNABORTED { continue }
      let isOpen = state.withLock { state in
        if socket >= 0, !state.isClosed { state.sockets.insert(socket) }
        return !state.isClosed
      }
      guard socket >= 0, isOpen else {
        if socket >= 0 { Glibc.close(socket) }
        break
      }
      startThread {
        serve(socket, state, answer)
        state.withLock { _ = $0.sockets.remove(socket) }
        Glibc.close(socket)
      }
    }
    Glibc.close(listener)
  }

  /// One request, one answer.
  private static func serve(
    _ socket: Int32, _ state: Monitor<State>, _ answer: @Sendable (Request) -> HTTPReply
  ) {
    guard let head = readHead(socket) else { return }
    let request: Request = state.withLockAndWake { state in
      var request = parse(head)
      request.number = state.requests.count
      state.requests.append(request)
      return request
    }
    let reply = answer(request)
    let releases = state.withLock { $0.releases }
    HTTPReplyWriter(
      socket: socket, reply: reply,
      waitForRelease: {
        state.wait(until: nil) { $0.isClosed || $0.releases > releases ? !$0.isClosed : nil } ?? false
      },
      waitUntil: { time in state.wait(until: time) { $0.isClosed ? true : nil } == nil }
    ).write(to: request)
  }

  private static func readHead(_ socket: Int32) -> String? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil {
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0, bytes.count < 1 << 16 else { return nil }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func parse(_ head: String) -> Request {
    let lines = head.split(separator: "\r\n")
    let target = lines.first?.split(separator: " ").dropFirst().first ?? ""
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return Request(path: String(target.dropFirst()), headers: headers, number: 0)
  }
}
