import Foundation
package import Glibc
import VPlayModel

/// A sound server of a test's own, with a sink "lab" clocked by the system, all of whose output is captured.
///
/// PulseAudio's sink is a pipe, from which not one frame is lost; PipeWire's is a null sink's monitor.
package final class PrivatePulseServer: Sendable {
  package struct Options: Sendable {
    package enum Kind: Sendable, Equatable {
      case pulseAudio, pipeWire
    }
    package var kind = Kind.pulseAudio
    package var rate = 48_000
    package var channels = 2
    /// PulseAudio's name of a channel map, such as `5.1` needs none.
    package var channelMap: String?
    /// More sinks n1, n2, …, which capture nothing.
    package var nullSinks = 0
    /// A null sink in place of the pipe, captured from its monitor (PulseAudio only).
    package var capturesNullSink = false
    package var sharedMemory = true
    /// False for long runs: what is played is counted and not kept.
    package var keepsSound = true
    /// Lines for PulseAudio's `daemon.conf`.
    package var daemonConfiguration: [String] = []

    package init(_ kind: Kind = .pulseAudio, _ change: (inout Options) -> Void = { _ in }) {
      self.kind = kind
      change(&self)
    }
  }

  private struct Running {
    var processes: [ChildProcess] = []
    /// The one that answers clients.
    var server: ChildProcess?
    var reader: CaptureThread?
    var isStopped = false
  }

  package let options: Options
  /// For `PulseSink(applicationName:server:)`.
  package let server: String
  package let capture: SoundCapture
  private let folder: String
  private let environment: [String: String]
  private let running = Monitor(Running())

  package init(_ options: Options = Options()) throws {
    self.options = options
    var template = Array("/tmp/vplay-pulse.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw ChildProcess.Failure(description: "cannot make a folder in /tmp")
    }
    folder = String(cString: made)
    server = "unix:\(folder)/pulse/native"
    capture = SoundCapture(
      channels: options.channels, isFloat: options.kind == .pipeWire, rate: options.rate, isKept: options.keepsSound)
    var environment = Self.inheritedEnvironment()
    for (key, path) in [
      ("XDG_RUNTIME_DIR", ""), ("HOME", ""), ("PULSE_RUNTIME_PATH", "/pulse"), ("PULSE_STATE_PATH", "/state"),
      ("PULSE_CONFIG_PATH", "/cfg"),
    ] {
      environment[key] = folder + path
    }
    environment["PULSE_SERVER"] = server
    mkdir("\(folder)/pulse", 0o700)
    if options.kind == .pulseAudio, !options.daemonConfiguration.isEmpty {
      try Self.write(options.daemonConfiguration.joined(separator: "\n") + "\n", to: "\(folder)/daemon.conf")
      environment["PULSE_CONFIG"] = "\(folder)/daemon.conf"
    }
    self.environment = environment
    do {
      try start()
    } catch {
      stop()
      throw error
    }
  }

  deinit {
    stop()
  }

  // MARK: Trouble

  /// The server dies at once.
  package func kill() {
    let running = running.withLock { $0 }
    running.server?.signal(SIGKILL)
    running.server?.wait()
    if options.kind == .pulseAudio { running.reader?.join() }
  }

  /// The server stops answering, with its sockets open.
  package func freeze() { running.withLock { $0.server }?.signal(SIGSTOP) }

  package func thaw() { running.withLock { $0.server }?.signal(SIGCONT) }

  /// Starts a server anew on the same socket, after `kill`.
  package func restart() throws {
    switch options.kind {
    case .pulseAudio:
      unlink("\(folder)/fifo")
      unlink("\(folder)/pulse/native")
      try start()
    case .pipeWire:
      unlink("\(folder)/pulse/native")
      try startServer(["pipewire-pulse"], environment: pipeWireEnvironment())
    }
  }

  /// Ends all its processes and removes its files. Idempotent.
  package func stop() {
    let last: Running = running.withLock { running in
      defer { running = Running(isStopped: true) }
      return running
    }
    if last.isStopped { return }
    for process in last.processes.reversed() {
      process.signal(SIGCONT)
      process.signal(SIGKILL)
      process.wait()
    }
    last.reader?.join()
    Self.remove(folder)
  }

  // MARK: Use

  /// Voluntary context switches of the server's processes so far.
  package func wakeUps() -> Int {
    running.withLock { $0.processes }.reduce(0) { $0 + $1.wakeUps() }
  }

  /// Runs a client program such as `pactl` to its end; what it printed.
  @discardableResult
  package func run(_ arguments: String...) throws -> String {
    let ends = try ChildProcess.pipe()
    let process: ChildProcess
    do {
      defer { close(ends.write) }
      process = try ChildProcess(arguments, environment: environment, log: log, output: ends.write)
    } catch {
      close(ends.read)
      throw error
    }
    defer { close(ends.read) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Glibc.read(ends.read, &buffer, buffer.count)
      if count > 0 { output += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    let status = process.wait()
    guard status == 0 else { throw failure("\(arguments.joined(separator: " ")) ended with \(status)") }
    return String(decoding: output, as: UTF8.self)
  }

  /// Starts a client program that goes on; `stop` ends it if it still runs.
  package func launch(_ arguments: String...) throws -> ChildProcess {
    let process = try ChildProcess(arguments, environment: environment, log: log)
    running.withLock { $0.processes.append(process) }
    return process
  }

  // MARK: Starting

  private var log: String { "\(folder)/log" }

  private func start() throws {
    switch options.kind {
    case .pulseAudio: try startPulseAudio()
    case .pipeWire: try startPipeWire()
    }
  }

  private func startPulseAudio() throws {
    let format = "rate=\(options.rate) channels=\(options.channels) format=s16le"
    let map = options.channelMap.map { " channel_map=\($0)" } ?? ""
    let sink =
      options.capturesNullSink
      ? "module-null-sink" : "module-pipe-sink file=\(folder)/fifo use_system_clock_for_timing=yes"
    var lines = [
      "load-module module-stream-restore restore_device=false",
      "load-module module-role-cork",
      "load-module \(sink) sink_name=lab \(format)\(map)",
    ]
    lines += (0..<options.nullSinks).map {
      "load-module module-null-sink sink_name=n\($0 + 1) rate=\(options.rate)"
    }
    // Last: once it accepts, all is there.
    lines += [
      "set-default-sink lab",
      "load-module module-native-protocol-unix socket=\(folder)/pulse/native auth-anonymous=1",
    ]
    try Self.write(lines.joined(separator: "\n") + "\n", to: "\(folder)/lab.pa")
    try startServer(
      [
        "pulseaudio", "-n", "-F", "\(folder)/lab.pa", "--daemonize=no", "--exit-idle-time=60",
        "--use-pid-file=no",
        "--log-target=file:\(folder)/pa.log", "--disable-shm=\(options.sharedMemory ? "no" : "yes")",
      ], environment: environment)
    if options.capturesNullSink {
      try captureMonitor()
    } else {
      let fifo = open("\(folder)/fifo", O_RDONLY | O_CLOEXEC)
      guard fifo >= 0 else { throw failure("cannot open the sink's pipe") }
      // The sink drops what does not fit when this process is late. 1031 is F_SETPIPE_SZ, a macro Swift does not see.
      _ = fcntl(fifo, 1031, 1 << 20)
      startReading(fifo)
    }
  }

  private func startPipeWire() throws {
    let bus = ["dbus-daemon", "--session", "--nofork", "--address=unix:path=\(folder)/bus"]
    try add(ChildProcess(bus, environment: environment, log: log))
    try waitForSocket("\(folder)/bus")
    let environment = pipeWireEnvironment()
    try add(ChildProcess(["pipewire"], environment: environment, log: log))
    try waitForSocket("\(folder)/pipewire-0")
    try add(ChildProcess(["wireplumber"], environment: environment, log: log))
    try startServer(["pipewire-pulse"], environment: environment)
    try run(
      "pactl", "load-module", "module-null-sink", "sink_name=lab", "rate=\(options.rate)",
      "channels=\(options.channels)", options.channelMap.map { "channel_map=\($0)" } ?? "", "format=float32le")
    for index in 0..<options.nullSinks {
      try run("pactl", "load-module", "module-null-sink", "sink_name=n\(index + 1)", "rate=\(options.rate)")
    }
    try poll("the sink to be the default") {
      _ = try? self.run("pactl", "set-default-sink", "lab")
      return (try? self.run("pactl", "get-default-sink")) == "lab\n"
    }
    try captureMonitor()
  }

  private func pipeWireEnvironment() -> [String: String] {
    environment.merging(["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus"]) { $1 }
  }

  private func captureMonitor() throws {
    let ends = try ChildProcess.pipe()
    defer { close(ends.write) }
    let format = options.kind == .pipeWire ? "float32le" : "s16le"
    // PipeWire's quantum follows the recorder; one that a busy machine can keep.
    let latency = options.kind == .pipeWire ? 45 : 5
    let recorder = try ChildProcess(
      [
        "parec", "-d", "lab.monitor", "--rate=\(options.rate)", "--channels=\(options.channels)",
        "--format=\(format)", "--latency-msec=\(latency)", "--raw",
      ], environment: environment, log: log, output: ends.write)
    add(recorder)
    startReading(ends.read)
    try poll("the recorder to run") { self.capture.frameCount > 0 }
  }

  private func startServer(_ arguments: [String], environment: [String: String]) throws {
    let process = try ChildProcess(arguments, environment: environment, log: log)
    add(process)
    running.withLock { $0.server = process }
    try waitForSocket("\(folder)/pulse/native")
  }

  private func add(_ process: ChildProcess) {
    running.withLock { $0.processes.append(process) }
  }

  private func startReading(_ file: Int32) {
    let thread = CaptureThread(file, into: capture)
    running.withLock { $0.reader = thread }
  }

  private func waitForSocket(_ path: String) throws {
    try poll("\(path) to accept") {
      let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      return withUnixAddress(path) { connect(socket, $0, $1) } == 0
    }
  }

  private func poll(_ what: String, _ isTrue: () -> Bool) throws {
    let limit = SystemClock().now.advanced(bySeconds: 15)
    while !isTrue() {
      if SystemClock().now > limit { throw failure("waited in vain for \(what); see \(folder)") }
      usleep(10_000)
    }
  }

  private func failure(_ text: String) -> ChildProcess.Failure {
    ChildProcess.Failure(description: "private sound server: \(text)")
  }

  private static func inheritedEnvironment() -> [String: String] {
    var result: [String: String] = [:]
    for name in ["PATH", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH"] {
      if let value = getenv(name) { result[name] = String(cString: value) }
    }
    return result
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw ChildProcess.Failure(description: "cannot write \(path)") }
    fputs(text, file)
    fclose(file)
  }

  private static func remove(_ folder: String) {
    try? FileManager.default.removeItem(atPath: folder)
  }
}

package func withUnixAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result)
  -> Result
{
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
