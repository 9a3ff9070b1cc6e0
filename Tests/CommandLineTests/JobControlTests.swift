import Foundation
import TestSupport
import Testing

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

  @Test func stopBackgroundForeground() throws {
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

  @Test func startedInTheBackground() throws {
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

  @Test func aKilledStoppedJobEnds() throws {
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
