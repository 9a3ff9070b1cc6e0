import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// A loop is a seek to the start each pass: exact, quick, and without growth.
struct LoopTests {
  static func openDescriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  /// What memory may grow by in a run that holds nothing: the address sanitizer keeps freed blocks for a while.
  static var slack: Int { dlsym(nil, "__asan_init") == nil ? 1 << 20 : 512 << 20 }

  static func peakBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) << 10
  }

  static func loop(_ file: URL, frames: Int, passes: Int) throws {
    let reader = try TrackReader(url: DecodedFile.address(file))
    let first = try reader.read(atLeast: .max)
    #expect(first.frameCount == frames)
    for pass in 0..<passes {
      try reader.seek(to: .zero)
      let next = try reader.read(atLeast: .max)
      #expect(next.startFrame == 0 && next.frameCount == frames && next.isContinuous)
      if pass < 20 { #expect(zip(next.samples, first.samples).allSatisfy { abs($0 - $1) < 1e-4 }) }
    }
  }

  @Test(arguments: ["wav", "flac", "mov", "m4a", "mp3", "ogg", "opus"])
  func `a beep of 30 ms loops exactly`(_ type: String) throws {
    let rate = type == "opus" ? 48000 : 44100
    let frames = rate * 3 / 100
    let samples = (0..<frames).map { Int16(sin(Double($0) * 0.1) * 10_000) }
    let wav = try MediaFixtures.wav("beep-\(rate).wav", samples: samples, rate: rate, channels: 1)
    let codec = ["mp3": "libmp3lame", "ogg": "libvorbis", "opus": "libopus", "flac": "flac"][type] ?? "aac"
    let file =
      type == "wav"
      ? wav : try MediaFixtures.encode(wav, as: "beep.\(type)", ["-c:a", codec, "-aac_pns", "0"])
    try Self.loop(file, frames: frames, passes: 100)
  }

  // In a process of its own: other tests allocate and open files at the same time.
  @Test func `two thousand passes need no more memory or files than one`() async {
    await #expect(processExitsWith: .success) {
      let samples = MediaFixtures.noise(frames: 48000, channels: 1)
      let wav = try MediaFixtures.wav("second.wav", samples: samples, rate: 48000, channels: 1)
      let file = try MediaFixtures.encode(wav, as: "second.mov", ["-c:a", "aac", "-b:a", "96k"])
      let reader = try TrackReader(url: DecodedFile.address(file))
      var frames = 0
      var residentBytes = 0
      var descriptors = 0
      for pass in 0..<2000 {
        try reader.seek(to: .zero)
        while let packet = try reader.source.read() {
          try reader.decoder.decode(packet) { frames += $0.frameCount }
        }
        try reader.decoder.decode(nil) { frames += $0.frameCount }
        if pass == 50 {
          residentBytes = try LoopTests.residentBytes()
          descriptors = try LoopTests.openDescriptors()
        }
      }
      #expect(frames == 2000 * 48000)
      #expect(try LoopTests.residentBytes() - residentBytes < LoopTests.slack)
      #expect(try LoopTests.openDescriptors() == descriptors)
    }
  }

  @Test func `five hundred sources leave nothing behind`() async {
    await #expect(processExitsWith: .success) {
      let samples = MediaFixtures.noise(frames: 4800, channels: 1)
      let wav = try MediaFixtures.wav("short.wav", samples: samples, rate: 48000, channels: 1)
      let file = try MediaFixtures.encode(wav, as: "short.mov", ["-c:a", "aac"])
      var residentBytes = 0
      var descriptors = 0
      for round in 0..<500 {
        for url in [DecodedFile.address(file), DecodedFile.address(wav), "file:///nonexistent"] {
          guard let reader = try? TrackReader(url: url) else { continue }
          _ = try reader.source.read()
        }
        if round == 50 {
          residentBytes = try LoopTests.residentBytes()
          descriptors = try LoopTests.openDescriptors()
        }
      }
      #expect(try LoopTests.residentBytes() - residentBytes < LoopTests.slack)
      #expect(try LoopTests.openDescriptors() == descriptors)
    }
  }
}
