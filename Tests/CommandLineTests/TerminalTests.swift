import Foundation
import Glibc
import TestSupport
import Testing

/// On a pseudo-terminal, with keys and signals. The null output keeps the time.
@Suite(.serialized)
struct TerminalTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
  }

  private func start(_ arguments: String..., columns: UInt16 = 80) throws -> PlayerProcess {
    let player = try PlayerProcess(
      (["--output", "null"] + arguments + [Scratch.clip]).map { Array($0.utf8) },
      terminal: .pseudo(columns: columns))
    #expect(player.shows("playing"))
    return player
  }

  @Test func keys() throws {
    let player = try start()
    #expect(!player.terminalIsPlain)
    #expect(player.shows("/ 0:10") && player.shows("100%") && player.shows("clip.mov"))
    player.type(" ")
    #expect(player.shows("paused"))
    player.type("m")
    #expect(player.shows("muted"))
    player.type("m")
    #expect(player.shows("100%"))
    player.type("\u{1b}[B\u{1b}[B")
    #expect(player.shows("90%"))
    player.type("\u{1b}[A")
    #expect(player.shows("95%"))
    player.type("\u{1b}[C")
    #expect(player.shows("0:05 /"))
    player.type("\u{1b}[1;2C")
    #expect(player.shows("0:06 /"))
    player.type("\u{1b}OD")
    #expect(player.shows("0:01 /"))
    player.type("\u{1b}[1;2D\u{1b}[1;2D")
    #expect(player.shows("0:00 /"))
    player.type(" ")
    #expect(player.shows("playing"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(player.terminalIsPlain)
  }

  @Test("twenty times forwards at the end: it ends, or rests there in a pause, B34", arguments: [false, true])
  func forwardsAtTheEnd(isPaused: Bool) throws {
    let player = try start("--start", "8")
    if isPaused {
      player.type(" ")
      #expect(player.shows("paused"))
    }
    player.type(String(repeating: "\u{1b}[C", count: 20))
    if isPaused {
      #expect(player.shows("0:10 / 0:10"))
      player.type("\u{1b}[D")
      #expect(player.shows("paused   0:08 / 0:10"))
      player.type(" ")
      #expect(player.shows("playing"))
      player.type("q")
    }
    #expect(player.next(within: 1.5) == .exited(0))
  }

  @Test("twenty times backwards at the start: it plays on from there, B34") func backwardsAtTheStart() throws {
    let player = try start("--start", "1")
    player.type(String(repeating: "\u{1b}[D", count: 20))
    #expect(player.shows("playing  0:02 /"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }

  /// Short names, for the status line's last column.
  private func list(_ arguments: String..., seconds: [Double] = [30, 30, 30]) throws -> PlayerProcess {
    let names = (0..<seconds.count).map { scratch["track\($0).wav"] }
    for (name, seconds) in zip(names, seconds) {
      try WaveFile.noise(frames: Int(seconds * 8000), sampleRate: 8000, channelCount: 1).write(to: name)
    }
    let player = try PlayerProcess(
      (["--output", "null"] + arguments + names).map { Array($0.utf8) }, terminal: .pseudo(columns: 80))
    #expect(player.shows("playing"))
    return player
  }

  @Test func nextAndPrevious() throws {
    let player = try list()
    #expect(player.shows("track0.wav"))
    player.type("n")
    #expect(player.shows("track1.wav"))
    player.type("p")
    #expect(player.shows("track0.wav"))
    // Late in a track, back is to its beginning.
    player.type("n\u{1b}[C")
    #expect(player.shows("0:05 / 0:30") && player.shows("track1.wav"))
    player.type("p")
    #expect(player.shows("0:00 / 0:30") && player.shows("track1.wav"))
    // A burst; the last has no next, the first no previous.
    player.type("nnnnn")
    #expect(player.shows("track2.wav"))
    player.type("ppppp")
    #expect(player.shows("track0.wav"))
    player.type("nnpn \u{1b}[C")
    #expect(player.shows("paused   0:05 / 0:30") && player.shows("track2.wav"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }

  @Test func afterTheTrackBeforeComesTheSameAgain() throws {
    let player = try list(seconds: [0.3, 30])
    #expect(player.shows("track1.wav"))
    player.type("p")
    #expect(player.shows("track0.wav") && player.shows("track1.wav"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }

  @Test func loopIsTurnedOnAndOff() throws {
    let player = try list(seconds: [0.5])
    player.type("l")
    #expect(player.shows("loop  track0.wav"))
    for _ in 1...3 { #expect(player.shows("0:00 / 0:00")) }
    player.type("l")
    #expect(player.next(within: 3) == .exited(0))
  }

  @Test(arguments: ["--loop", "--loop=9"])
  func aLoopOfTheCommandLineIsTurnedOff(option: String) throws {
    let player = try list(option, seconds: [0.4])
    #expect(player.shows("loop  track0.wav"))
    player.type("lll")
    #expect(player.next(within: 3) == .exited(0))
  }

  @Test func aLoopOfAListIsTurnedOffAndOnAgain() throws {
    let player = try list("--loop", seconds: [0.2, 0.2])
    player.type("ll")
    for name in ["track0.wav", "track1.wav", "track0.wav", "track1.wav", "track0.wav"] {
      #expect(player.shows(name))
    }
    player.type("l")
    #expect(player.next(within: 3) == .exited(0))
  }

  @Test func escapeAloneQuits() throws {
    let player = try start()
    player.type("\u{1b}")
    #expect(player.next(within: 2) == .exited(0))
    #expect(player.terminalIsPlain)
  }

  @Test func theEndLeavesTheTerminalAsItWas() throws {
    let player = try start("--start", "9.8")
    #expect(player.next(within: 5) == .exited(0))
    #expect(player.terminalIsPlain)
    #expect(player.output.utf8.last == UInt8(ascii: "\n"))
  }

  @Test func quietShowsNothingAndReadsKeys() throws {
    let player = try PlayerProcess(
      ["--quiet", "--output", "null", Scratch.clip].map { Array($0.utf8) }, terminal: .pseudo(columns: 80))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(!player.output.contains("playing"))
    #expect(player.terminalIsPlain)
  }

  @Test func aBrokenFileIsNamedOnALineOfItsOwn() throws {
    let player = try PlayerProcess(
      ["--output", "null", "--end", "0.3", Scratch.clip, "/none.wav"].map { Array($0.utf8) },
      terminal: .pseudo(columns: 80))
    #expect(player.next(within: 5) == .exited(1))
    #expect(player.output.contains("vplay: /none.wav: "))
    #expect(player.terminalIsPlain)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func endingSignals(signal: Int32) throws {
    let player = try start()
    player.send(signal)
    #expect(player.next(within: 2) == .signalled(signal))
    #expect(player.terminalIsPlain)
  }

  @Test func theInterruptKeyEnds() throws {
    let player = try start()
    player.type("\u{3}")
    #expect(player.next(within: 2) == .signalled(SIGINT))
    #expect(player.terminalIsPlain)
  }

  @Test func stopAndGoOn() throws {
    let player = try start()
    player.send(SIGTSTP)
    #expect(player.next(within: 2) == .stopped(SIGSTOP))
    #expect(player.terminalIsPlain)
    player.send(SIGCONT)
    #expect(player.shows("playing"))
    #expect(!player.terminalIsPlain)
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(player.terminalIsPlain)
  }

  @Test func endedWhileStopped() throws {
    let player = try start()
    player.send(SIGTSTP)
    #expect(player.next(within: 2) == .stopped(SIGSTOP))
    player.send(SIGTERM)
    player.send(SIGCONT)
    #expect(player.next(within: 1) == .signalled(SIGTERM))
    #expect(player.terminalIsPlain)
  }

  @Test func pausedStaysPausedOverAStop() throws {
    let player = try start()
    player.type(" ")
    #expect(player.shows("paused"))
    player.send(SIGTSTP)
    #expect(player.next(within: 2) == .stopped(SIGSTOP))
    player.send(SIGCONT)
    #expect(player.shows("paused"))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
  }
}
