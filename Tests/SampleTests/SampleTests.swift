import Foundation
import TestSupport
import Testing
import VPlayModel

/// The programs of Samples/, built from a package of their own as a user's would be, and heard on a private PulseAudio.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SampleTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Where the programs are. Built here if `make samples` has not done it; else this changes nothing.
  private static let folder = Result {
    let build = root.appendingPathComponent(".build/samples")
    // The compiler's errors go to standard output.
    try MediaFixtures.run([
      "sh", "-c", "exec \"$@\" >&2", "sh",
      ProcessInfo.processInfo.environment["SWIFT"] ?? "swift", "build", "--package-path",
      root.appendingPathComponent("Samples").path, "--scratch-path", build.path, "-Xswiftc", "-warnings-as-errors",
    ])
    return build.appendingPathComponent("debug")
  }

  private let server: PrivatePulseServer

  init() throws {
    server = try PrivatePulseServer()
  }

  private func start(
    _ program: String, _ arguments: [String], _ terminal: PlayerProcess.Terminal = .none
  ) throws -> PlayerProcess {
    try PlayerProcess(
      command: try Self.folder.get().appendingPathComponent(program).path, arguments.map { Array($0.utf8) },
      terminal: terminal, environment: ["PULSE_SERVER": server.server])
  }

  private func noise(_ name: String, frames: Int, seed: UInt64) throws -> (url: URL, samples: [Int16]) {
    let samples = MediaFixtures.noise(frames: frames, channels: 2, seed: seed)
    return (try MediaFixtures.wav(name, samples: samples, rate: 48_000, channels: 2), samples)
  }

  /// From the first sound to the last.
  private func heard() -> [Int16] {
    let samples = server.capture.samples
    guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(samples[(first & ~1)...(last | 1)])
  }

  @Test func aFile() throws {
    let file = try noise("sample.wav", frames: 24_000, seed: 1)
    let program = try start("play-file", [file.url.path])
    #expect(program.next() == .exited(0))
    #expect(program.errors == "")
    let isEqual = heard() == file.samples
    #expect(isEqual)

    let broken = try MediaFixtures.bytes("sample.txt", Array("no medium\n".utf8))
    let failing = try start("play-file", [broken.path])
    #expect(failing.next() == .exited(1))
    #expect(failing.output == "not a known media format, or damaged\n")
  }

  @Test func aListWithoutAGap() throws {
    let files = try (1...3).map { try noise("sample-\($0).wav", frames: 12_345, seed: UInt64($0)) }
    let program = try start("play-list", files.map(\.url.path))
    #expect(program.next() == .exited(0))
    let isEqual = heard() == files.flatMap(\.samples)
    #expect(isEqual)
    #expect(program.output == (1...3).map { "now playing sample-\($0).wav\n" }.joined())
  }

  @Test func aServersOwnQueue() throws {
    let files = try (4...5).map { try noise("sample-\($0).wav", frames: 12_345, seed: UInt64($0)) }
    let names = files.map { $0.url.path + "\n" }.joined()
    let program = try start("server", [], .input(Array(names.utf8)))
    #expect(program.next() == .exited(0))
    let isEqual = heard() == files.flatMap(\.samples)
    #expect(isEqual)
    #expect(program.output.contains("now playing sample-5.wav"))
  }

  /// Silence up to the unmute, then the loop from wherever it is, round and round without a seam.
  @Test func aLoopThatIsUnmuted() throws {
    let media = NoiseMedia()
    let frames = 36_000
    let header = MediaFixtures.wavHeader(dataBytes: frames * 4, rate: 48_000, channels: 2)
    let file = try MediaFixtures.bytes("sample-loop.wav", header + media.bytes(fromFrame: 0, count: frames))
    let program = try start("loop-muted", [file.path, "1"])
    #expect(program.shows("unmuted"))
    #expect(program.next() == .exited(0))
    let analyser = NoiseAnalyser(noise: media, mediaFrames: 0..<Int64(frames), quantum: 1 / 32768)
    let sound = heard().map { Float($0) / 32768 }
    let runs = analyser.runs(in: sound).compactMap(\.media)
    #expect(sound.count / 2 > 48_000 && runs.count >= 2)
    for (before, after) in zip(runs, runs.dropFirst()) {
      #expect(before.upperBound == Int64(frames) && after.lowerBound == 0)
    }
    // All but the ramps at both ends is the medium's.
    #expect(runs.reduce(0) { $0 + $1.count } > sound.count / 2 - 1000)
  }

  @Test func aFileRendered() throws {
    let file = try noise("sample-long.wav", frames: 480_000, seed: 7)
    let flac = try MediaFixtures.encode(file.url, as: "sample-long.flac", ["-c:a", "flac"])
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-\(UUID()).wav")
    defer { try? FileManager.default.removeItem(at: output) }
    let program = try start("render-wav", [flac.path, output.path])
    // Ten seconds of sound, in far less.
    #expect(program.next(within: 9) == .exited(0))
    #expect(program.output == "480000 frames\n")
    let isEqual = try Data(contentsOf: output) == Data(contentsOf: file.url)
    #expect(isEqual)

    let failing = try start("render-wav", ["/nowhere.flac", output.path])
    #expect(failing.next() == .exited(1))
    #expect(failing.output == "no such file\n")
  }

  @Test func aFileDescribed() throws {
    let file = try noise("sample.wav", frames: 24_000, seed: 1)
    let tagged = try MediaFixtures.encode(
      file.url, as: "sample.m4a", ["-c:a", "aac", "-metadata", "title=A title", "-metadata:s:a", "language=fra"])
    let program = try start("describe", [tagged.path])
    #expect(program.next() == .exited(0))
    #expect(program.output == "0.5 s\ntrack 1: soun fra\nA title\n")
    let failing = try start("describe", ["/nowhere.flac"])
    #expect(failing.next() == .exited(1))
    #expect(failing.output == "no such file\n")
  }
}
