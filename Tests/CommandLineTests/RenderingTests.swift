import Foundation
import TestSupport
import Testing

/// What reaches the output, taken from `--output wav:`, which needs no server and no time.
struct RenderingTests {
  private let scratch: Scratch
  private let noise = WaveFile.noise(frames: 24_000)

  init() throws {
    scratch = try Scratch()
    try noise.write(to: scratch["in.wav"])
  }

  private func render(_ arguments: String..., end: PlayerProcess.End = .exited(0)) throws -> WaveFile {
    let player = try PlayerProcess(
      (["--output", "wav:\(scratch["out.wav"])"] + arguments).map { Array($0.utf8) })
    #expect(player.next(within: 20) == end)
    #expect(player.output == "")
    if end == .exited(0) { #expect(player.errors == "") }
    return try #require(WaveFile(path: scratch["out.wav"]))
  }

  @Test func everyFrame() throws {
    #expect(try render(scratch["in.wav"]).difference(from: noise.samples) == nil)
  }

  @Test func theClipIsTenSeconds() throws {
    let heard = try render(Scratch.clip)
    #expect(heard.frameCount == 480_000)
    #expect(heard.channelCount == 2)
  }

  @Test func volumeIsLinear() throws {
    let heard = try render("--volume", "0.5", scratch["in.wav"])
    #expect(heard.frameCount == noise.frameCount)
    #expect(zip(heard.samples, noise.samples).allSatisfy { abs($0 - $1 / 2) <= 1 / 32768 })
  }

  @Test(arguments: [("0.5", 960_000), ("1.25", 384_000), ("2", 240_000)])
  func ratesChangeTheLength(rate: String, frames: Int) throws {
    #expect(try render("--rate", rate, Scratch.clip).frameCount == frames)
  }

  @Test func startAndEnd() throws {
    let heard = try render("--start", "0.1", "--end", "0:00.35", scratch["in.wav"])
    #expect(heard.difference(from: Array(noise.samples[4800 * 2..<16_800 * 2])) == nil)
  }

  @Test func durations() throws {
    let range = { Array(noise.samples[$0 * 2..<$1 * 2]) }
    #expect(try render("--duration", "0.1", scratch["in.wav"]).difference(from: range(0, 4800)) == nil)
    #expect(
      try render("--start", "0.1", "--duration", "0.2", scratch["in.wav"]).difference(from: range(4800, 14_400))
        == nil)
    #expect(
      try render("--start", "0.1", "--end", "0.2", "--duration", "9", scratch["in.wav"]).difference(
        from: range(4800, 9600)) == nil)
  }

  @Test func shuffledEachIsPlayedOnce() throws {
    // Each of its own length: what was heard tells the order.
    let parts = (0..<6).map { WaveFile.noise(frames: 1000 + $0, seed: UInt64($0)) }
    for (index, part) in parts.enumerated() { try part.write(to: scratch["\(index).wav"]) }
    var orders: Set<[Int]> = []
    for _ in 1...4 {
      let arguments = ["--shuffle", "--output", "wav:\(scratch["out.wav"])"] + (0..<6).map { scratch["\($0).wav"] }
      #expect(try PlayerProcess(arguments.map { Array($0.utf8) }).next(within: 20) == .exited(0))
      var rest = try #require(WaveFile(path: scratch["out.wav"])).samples[...]
      var order: [Int] = []
      while let index = parts.indices.first(where: { rest.starts(with: parts[$0].samples) }) {
        order.append(index)
        rest = rest.dropFirst(parts[index].samples.count)
      }
      #expect(rest.isEmpty && order.sorted() == Array(0..<6))
      orders.insert(order)
    }
    #expect(orders.count > 1)
  }

  @Test func loops() throws {
    let heard = try render("--loop=3", scratch["in.wav"])
    #expect(heard.difference(from: noise.samples + noise.samples + noise.samples) == nil)
  }

  @Test func loopsOfARange() throws {
    let heard = try render("--loop=3", "--start", "0.1", "--end", "0.2", scratch["in.wav"])
    let range = Array(noise.samples[4800 * 2..<9600 * 2])
    #expect(heard.difference(from: range + range + range) == nil)
  }

  @Test func loopsOfTheClip() throws {
    #expect(try render("--loop=3", Scratch.clip).frameCount == 3 * 480_000)
  }

  @Test func severalFilesWithoutAGap() throws {
    let other = WaveFile.noise(frames: 10_001, seed: 2)
    try other.write(to: scratch["other.wav"])
    let one = noise.samples + other.samples
    #expect(try render(scratch["in.wav"], scratch["other.wav"]).difference(from: one) == nil)
    #expect(try render("--loop=2", scratch["in.wav"], scratch["other.wav"]).difference(from: one + one) == nil)
  }

  @Test func theRestStillPlaysAfterABrokenOne() throws {
    let missing = scratch["missing.wav"]
    let heard = try render(missing, scratch["in.wav"], missing, end: .exited(1))
    #expect(heard.difference(from: noise.samples) == nil)
  }

  @Test func standardInput() throws {
    let bytes = try #require(FileManager.default.contents(atPath: scratch["in.wav"]))
    let player = try scratch.player(
      "--output", "wav:\(scratch["out.wav"])", "-", terminal: .input(Array(bytes)))
    #expect(player.next() == .exited(0))
    #expect(player.errors == "")
    #expect(try #require(WaveFile(path: scratch["out.wav"])).difference(from: noise.samples) == nil)
  }

  @Test(arguments: [
    "a:b.wav", "100%.wav", "a#b?c.wav", "%41.wav", "-dash.wav", "--mute", "é 曲.wav", "http:", "new\nline.wav",
    "file:x",
  ])
  func namesOfAnyKind(name: String) throws {
    try noise.write(to: scratch["in.wav"])
    try FileManager.default.moveItem(atPath: scratch["in.wav"], toPath: scratch[name])
    let shell = try scratch.shell("exec \"$vplay\" --output wav:out.wav -- '\(name)'")
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "")
    #expect(try #require(WaveFile(path: scratch["out.wav"])).difference(from: noise.samples) == nil)
  }

  @Test func namesThatAreNotUTF8() throws {
    let shell = try scratch.shell(
      "mv in.wav $'a\\xff\\xfe.wav'; exec \"$vplay\" --output wav:out.wav $'a\\xff\\xfe.wav'")
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "")
    #expect(try #require(WaveFile(path: scratch["out.wav"])).difference(from: noise.samples) == nil)
  }

  @Test func anOutputThatCannotBeWritten() throws {
    let player = try scratch.player("--output", "wav:\(scratch["no/such/out.wav"])", scratch["in.wav"])
    #expect(player.next() == .exited(3))
    #expect(
      player.errors == "vplay: no sound output: \(scratch["no/such/out.wav"]): No such file or directory\n")
  }

  @Test func aFullDiskIsAnErrorOfTheOutput() throws {
    let player = try scratch.player("--output", "wav:/dev/full", scratch["in.wav"])
    #expect(player.next() == .exited(3))
    #expect(player.errors == "vplay: no sound output: /dev/full: No space left on device\n")
  }

  /// What fails after the first frames is as much a failure: nothing brings such an output back.
  @Test(arguments: [
    ("ulimit -f 16; exec \"$vplay\" --output wav:out.wav in.wav", "out.wav: File too large"),
    (
      "\"$vplay\" --output wav:/dev/stdout in.wav | head -c 90000 >out; exit ${PIPESTATUS[0]}",
      "/dev/stdout: Broken pipe"
    ),
  ])
  func anOutputThatFailsInMidPlay(script: String, reason: String) throws {
    // More than a pipe holds.
    try WaveFile.noise(frames: 96_000).write(to: scratch["in.wav"])
    let shell = try scratch.shell(script)
    #expect(shell.next() == .exited(3))
    #expect(shell.errors == "vplay: no sound output: \(reason)\n")
  }

  @Test func outputNamesThatAreNotUTF8() throws {
    let shell = try scratch.shell(
      "\"$vplay\" --output wav:$'o\\xff\\xfe%41.wav' in.wav && mv $'o\\xff\\xfe%41.wav' out.wav")
    #expect(shell.next() == .exited(0))
    #expect(shell.errors == "")
    #expect(try #require(WaveFile(path: scratch["out.wav"])).difference(from: noise.samples) == nil)
  }

  @Test func emptyFilesAreNotLoopedForEver() throws {
    try WaveFile(sampleRate: 48_000, channelCount: 2, samples: []).write(to: scratch["empty.wav"])
    let arguments = ["--output", "null", "--loop", scratch["empty.wav"], scratch["empty.wav"]]
    let player = try PlayerProcess(arguments.map { Array($0.utf8) })
    #expect(player.next(within: 10) == .exited(0))
  }
}
