import Foundation
import TestSupport
import Testing

/// In scripts and pipes: no key is read, no status line is written, a lost reader is no reason to stop.
struct ScriptTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for name in ["one.wav", "two.wav", "three.wav"] {
      try WaveFile.noise(frames: 9600).write(to: scratch[name])
    }
  }

  @Test func nothingIsSaidWithoutATerminal() throws {
    let player = try scratch.player("--output", "null", scratch["one.wav"])
    #expect(player.next() == .exited(0))
    #expect(player.output == "")
    #expect(player.errors == "")
  }

  @Test func theNullOutputTakesItsTime() throws {
    let start = Date()
    let player = try scratch.player(
      "--output", "null", scratch["one.wav"], scratch["two.wav"], scratch["three.wav"])
    #expect(player.next() == .exited(0))
    #expect(Date().timeIntervalSince(start) >= 0.6)
  }

  @Test("the list of a script is not eaten, B44") func theListOfAScriptIsNotEaten() throws {
    let shell = try scratch.shell(
      """
      printf '%s\\n' one.wav two.wav three.wav >list
      while read -r f; do "$vplay" --output null "$f" && echo "$f"; done <list
      """)
    #expect(shell.next(within: 20) == .exited(0))
    #expect(shell.output == "one.wav\ntwo.wav\nthree.wav\n")
    #expect(shell.errors == "")
  }

  @Test("a closed standard input, B44") func closedStandardInput() throws {
    let player = try scratch.player("--output", "null", scratch["one.wav"], terminal: .closedInput)
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
  }

  @Test("an input at its end, or closed, costs no CPU, B44", arguments: ["</dev/null", "<&-"])
  func anEndedInputIsNotReadAgain(input: String) throws {
    try WaveFile.noise(frames: 144_000).write(to: scratch["long.wav"])
    let shell = try scratch.shell("TIMEFORMAT='%U %S'; time \"$vplay\" --output null long.wav \(input)")
    #expect(shell.next() == .exited(0))
    let seconds = shell.errors.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    #expect(seconds.count == 2 && seconds.reduce(0, +) < 1.5, "\(shell.errors)")
  }

  @Test(
    "outputs that go away, nohup, no terminal, B44, B51",
    arguments: [
      "\"$vplay\" --output null one.wav | true; exit ${PIPESTATUS[0]}",
      "\"$vplay\" --output null one.wav missing.wav two.wav 2>&1 | true; [ ${PIPESTATUS[0]} = 1 ]",
      "\"$vplay\" --output null one.wav >/dev/full", "\"$vplay\" --output null one.wav >&- 2>&-",
      "\"$vplay\" --output null one.wav >/dev/null 2>/dev/full",
      "nohup \"$vplay\" --output null one.wav >o 2>&1",
      "setsid -w \"$vplay\" --output null one.wav",
    ])
  func outputsThatGoAway(script: String) throws {
    let shell = try scratch.shell(script)
    #expect(shell.next() == .exited(0))
    #expect(shell.output == "")
    #expect(shell.errors == "")
  }

  @Test(arguments: [
    // As cron starts it: no terminal, hardly an environment, another folder; and with nothing open at all.
    "cd / && env -i PATH=/usr/bin:/bin \"$vplay\" --output null \"$folder/one.wav\" </dev/null",
    "cd / && env -i \"$vplay\" --output null \"$folder/one.wav\" </dev/null",
    "\"$vplay\" --output null one.wav <&- >&- 2>&-", "\"$vplay\" --json --output null one.wav <&- >&- 2>&-",
    "\"$vplay\" --info one.wav <&- 2>&- >/dev/null",
    "\"$vplay\" --output null one.wav <&- & wait $!", "(\"$vplay\" --output null one.wav &) | cat",
    "ulimit -c 0; ulimit -n 64; \"$vplay\" --output null one.wav two.wav three.wav",
  ])
  func startedFromAnywhere(script: String) throws {
    let shell = try scratch.shell("folder='\(scratch.path)'; \(script)")
    #expect(shell.next() == .exited(0))
    #expect(shell.output == "")
    #expect(shell.errors == "")
  }

  @Test func aFolderThatIsGone() throws {
    let shell = try scratch.shell(
      "mkdir gone; cd gone; rmdir ../gone; \"$vplay\" --output null one.wav; echo $?; \"$vplay\" --output null ../one.wav; echo $?; \"$vplay\" --output null '\(scratch["one.wav"])'; echo $?"
    )
    #expect(shell.next() == .exited(0))
    #expect(shell.output == "1\n1\n0\n")
  }
}
