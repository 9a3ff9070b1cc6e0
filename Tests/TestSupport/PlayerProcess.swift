package import Foundation
import Glibc
import VPlayModel

/// The built `vplay`, run as a user would run it. Every wait has a limit; what still runs at the end is killed.
// Safe to share: what threads share is in `state`.
package final class PlayerProcess: @unchecked Sendable {
  /// What the program reads and writes.
  package enum Terminal: Sendable {
    /// Standard input is empty, outputs are kept apart.
    case none
    /// Standard input is this text.
    case input([UInt8])
    /// Standard input is closed.
    case closedInput
    /// A session of its own on a pseudo-terminal, for all three.
    case pseudo(columns: UInt16)
  }

  package enum End: Equatable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    case stopped(Int32)
  }

  private struct State {
    var ends: [End] = []
    var hasEnded = false
    var output: [UInt8] = []
    var errors: [UInt8] = []
    var readersLeft = 0
  }

  private let state = Monitor(State())
  package let pid: pid_t
  /// The pseudo-terminal's master, -1 without one.
  private let master: Int32

  private static let spawning = Monitor(())

  package static var executable: String {
    let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent("vplay").path
  }

  /// `command` is found by the path; nil is the player.
  package init(
    command: String? = nil, _ arguments: [[UInt8]], terminal: Terminal = .none,
    environment: [String: String] = [:]
  ) throws {
    let path = command ?? PlayerProcess.executable
    // One at a time: a descriptor not yet marked close-on-exec would stay open in another child.
    let child = try PlayerProcess.spawning.withLock { _ in
      try PlayerProcess.spawn(path, arguments, terminal, environment)
    }
    pid = child.pid
    master = child.master
    state.withLock { $0.readersLeft = child.errors < 0 ? 1 : 2 }
    read(child.output, into: \.output)
    if child.errors >= 0 { read(child.errors, into: \.errors) }
    awaitEnd()
    if case .input(let bytes) = terminal { feed(bytes, into: child.input) }
  }

  deinit {
    if !state.withLock({ $0.hasEnded }) { kill(pid, SIGKILL) }
    if master >= 0 { close(master) }
  }

  // MARK: What the test does

  package func send(_ signal: Int32) { kill(pid, signal) }

  package func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.write(master, bytes, bytes.count)
  }

  // MARK: What the test sees

  /// Waits for the process to end or to stop; each is reported once.
  package func next(within seconds: Double = 10) -> End? {
    state.wait(until: deadline(seconds)) { $0.ends.isEmpty ? nil : $0.ends.removeFirst() }
  }

  /// Waits until the output holds `text`; what came up to there is taken.
  package func shows(_ text: String, within seconds: Double = 10) -> Bool {
    take(text, from: \.output, seconds)
  }

  /// The same for what is said on standard error.
  package func says(_ text: String, within seconds: Double = 10) -> Bool {
    take(text, from: \.errors, seconds)
  }

  private func take(_ text: String, from field: WritableKeyPath<State, [UInt8]>, _ seconds: Double) -> Bool {
    let wanted = Array(text.utf8)
    return state.wait(until: deadline(seconds)) { state -> Bool? in
      guard let range = state[keyPath: field].firstRange(of: wanted) else { return nil }
      state[keyPath: field].removeSubrange(..<range.upperBound)
      return true
    } ?? false
  }

  /// All output so far not yet taken; after the end, all of it.
  package var output: String { String(decoding: finished().output, as: UTF8.self) }
  package var errors: String { String(decoding: finished().errors, as: UTF8.self) }

  /// The terminal's settings: whether it echoes and hands over whole lines.
  package var terminalIsPlain: Bool {
    var settings = termios()
    guard tcgetattr(master, &settings) == 0 else { return false }
    let both = tcflag_t(ECHO | ICANON)
    return settings.c_lflag & both == both && settings.c_lflag & tcflag_t(ISIG) != 0
  }

  private func finished() -> (output: [UInt8], errors: [UInt8]) {
    _ = state.wait(until: deadline(2)) { !$0.hasEnded || $0.readersLeft == 0 ? true : nil }
    return state.withLock { ($0.output, $0.errors) }
  }

  private func deadline(_ seconds: Double) -> HostTime { SystemClock().now.advanced(bySeconds: seconds) }

  // MARK: Threads

  private func read(_ descriptor: Int32, into field: WritableKeyPath<State, [UInt8]>) {
    let state = state
    // Only this thread uses it.
    nonisolated(unsafe) let field = field
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        // A pseudo-terminal that nobody holds open any more fails with EIO.
        guard count > 0 else { break }
        state.withLockAndWake { $0[keyPath: field] += buffer[..<count] }
      }
      close(descriptor)
      state.withLockAndWake { $0.readersLeft -= 1 }
    }
  }

  private func awaitEnd() {
    let (state, pid) = (state, pid)
    Thread.detachNewThread {
      while true {
        var status: Int32 = 0
        let result = waitpid(pid, &status, WUNTRACED)
        if result < 0, errno == EINTR { continue }
        guard result == pid else { return }
        let low = status & 0x7f
        let high = (status >> 8) & 0xff
        let end: End = low == 0 ? .exited(high) : low == 0x7f ? .stopped(high) : .signalled(low)
        let hasEnded = low != 0x7f
        state.withLockAndWake {
          $0.ends.append(end)
          $0.hasEnded = hasEnded
        }
        if hasEnded { return }
      }
    }
  }

  private func feed(_ bytes: [UInt8], into descriptor: Int32) {
    Thread.detachNewThread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }
  }

  // MARK: Start

  private struct Child {
    var pid: pid_t = 0
    /// Our ends; -1 where there is none.
    var master: Int32 = -1
    var output: Int32 = -1
    var errors: Int32 = -1
    var input: Int32 = -1
  }

  private static func spawn(
    _ path: String, _ arguments: [[UInt8]], _ terminal: Terminal, _ environment: [String: String]
  ) throws -> Child {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    let setSession: Int32 = 0x80  // POSIX_SPAWN_SETSID, which Glibc's module does not show
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | setSession))

    var child = Child()
    var toClose: [Int32] = []
    defer { for descriptor in toClose { close(descriptor) } }
    if case .pseudo(let columns) = terminal {
      var far: Int32 = -1
      var name = [CChar](repeating: 0, count: 128)
      var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
      guard openpty(&child.master, &far, &name, nil, &size) == 0 else { throw POSIXError(.ENXIO) }
      for descriptor in [child.master, far] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      toClose.append(far)
      // The reader's own, which it closes: were it the master, a later file could get its number while it is read.
      child.output = fcntl(child.master, F_DUPFD_CLOEXEC, 0)
      // The leader of a new session gets the first terminal that it opens.
      posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      let (output, errors) = (try makePipe(), try makePipe())
      (child.output, child.errors) = (output.read, errors.read)
      toClose += [output.write, errors.write]
      switch terminal {
      case .closedInput: posix_spawn_file_actions_addclose(&actions, 0)
      case .input:
        let input = try makePipe()
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        child.input = input.write
        toClose.append(input.read)
      case .none, .pseudo: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&actions, output.write, 1)
      posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    }

    var variables = ProcessInfo.processInfo.environment
    variables["TERM"] = "xterm"
    variables["LC_ALL"] = "C.UTF-8"
    variables.merge(environment) { $1 }
    let argumentVector = CVector([Array(path.utf8)] + arguments)
    let environmentVector = CVector(variables.map { Array("\($0.key)=\($0.value)".utf8) })
    let error = posix_spawnp(
      &child.pid, path, &actions, &attributes, argumentVector.pointers, environmentVector.pointers)
    guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
    return child
  }

  private static func makePipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

/// A C vector of C strings, ended by nil, freed with its owner.
private final class CVector {
  let pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [[UInt8]]) {
    pointers =
      strings.map { string in
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.count + 1)
        _ = copy.initialize(from: string.map(CChar.init(bitPattern:)) + [0])
        return copy.baseAddress
      } + [nil]
  }

  deinit {
    for pointer in pointers { pointer?.deallocate() }
  }
}
