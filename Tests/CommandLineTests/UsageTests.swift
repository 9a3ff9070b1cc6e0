import Foundation
import TestSupport
import Testing

/// The executable's own words and statuses: nothing is played here.
struct UsageTests {
  private func run(_ arguments: String...) throws -> PlayerProcess {
    try PlayerProcess(arguments.map { Array($0.utf8) })
  }

  @Test func helpGoesToStandardOutput() throws {
    let player = try run("--help")
    #expect(player.next() == .exited(0))
    #expect(player.output.hasPrefix("vplay [options] FILE|URL|- ...\n"))
    #expect(player.errors == "")
  }

  @Test func versionGoesToStandardOutput() throws {
    let player = try run("--version")
    #expect(player.next() == .exited(0))
    #expect(player.output.firstMatch(of: /^vplay \d+\.\d+\.\d+\n$/) != nil)
    #expect(player.errors == "")
  }

  @Test(
    "usage errors are one line and status 2, B39, B48",
    arguments: [
      (["--volume", "1.5", "x"], "--volume"), (["--volume", "-1", "x"], "--volume"),
      (["--volume", "nan", "x"], "--volume"), (["--volume", "abc", "x"], "--volume"),
      (["x", "--volume"], "--volume"),
      (["--loop=0", "x"], "--loop"), (["--start", "x", "x"], "--start"),
      (["--start", "5", "--end", "4", "x"], "--end"), (["--output", "x", "x"], "--output"),
      (["--device", "", "x"], "--device"), (["--unknown", "x"], "--unknown"), (["--mute=x", "x"], "--mute"),
      ([], "nothing"), ([""], "nothing"), (["x", ""], "nothing"),
    ])
  func usageErrorsAreOneLineAndStatusTwo(arguments: [String], named: String) throws {
    let player = try PlayerProcess(arguments.map { Array($0.utf8) })
    #expect(player.next() == .exited(2))
    #expect(player.output == "")
    let errors = player.errors
    #expect(errors.hasPrefix("vplay: \(named)"))
    #expect(errors.filter { $0 == "\n" }.count == 1 && errors.hasSuffix("\n"))
  }

  @Test func helpIntoAFullDiskFails() throws {
    let shell = try PlayerProcess(
      command: "sh", [Array("-c".utf8), Array("'\(PlayerProcess.executable)' --help >/dev/full".utf8)])
    #expect(shell.next() == .exited(1))
    #expect(shell.errors == "vplay: standard output: No space left on device\n")
  }

  @Test("help into a reader that leaves, B51") func helpIntoAReaderThatLeaves() throws {
    let shell = try PlayerProcess(
      command: "bash",
      [Array("-c".utf8), Array("'\(PlayerProcess.executable)' --help | true; exit ${PIPESTATUS[0]}".utf8)])
    let end = shell.next()
    #expect(end == .exited(0) || end == .exited(141))
    #expect(shell.errors == "")
  }
}
