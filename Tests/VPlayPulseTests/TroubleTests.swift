import Glibc
import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

extension ServerTests {
  @Suite struct Trouble {
    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func killedServerIsLostAndComesBack(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind))
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      server.capture.wait(seconds: 0.2)
      let duration = seconds {
        server.kill()
        #expect(driver.events.wait(seconds: 1) { $0 == .lost })
      }
      #expect(duration < 1)
      #expect(kindThrown { try driver.fill(tape) } == .lost)
      #expect(kindThrown { try driver.stream.setCorked(true) } == .lost)
      #expect(kindThrown { try driver.write(tape, 0..<10) } == .lost)
      #expect(kindThrown { _ = try StreamDriver(server.server, sink: driver.sink) } == .unavailable)

      let isBack = Monitor(0)
      let watch = driver.sink.whenAvailable { isBack.withLockAndWake { $0 += 1 } }
      #expect(isBack.wait(until: SystemClock().now.advanced(bySeconds: 0.6)) { $0 > 0 ? true : nil } == nil)
      try server.restart()
      let restarted = seconds {
        #expect(isBack.wait(until: SystemClock().now.advanced(bySeconds: 5)) { $0 > 0 ? true : nil } == true)
      }
      #expect(restarted < 1)
      withExtendedLifetime(watch) {}
      // Once only, and no event of the dead stream after its last.
      let again = try StreamDriver(server.server, sink: driver.sink)
      try again.fill(tape)
      try again.stream.setCorked(false)
      if kind == .pulseAudio {
        try again.play(tape, upTo: 10_000)
        let runs = NoiseRun.identify(server.capture.samples, [tape])
        #expect(runs.contains { $0.origin == .tape(0, frame: 0) && $0.count >= 10_000 }, "\(runs)")
      }
      #expect(isBack.withLock { $0 } == 1)
      #expect(driver.events.all.last == .lost)
    }

    @Test func frozenServerTimesOutAndThaws() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1)
      let driver = try StreamDriver(server.server)
      try driver.fill(tape)
      try driver.stream.setCorked(false)
      server.capture.wait(seconds: 0.2)
      server.freeze()
      for call in [{ _ = try driver.stream.timing() }, { try driver.stream.setCorked(true) }] {
        let duration = seconds { #expect(kindThrown(call) == .timedOut) }
        #expect((1...1.2).contains(duration), "\(duration)")
      }
      let opening = seconds {
        #expect(kindThrown { _ = try StreamDriver(server.server, sink: driver.sink) } == .timedOut)
      }
      #expect((1.9...2.2).contains(opening), "\(opening)")
      let writing = try seconds { try driver.write(tape, 96_000..<96_010) }
      #expect(writing < 0.05)
      // Not "available" before it answers.
      let isBack = Monitor(false)
      let watch = driver.sink.whenAvailable { isBack.withLockAndWake { $0 = true } }
      #expect(isBack.wait(until: SystemClock().now.advanced(bySeconds: 0.3)) { $0 ? true : nil } == nil)
      server.thaw()
      #expect(isBack.wait(until: SystemClock().now.advanced(bySeconds: 1)) { $0 ? true : nil } == true)
      withExtendedLifetime(watch) {}
      // The late cork was obeyed; the stream goes on.
      try driver.stream.setCorked(false)
      _ = try driver.stream.timing()
    }

    @Test func frozenServerDoesNotHoldUpClose() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let driver = try StreamDriver(server.server)
      server.freeze()
      #expect(seconds { driver.stream.close() } < 0.05)
      #expect(kindThrown { _ = try driver.stream.timing() } == .lost)
    }

    @Test func silentSocketTimesOut() throws {
      let socket = try SilentSocket()
      defer { socket.stop() }
      let duration = seconds { #expect(kindThrown { _ = try StreamDriver(socket.server) } == .timedOut) }
      #expect((1.9...2.2).contains(duration), "\(duration)")
    }

    @Test func noServerFailsAtOnce() {
      let duration = seconds {
        #expect(kindThrown { _ = try StreamDriver("unix:/nonexistent/native") } == .unavailable)
      }
      #expect(duration < 0.2, "\(duration)")
    }

    @Test func cancellationEndsEveryWait() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let driver = try StreamDriver(server.server)
      server.freeze()
      try expectCancelled(driver.cancellation) { _ = try driver.stream.timing() }
      #expect(kindThrown { try driver.stream.setCorked(true) } == .cancelled)
      #expect(kindThrown { _ = try driver.stream.timing() } == .cancelled)
      let other = SinkCancellation()
      try expectCancelled(other) {
        _ = try driver.sink.openStream(StreamRequest(format: .mono(44_100)), cancellation: other) { _ in }
      }
      let socket = try SilentSocket()
      defer { socket.stop() }
      let third = SinkCancellation()
      try expectCancelled(third) {
        _ = try PulseSink(applicationName: "VPlayTests", server: socket.server).devices(cancellation: third)
      }
    }

    @Test func killedStreamIsLostAndTheConnectionStands() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let driver = try StreamDriver(server.server)
      try server.run("pactl", "unload-module", "module-pipe-sink")
      #expect(driver.events.wait(seconds: 1) { $0 == .lost })
      #expect(kindThrown { _ = try StreamDriver(server.server, sink: driver.sink) } == .unavailable)
      try server.run("pactl", "load-module", "module-null-sink")
      _ = try StreamDriver(server.server, sink: driver.sink)
    }

    @Test func roundsLeaveNothingBehind() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let tape = NoiseTape(seed: 1, frames: 96_000)
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      func round(_ index: Int) throws {
        let own = index % 4 == 0 ? nil : sink
        let driver = try StreamDriver(server.server, StreamRequest(format: .stereo(44_100)), sink: own)
        try driver.fill(tape)
        if index % 2 == 0 { try driver.stream.setCorked(false) }
        if index % 3 == 0 { driver.stream.close() }
      }
      for index in 0..<8 { try round(index) }
      let before = Resources()
      for index in 0..<200 { try round(index) }
      let after = Resources(settlingTo: before)
      #expect(after.descriptors <= before.descriptors, "\(before) \(after)")
      #expect(after.threads <= before.threads, "\(before) \(after)")
      #expect(try server.run("pactl", "list", "short", "sink-inputs") == "")
    }

    private func expectCancelled(
      _ cancellation: SinkCancellation, _ wait: () throws -> Void
    ) throws {
      let stamp = Monitor<HostTime?>(nil)
      let goes = Monitor(false)
      startThread {
        _ = goes.wait(until: SystemClock().now.advanced(bySeconds: 0.1)) { $0 ? true : nil }
        stamp.withLock { $0 = SystemClock().now }
        cancellation.cancel()
      }
      #expect(kindThrown(wait) == .cancelled)
      let end = SystemClock().now
      let cancelled = try #require(stamp.withLock { $0 })
      #expect(end.seconds(since: cancelled) < 0.05)
    }
  }
}

/// The kind of the sink error that `body` throws.
func kindThrown(_ body: () throws -> Void) -> SinkError.Kind? {
  do {
    try body()
    return nil
  } catch {
    return (error as? SinkError)?.kind
  }
}

/// A server that accepts connections, by its backlog, and never answers.
final class SilentSocket: Sendable {
  let server: String
  private let path: String
  private let file: Int32

  init() throws {
    path = "/tmp/vplay-silent.\(getpid()).\(UInt32.random(in: 0 ... .max))"
    server = "unix:\(path)"
    file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = withUnixAddress(path) { [file] in bind(file, $0, $1) }
    guard bound == 0, listen(file, 8) == 0 else { throw SinkError(.invalid, "cannot listen on \(path)") }
  }

  func stop() {
    close(file)
    unlink(path)
  }
}

/// What this process holds of the system.
struct Resources: Equatable {
  var descriptors = Resources.count("/proc/self/fd")
  var threads = Resources.threads()

  init() {}

  /// Waits, for up to two seconds, while more is held than in `earlier`: threads end in their own time.
  init(settlingTo earlier: Resources) {
    let pause = Monitor(false)
    let limit = SystemClock().now.advanced(bySeconds: 2)
    repeat {
      self.init()
      if descriptors <= earlier.descriptors, threads <= earlier.threads { return }
      _ = pause.wait(until: SystemClock().now.advanced(bySeconds: 0.02)) { $0 ? true : nil }
    } while SystemClock().now < limit
  }

  /// Those of libpulse's loops: the test runner's own come and go.
  private static func threads() -> Int {
    var names = 0
    _ = ChildProcess.wakeUps(process: "self") { name in
      if name == "vplay-pulse" { names += 1 }
      return false
    }
    return names
  }

  private static func count(_ folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }
}
