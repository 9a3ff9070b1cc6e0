import Foundation
import Glibc
import TestSupport
import Testing
import VPlayModel

/// Under a shell with job control on a pseudo-terminal: stop, background, foreground.
@Suite(.serialized)
struct JobControlTests {
  /// A shell that waits for its first line; `job LINE` types one.
  private func shell() throws -> PlayerProcess {
    let shell = try PlayerProcess(
      command: "bash", ["--norc", "--noprofile", "-i"].map { Array($0.utf8) }, terminal: .pseudo(columns: 80),
      environment: ["PS1": "ready> ", "vplay": PlayerProcess.executable, "clip": Scratch.clip])
    #expect(shell.shows("ready> "))
    return shell
  }

  @Test("Ctrl-Z, bg, fg: keys act again, B47") func stopBackgroundForeground() throws {
    let shell = try shell()
    shell.type("\"$vplay\" --output null \"$clip\"\n")
    #expect(shell.shows("playing"))
    shell.type("\u{1a}")
    #expect(shell.shows("Stopped") && shell.shows("ready> "))
    shell.type("bg\n")
    #expect(shell.shows("ready> "))
    shell.type("jobs\n")
    #expect(shell.shows("Running"))
    shell.type("fg\n")
    #expect(shell.shows("playing"))
    shell.type(" ")
    #expect(shell.shows("paused"))
    shell.type("q")
    #expect(shell.shows("ready> "))
    shell.type("echo status $?\n")
    #expect(shell.shows("status 0"))
    shell.type("exit\n")
    #expect(shell.next() == .exited(0))
  }

  /// The signal that no program is told of: the shell takes its terminal back by itself.
  @Test("stopped by SIGSTOP: keys act again after fg, B47", arguments: [true, false])
  func stoppedFromElsewhere(comesBack: Bool) throws {
    let scratch = try Scratch()
    let shell = try shell()
    shell.type("\"$vplay\" --output null \"$clip\" & echo $! >'\(scratch["pid"])'; fg\n")
    #expect(shell.shows("playing"))
    let pid = try #require(
      FileManager.default.contents(atPath: scratch["pid"]).flatMap {
        pid_t(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      })
    kill(pid, SIGSTOP)
    #expect(shell.shows("Stopped") && shell.shows("ready> "))
    if comesBack {
      shell.type("fg\n")
      #expect(shell.shows("playing"))
      shell.type(" ")
      #expect(shell.shows("paused"))
      shell.type("q")
      #expect(shell.shows("ready> "))
    } else {
      shell.type("bg\n")
      #expect(shell.shows("ready> "))
      kill(pid, SIGTERM)
      let limit = SystemClock().now.advanced(bySeconds: 5)
      while kill(pid, 0) == 0, SystemClock().now < limit { sched_yield() }
      #expect(kill(pid, 0) != 0)
      // What ends in the background leaves the terminal to the shell, which edits its line.
      #expect(!shell.terminalIsPlain)
    }
    shell.type("exit\n")
    #expect(shell.next() == .exited(0))
  }

  @Test("started in the background it is not stopped by its terminal, B47") func startedInTheBackground() throws {
    let shell = try shell()
    // With tostop a background job that writes to its terminal is stopped.
    shell.type("stty tostop; \"$vplay\" --output null \"$clip\" --end 0.5 /none.wav &\n")
    #expect(shell.shows("ready> "))
    shell.type("wait; jobs; echo over $?\n")
    #expect(shell.shows("over 0"))
    shell.type("exit\n")
    #expect(shell.next() == .exited(0))
    #expect(!shell.output.contains("Stopped"))
  }

  @Test("a stopped job that is killed ends, B47") func aKilledStoppedJobEnds() throws {
    let shell = try shell()
    shell.type("\"$vplay\" --output null \"$clip\"\n")
    #expect(shell.shows("playing"))
    shell.type("\u{1a}")
    #expect(shell.shows("Stopped") && shell.shows("ready> "))
    shell.type("kill %1; kill -CONT %1; wait; echo over $((1 + 1))\n")
    #expect(shell.shows("over 2"))
    shell.type("exit\n")
    #expect(shell.next() == .exited(0))
  }
}
