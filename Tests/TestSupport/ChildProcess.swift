package import Glibc
import VPlayModel

/// A program that a test runs, ended by its id and only if it is ours.
package final class ChildProcess: Sendable {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  package let id: pid_t
  private let hasEnded = Monitor(false)

  /// Starts `arguments[0]`, looked up in the path, with no input; its output goes to `output` or a file.
  package init(_ arguments: [String], environment: [String: String], log: String, output: Int32? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, output ?? 2, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = sigset_t()
    sigemptyset(&mask)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in argv + envp { free(string) } }
    var id: pid_t = 0
    let status = posix_spawnp(&id, arguments[0], &actions, &attributes, &argv, &envp)
    guard status == 0 else {
      throw Failure(
        description:
          "cannot start \(arguments[0]): \(String(cString: strerror(status))). The tests need it installed.")
    }
    self.id = id
  }

  /// A pipe that children do not inherit by accident.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(description: "no file descriptor left") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  package func signal(_ number: Int32) {
    hasEnded.withLock { if !$0 { kill(id, number) } }
  }

  /// Waits for the end; the exit status, or minus the signal.
  @discardableResult
  package func wait() -> Int32 {
    hasEnded.withLock { hasEnded in
      if hasEnded { return 0 }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      hasEnded = true
      let number = status & 0x7f
      return number == 0 ? (status >> 8) & 0xff : -number
    }
  }

  /// Voluntary context switches of all its threads so far.
  package func wakeUps() -> Int {
    Self.wakeUps(process: "\(id)") { _ in true }
  }

  /// The same for those threads of a process (`self` is this one) whose names are wanted.
  package static func wakeUps(process: String, threads isWanted: (String) -> Bool) -> Int {
    let folder = "/proc/\(process)/task"
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var sum = 0
    while let entry = readdir(directory) {
      let thread = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let name = contents("\(folder)/\(thread)/comm"),
        let status = contents("\(folder)/\(thread)/status")
      else {
        continue
      }
      guard isWanted(String(name.dropLast())) else { continue }
      for line in status.split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches:") {
        sum += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return sum
  }

  private static func contents(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file, &bytes, bytes.count)
    return count >= 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
