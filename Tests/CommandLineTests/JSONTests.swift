import Foundation
import TestSupport
import Testing

@testable import vplay

struct JSONTests {
  @Test(
    arguments: [
      (.null, "null"), (.bool(true), "true"), (.integer(-3), "-3"), (.number(1), "1"), (.number(0.25), "0.25"),
      (.number(.nan), "null"), (.number(-.infinity), "null"), (.seconds(1.23456), "1.235"), (.seconds(nil), "null"),
      (.string("a\"b\\c\n\t\u{7}"), #""a\"b\\c\n\t\u0007""#), (.string("é曲😀"), "\"é曲😀\""),
      (.string("\u{202e}\u{2028}\u{e0001}"), #""\u202e\u2028\udb40\udc01""#),
      (.array([.integer(1), .array([])]), "[1,[]]"),
      (.object([("b", .null), ("a", .object([]))]), #"{"b":null,"a":{}}"#),
    ] as [(JSON, String)])
  func texts(value: JSON, text: String) throws {
    #expect(value.text == text)
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(value.text.utf8), options: .fragmentsAllowed)
    }
  }
}

/// `--json`, on the null output, which keeps the time.
@Suite(.serialized)
struct JSONReportTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try WaveFile.noise(frames: 12_000).write(to: scratch["a.wav"])
    try WaveFile.noise(frames: 72_000).write(to: scratch["b.wav"])
  }

  private func events(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  private func names(_ events: [[String: Any]]) -> [String] { events.compactMap { $0["event"] as? String } }

  @Test func whatHappens() throws {
    let player = try scratch.player(
      "--json", "--output", "null", scratch["a.wav"], scratch["none.wav"], scratch["b.wav"])
    #expect(player.next() == .exited(1))
    #expect(player.errors == "vplay: \(scratch["none.wav"]): no such file\n")
    let events = try events(player.output)
    let states = events.filter { $0["event"] as? String == "state" }
    #expect(states.first?["state"] as? String == "waiting")
    for (index, length) in [(0, 0.25), (2, 1.5)] {
      let state = try #require(states.first { $0["index"] as? Int == index && $0["state"] as? String == "playing" })
      #expect(state["duration"] as? Double == length)
      #expect(state["count"] as? Int == 3)
      #expect(state["volume"] as? Double == 1 && state["muted"] as? Bool == false && state["looping"] as? Bool == false)
      #expect(state["url"] as? String == "file://" + (state["file"] as? String ?? ""))
      #expect(state["title"] is NSNull)
    }
    let ends = events.filter { $0["event"] as? String == "end" }
    #expect(ends.map { $0["file"] as? String } == [scratch["a.wav"], scratch["b.wav"]])
    let error = try #require(events.first { $0["event"] as? String == "error" })
    #expect(error["file"] as? String == scratch["none.wav"] && error["message"] as? String == "no such file")
    let times = events.filter { $0["event"] as? String == "time" && $0["index"] as? Int == 2 }.compactMap {
      $0["time"] as? Double
    }
    #expect(times.contains { abs($0 - 1) < 0.2 } && times == times.sorted())
    #expect(names(events).last == "end")
  }

  @Test(arguments: [1, 2])
  func eachPassHasItsEnd(count: Int) throws {
    let inputs = Array(repeating: scratch["a.wav"], count: count)
    let player = try PlayerProcess((["--json", "--loop=3", "--output", "null"] + inputs).map { Array($0.utf8) })
    #expect(player.next() == .exited(0))
    #expect(names(try events(player.output)).count { $0 == "end" } == 3 * count)
  }

  @Test func statistics() throws {
    let arguments = ["--stats", "--output", "null", scratch["a.wav"]]
    let plain = try PlayerProcess(arguments.map { Array($0.utf8) })
    #expect(plain.next() == .exited(0))
    #expect(plain.output == "")
    #expect(
      plain.errors.wholeMatch(
        of: /vplay: stats: 0 underruns, 0 stalls, \d+ rewrites?, 1 stream, clock within \d+\.\d ms\n/) != nil,
      "\(plain.errors)")
    let player = try PlayerProcess((["--json"] + arguments).map { Array($0.utf8) })
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
    let last = try #require(try events(player.output).last)
    #expect(last["event"] as? String == "stats" && last["streams"] as? Int == 1 && last["underruns"] as? Int == 0)
    #expect(last["stalls"] is Int && last["rewrites"] is Int && last["clockError"] is Double)
  }

  @Test func statisticsOfWhatASignalEnds() throws {
    let player = try scratch.player("--stats", "--json", "--output", "null", Scratch.clip)
    #expect(player.shows(#""state":"playing""#))
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
    #expect(player.output.contains(#"{"event":"stats""#))
  }

  @Test func keys() throws {
    let player = try scratch.player(
      "--json", "--output", "null", scratch["b.wav"], scratch["b.wav"], terminal: .pseudo(columns: 80))
    #expect(player.shows(#""state":"playing""#))
    player.type(" ")
    #expect(player.shows(#""state":"paused","index":0"#))
    player.type("m")
    #expect(player.shows(#""muted":true"#))
    player.type("\u{1b}[B")
    #expect(player.shows(#""volume":0.95"#))
    player.type("l")
    #expect(player.shows(#""looping":true"#))
    player.type("\u{1b}[C")
    #expect(player.shows(#"{"event":"time","index":0,"time":1.5}"#))
    player.type("n")
    #expect(player.shows(#""state":"paused","index":1"#))
    player.type("q")
    #expect(player.next(within: 2) == .exited(0))
    #expect(!player.output.contains("\u{1b}"))
  }

  @Test func noOutputIsAnError() throws {
    let player = try scratch.player(
      "--json", scratch["a.wav"], environment: ["PULSE_SERVER": "unix:\(scratch["none"])"])
    #expect(player.next() == .exited(3))
    let last = try #require(try events(player.output).last)
    #expect(last["event"] as? String == "error" && (last["message"] as? String)?.hasPrefix("no sound output: ") == true)
    #expect(last["file"] is NSNull)
  }

  @Test func namesThatAreNotUTF8() throws {
    let shell = try scratch.shell("exec \"$vplay\" --json --output null $'no\\xff\\ne.wav'")
    #expect(shell.next() == .exited(1))
    let error = try #require(try events(shell.output).first { $0["event"] as? String == "error" })
    #expect(error["file"] as? String == "no\u{fffd}\ne.wav")
    #expect((error["url"] as? String)?.hasSuffix("/no%FF%0Ae.wav") == true)
  }

  @Test(arguments: [
    // A reader that leaves, one that never reads, one that takes its time, and none.
    "\"$vplay\" --json --output null a.wav | true; exit ${PIPESTATUS[0]}",
    "\"$vplay\" --json --output null --loop=3 a.wav 2>&1 | sleep 2; exit ${PIPESTATUS[0]}",
    "\"$vplay\" --json --output null a.wav >&-",
    "[ \"$(\"$vplay\" --json --output null --loop=3 a.wav | (sleep 1; grep -c '\"end\"'))\" = 3 ]",
  ])
  func readersOfAllKinds(script: String) throws {
    let shell = try scratch.shell(script)
    #expect(shell.next() == .exited(0))
    #expect(shell.output == "")
    #expect(shell.errors == "")
  }

  @Test func aFullDiskIsToldOnce() throws {
    let shell = try scratch.shell("\"$vplay\" --json --output null --loop=2 a.wav >/dev/full")
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "vplay: standard output: No space left on device\n")
  }

  @Test func aReaderThatDoesNotReadIsNotWaitedFor() throws {
    // Far more than a pipe holds, and then a signal.
    let shell = try scratch.shell(
      """
      for i in $(seq 1000); do echo "missing-$i-\(String(repeating: "x", count: 150)).wav"; done >list.m3u
      mkfifo pipe; exec 3<>pipe
      "$vplay" --json --output null list.m3u b.wav >pipe 2>errors &
      until grep -q missing-1000- errors; do sleep 0.02; done; kill $!; wait $!; echo $?
      """)
    #expect(shell.next(within: 20) == .exited(0))
    #expect(shell.output == "143\n")
  }
}
