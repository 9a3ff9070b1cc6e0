import Foundation
import Glibc
import TestSupport
import Testing

/// On a private PulseAudio: what is heard of the program, and how it lives with a server that fails.
@Suite(.serialized)
struct ServerTests {
  private let scratch: Scratch
  private let server: PrivatePulseServer

  init() throws {
    scratch = try Scratch()
    server = try PrivatePulseServer(.init { $0.nullSinks = 1 })
  }

  private func player(
    _ arguments: String..., terminal: PlayerProcess.Terminal = .none
  ) throws -> PlayerProcess {
    try PlayerProcess(
      arguments.map { Array($0.utf8) }, terminal: terminal, environment: ["PULSE_SERVER": server.server])
  }

  /// From the first sound to the last.
  private func heard() -> [Int16] {
    let samples = server.capture.samples
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(samples[(first & ~1)...(last | 1)])
  }

  private func integers(_ wave: WaveFile) -> [Int16] { wave.samples.map { Int16(($0 * 32768).rounded()) } }

  private func streams() throws -> [String] {
    try server.run("pactl", "list", "short", "sink-inputs").split(separator: "\n").map(String.init)
  }

  @Test(arguments: [48_000, 1440])
  func everyFrameIsHeard(frames: Int) throws {
    let noise = WaveFile.noise(frames: frames)
    try noise.write(to: scratch["in.wav"])
    let player = try player(scratch["in.wav"])
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
    let (heard, written) = (heard(), integers(noise))
    let isEqual = heard == written
    #expect(isEqual, "\(heard.count) samples for \(written.count)")
  }

  @Test("whatever latency the environment asks for, B26", arguments: ["1", "3000"])
  func everyFrameIsHeardAtAnyLatency(milliseconds: String) throws {
    let noise = WaveFile.noise(frames: 120_000)
    try noise.write(to: scratch["in.wav"])
    let player = try PlayerProcess(
      [Array(scratch["in.wav"].utf8)],
      environment: ["PULSE_SERVER": server.server, "PULSE_LATENCY_MSEC": milliseconds])
    #expect(player.next() == .exited(0))
    let (heard, written) = (heard(), integers(noise))
    let isEqual = heard == written
    #expect(isEqual, "\(heard.count) samples for \(written.count)")
  }

  @Test("input that stalls: a hole, and all of it heard, B26") func aStalledPipe() throws {
    let noise = WaveFile.noise(frames: 96_000)
    try noise.write(to: scratch["in.wav"])
    let shell = try PlayerProcess(
      command: "bash",
      [
        Array("-c".utf8),
        Array(
          "{ head -c 192044 <&3; sleep 2; cat <&3; } 3<'\(scratch["in.wav"])' | '\(PlayerProcess.executable)' -".utf8),
      ], environment: ["PULSE_SERVER": server.server])
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "")
    var heard = heard()
    // The one long silence in it.
    var hole = 0..<0
    var start = 0
    for index in heard.indices where heard[index] != 0 {
      if index - start > hole.count { hole = start..<index }
      start = index + 1
    }
    #expect(hole.count > 2 * 4_800)
    heard.removeSubrange(hole)
    let written = integers(noise)
    // At the hole's ends it may have been faded.
    let differing = zip(heard, written).count { $0 != $1 }
    #expect(heard.count == written.count && differing <= 2 * 480, "\(heard.count) \(written.count) \(differing)")
  }

  @Test("samples beyond full scale do not wrap round, B39") func beyondFullScale() throws {
    let path = scratch["over.wav"]
    let shell = try scratch.shell(
      "ffmpeg -loglevel error -f lavfi -i 'aevalsrc=1.4*sin(2*PI*1000*t)|1.4*sin(2*PI*1000*t):s=48000:d=1' "
        + "-c:a pcm_f32le over.wav")
    #expect(shell.next() == .exited(0))
    let player = try player(path)
    #expect(player.next() == .exited(0))
    let heard = heard()
    #expect(heard.count >= 2 * 47_990)
    #expect(heard.contains(.max))
    let wraps = zip(heard.dropFirst(2), heard).count { abs(Int($0) - Int($1)) > 32_768 }
    #expect(wraps == 0)
  }

  @Test func mutedIsSilentAndHasNoStream() throws {
    let player = try player("--mute", "--end", "1.5", Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing") && player.shows("muted"))
    #expect(try streams().isEmpty)
    #expect(player.next() == .exited(0))
    #expect(server.capture.samples.allSatisfy { $0 == 0 })
  }

  @Test func theKeyUnmutes() throws {
    try WaveFile.noise(frames: 480_000).write(to: scratch["in.wav"])
    let player = try player("--mute", scratch["in.wav"], terminal: .pseudo(columns: 80))
    #expect(player.shows("playing") && player.shows("muted"))
    player.type("m")
    #expect(player.shows("100%"))
    server.capture.wait(seconds: 0.5)
    #expect(try streams().count == 1)
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(heard().count > 2 * 4800)
  }

  @Test func theDeviceIsTheAskedOne() throws {
    let player = try player("--device", "n1", Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    let sinks = try server.run("pactl", "list", "short", "sinks").split(separator: "\n")
    let index = try #require(sinks.first { $0.contains("\tn1\t") }?.split(separator: "\t").first)
    #expect(try streams().first?.split(separator: "\t")[1] == index)
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }

  @Test func aDeviceThatIsNotThere() throws {
    let player = try player("--device", "none", Scratch.clip)
    #expect(player.next() == .exited(3))
    #expect(player.errors.hasPrefix("vplay: no sound output: "))
  }

  @Test func devicesAreListed() throws {
    let player = try player("--list-devices")
    #expect(player.next() == .exited(0))
    let lines = player.output.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("* lab\t") })
    #expect(lines.contains { $0.hasPrefix("  n1\t") })
    #expect(player.errors == "")
  }

  @Test(arguments: ["q", "\u{3}"])
  func theEndIsHeardAsAFade(key: String) throws {
    // A level that never changes: each step of the capture is the program's own.
    try WaveFile(sampleRate: 48_000, channelCount: 2, samples: Array(repeating: 0.5, count: 960_000))
      .write(to: scratch["in.wav"])
    let player = try player(scratch["in.wav"], terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    player.type(key)
    #expect(player.next(within: 2) == (key == "q" ? .exited(0) : .signalled(SIGINT)))
    server.capture.wait(seconds: 0.3)
    let left = heard().enumerated().filter { $0.offset % 2 == 0 }.map { Int($0.element) }
    #expect(left.count > 24_000)
    let ramp = Array(left.suffix(300))
    #expect(ramp.first == 16_384 && zip(ramp, ramp.dropFirst()).allSatisfy { (0...100).contains($0 - $1) }, "\(ramp)")
    #expect(ramp.last.map { $0 < 200 } == true)
  }

  @Test("silent while stopped, B47") func silentWhileStopped() throws {
    try WaveFile.noise(frames: 480_000).write(to: scratch["in.wav"])
    let player = try player(scratch["in.wav"], terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    player.send(SIGTSTP)
    #expect(player.next(within: 2) == .stopped(SIGSTOP))
    server.capture.wait(seconds: 1)
    #expect(server.capture.samples.suffix(4800).allSatisfy { $0 == 0 })
    player.send(SIGCONT)
    server.capture.wait(seconds: 0.5)
    #expect(server.capture.samples.suffix(4800).contains { $0 != 0 })
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
  }

  /// A call pauses; at its end the player goes on, unless its user paused meanwhile.
  @Test("a call pauses; at its end it goes on, unless its user paused meanwhile", arguments: [false, true])
  func aCall(userPauses: Bool) throws {
    try WaveFile.noise(frames: 960_000).write(to: scratch["in.wav"])
    let player = try player(scratch["in.wav"], terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    let call = try server.launch("pacat", "--property=media.role=phone", "--raw", "/dev/zero")
    #expect(player.shows("paused"))
    // A call that ends within the fade is not told of: the server asks only what is corked to go on.
    server.capture.wait(seconds: 0.5)
    #expect(server.capture.samples.suffix(4800).allSatisfy { $0 == 0 })
    if userPauses {
      player.type(" ")
      #expect(player.shows("playing"))
      player.type(" ")
      #expect(player.shows("paused"))
    }
    call.signal(SIGKILL)
    call.wait()
    if userPauses {
      server.capture.wait(seconds: 1)
      #expect(server.capture.samples.suffix(4800).allSatisfy { $0 == 0 })
      player.type(" ")
    }
    #expect(player.shows("playing"))
    server.capture.wait(seconds: 0.5)
    #expect(server.capture.samples.suffix(4800).contains { $0 != 0 })
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func endsInTimeThoughTheServerIsFrozen(signal: Int32) throws {
    let player = try player(Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    server.freeze()
    player.send(signal)
    #expect(player.next(within: 2) == .signalled(signal))
    #expect(player.terminalIsPlain)
    server.thaw()
  }

  @Test func quitsInTimeThoughTheServerIsFrozen() throws {
    let player = try player(Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    server.freeze()
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    server.thaw()
  }

  @Test("the server dies in mid-play: waiting, and ended at once, B51") func theServerDiesInMidPlay() throws {
    let player = try player(Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing  0:01"))
    server.kill()
    #expect(player.shows("waiting"))
    #expect(player.shows("vplay: the sound output has stopped: waiting for it"))
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
    #expect(player.terminalIsPlain)
  }

  /// No signal of the broken connection, and a report though there is no terminal.
  @Test("the server dies without a terminal to show it: a line, and life, B51")
  func theServerDiesUnderAScript() throws {
    let player = try player(Scratch.clip)
    #expect(server.capture.wait(forFrames: 48_000))
    server.kill()
    #expect(player.says("vplay: the sound output has stopped: waiting for it\n"))
    try server.restart()
    #expect(player.next(within: 20) == .exited(0))
    #expect(player.output == "" && player.errors == "")
  }

  @Test("a suspended output is waited for, B24") func aSuspendedOutput() throws {
    try server.run("pactl", "suspend-sink", "lab", "1")
    let player = try player("--end", "1", Scratch.clip, terminal: .pseudo(columns: 80))
    #expect(player.shows("waiting"))
    #expect(player.shows("vplay: the sound output has stopped: waiting for it"))
    try server.run("pactl", "suspend-sink", "lab", "0")
    #expect(player.shows("playing"))
    #expect(player.next(within: 5) == .exited(0))
  }

  @Test func aSocketThatNeverAnswers() throws {
    // It listens, and accepts nobody.
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    let path = scratch["silent"]
    #expect(withUnixAddress(path) { bind(listener, $0, $1) } == 0)
    #expect(listen(listener, 8) == 0)
    let player = try PlayerProcess(
      [Array(Scratch.clip.utf8)], terminal: .pseudo(columns: 80), environment: ["PULSE_SERVER": "unix:\(path)"])
    #expect(player.shows("waiting"))
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
    #expect(player.terminalIsPlain)
  }
}
