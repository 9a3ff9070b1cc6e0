import Foundation
import Glibc
import TestSupport
import Testing

/// Input that comes through pipes, rendered to a file.
struct PipeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs a script, `$vplay` being the player and `$out` the option that renders; what was rendered.
  private func render(_ script: String, end: PlayerProcess.End = .exited(0)) throws -> (wave: WaveFile?, errors: String)
  {
    let shell = try scratch.shell("out='--output wav:out.wav'; \(script)")
    #expect(shell.next(within: 30) == end)
    return (WaveFile(path: scratch["out.wav"]), shell.errors)
  }

  private func copy(_ file: URL, as name: String) throws {
    try FileManager.default.copyItem(at: file, to: URL(fileURLWithPath: scratch[name]))
  }

  /// B14: a length that is not stated, or nothing at all.
  @Test(arguments: ["$vplay $out streamed.wav", "cat streamed.wav | $vplay $out -"])
  func b14AWAVOfUnknownSize(script: String) throws {
    let noise = WaveFile.noise(frames: 4 * 44_100, sampleRate: 44_100)
    try noise.write(to: scratch["streamed.wav"])
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch["streamed.wav"])))
    for index in [4, 5, 6, 7, 40, 41, 42, 43] { bytes[index] = 255 }
    try Data(bytes).write(to: URL(fileURLWithPath: scratch["streamed.wav"]))
    let (wave, errors) = try render(script)
    let rendered = try #require(wave)
    #expect(rendered.difference(from: noise.samples) == nil)
    #expect(errors == "")
  }

  @Test(arguments: ["$vplay $out zero.wav", "cat zero.wav | $vplay $out -", "$vplay --loop --output null zero.wav"])
  func b14AnEmptyWAVEndsAtOnce(script: String) throws {
    try WaveFile(sampleRate: 44_100, channelCount: 2, samples: []).write(to: scratch["zero.wav"])
    _ = try render(script)
  }

  /// B45: a movie whose index comes last cannot be had from a pipe.
  @Test func b45AnIndexAtTheEndIsOneLine() throws {
    try copy(try movie(fast: false), as: "clip.mov")
    let start = SystemTime.now
    let (_, errors) = try render("cat clip.mov | $vplay $out -", end: .exited(1))
    #expect(errors.split(separator: "\n").count == 1 && errors.contains("index is at its end"))
    #expect(SystemTime.now - start < 10)
  }

  @Test func b45AnIndexInFrontPlays() throws {
    try copy(try movie(fast: true), as: "fast.mp4")
    let (wave, errors) = try render("cat fast.mp4 | $vplay $out -")
    let rendered = try #require(wave)
    #expect(rendered.frameCount == 6 * 48_000)
    #expect(errors == "")
  }

  /// B45: the sound of a time is 30 s of picture behind it in the file.
  @Test(arguments: ["$vplay $out interleave.mov", "cat interleave.mov | $vplay $out -"])
  func b45BadlyInterleaved(script: String) throws {
    let late = try MediaFixtures.ffmpeg(
      "late.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=40", "-itsoffset", "30", "-f", "lavfi"]
        + ["-i", "sine=440:r=48000:d=40", "-map", "0", "-map", "1", "-c:v", "mpeg4", "-b:v", "1M"]
        + ["-c:a", "aac", "-movflags", "+faststart"])
    var bytes = [UInt8](try Data(contentsOf: late))
    let edit = Array("edts".utf8)
    let index = try #require(bytes.indices.reversed().first { bytes[$0...].starts(with: edit) })
    bytes.replaceSubrange(index..<index + 4, with: Array("free".utf8))
    try Data(bytes).write(to: URL(fileURLWithPath: scratch["interleave.mov"]))
    let (wave, errors) = try render("ulimit -v 2000000; \(script)")
    let rendered = try #require(wave)
    #expect(rendered.frameCount >= 40 * 48_000)
    #expect(rendered.samples.prefix(9600).contains { abs($0) > 0.05 })
    #expect(errors == "")
  }

  /// B45: nobody writes into it, and it ends all the same when it is told to.
  @Test func b45AnEmptyFIFOHearsTheSignal() throws {
    let path = scratch["p"]
    #expect(mkfifo(path, 0o600) == 0)
    let player = try scratch.player("--output", "null", path, terminal: .pseudo(columns: 80))
    #expect(player.shows("waiting"))
    player.send(SIGTERM)
    #expect(player.next(within: 2) == .signalled(SIGTERM))
  }

  @Test(arguments: ["$vplay $out - </dev/null", ": | $vplay $out -", "$vplay $out - <&-"])
  func b45NothingIsNoMedium(script: String) throws {
    let (_, errors) = try render(script, end: .exited(1))
    #expect(errors.split(separator: "\n").count == 1)
  }

  private func movie(fast: Bool) throws -> URL {
    try MediaFixtures.ffmpeg(
      fast ? "cli-fast.mp4" : "cli-clip.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6"]
        + ["-c:v", "mpeg4", "-c:a", "aac"] + (fast ? ["-movflags", "+faststart"] : []))
  }
}

/// Seconds of the monotonic clock.
enum SystemTime {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
