import Foundation
import Glibc
import VPlayModel

/// A D-Bus session bus of its own, ended with this object, or with the process.
package final class PrivateSessionBus: Sendable {
  /// What clients find in `DBUS_SESSION_BUS_ADDRESS`.
  package let address: String
  private let daemon: ChildProcess

  package init() throws {
    let pipe = try ChildProcess.pipe()
    defer { close(pipe.read) }
    do {
      defer { close(pipe.write) }
      daemon = try ChildProcess(
        ["dbus-daemon", "--session", "--nofork", "--print-address=1"], environment: ["PATH": "/usr/bin:/bin"],
        log: "/dev/null", output: pipe.write)
    }
    guard let line = LineReader(pipe.read).next() else {
      daemon.signal(SIGTERM)
      throw ChildProcess.Failure(description: "the D-Bus daemon did not start")
    }
    address = line
    runningDaemons.add(daemon)
  }

  deinit {
    runningDaemons.end(daemon)
  }

  /// Runs a client of this bus; its output without the newline at its end. Throws when it fails.
  package func run(_ command: [String]) throws -> String {
    let output = try MediaFixtures.run(["env", "DBUS_SESSION_BUS_ADDRESS=\(address)"] + command)
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

/// What has to be ended with the process: a bus that a global holds is never released.
private final class RunningDaemons: Sendable {
  private let children = Monitor<[ChildProcess]>([])

  func add(_ child: ChildProcess) {
    let isFirst = children.withLock { children in
      children.append(child)
      return children.count == 1
    }
    if isFirst { atexit(endRunningDaemons) }
  }

  func end(_ child: ChildProcess) {
    children.withLock { $0.removeAll { $0 === child } }
    child.signal(SIGTERM)
    child.wait()
  }

  func endAll() {
    for child in children.withLock({ $0 }) { end(child) }
  }
}

private let runningDaemons = RunningDaemons()

private func endRunningDaemons() { runningDaemons.endAll() }

/// Reads lines from a descriptor. One thread.
private final class LineReader {
  private let descriptor: Int32
  private var rest: [UInt8] = []

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The next line without its end; nil at the end.
  func next() -> String? {
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { rest.removeSubrange(...end) }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      rest += buffer[..<count]
    }
  }
}
