import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Damaged files: whatever they say, they end, in order, without a trap.
struct MutationTests {
  @Test(arguments: ["wav", "flac", "flac.ogg", "m4a", "mov", "alac", "mp3", "ogg", "opus", "mka", "aac"])
  func `mutated files end, with errors or sound in order`(_ type: String) throws {
    let original = [UInt8](try Data(contentsOf: try SeekTests.file(type)).prefix(150_000))
    var random = SplitMix(state: 99)
    for round in 0..<24 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let reach = Bool.random(using: &random) ? min(bytes.count, 2000) : bytes.count
        bytes[Int.random(in: 0..<reach, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if round % 4 == 0 { bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))) }
      try Self.play(try MediaFixtures.bytes("mutated-\(round).\(type)", bytes), &random)
    }
  }

  static func play(_ file: URL, _ random: inout SplitMix) throws {
    defer { try? FileManager.default.removeItem(at: file) }
    // What cannot be opened is reported, and that is all that is asked.
    guard let reader = try? TrackReader(url: DecodedFile.address(file)) else { return }
    for pass in 0..<3 {
      if pass > 0 {
        try? reader.seek(to: MediaTime(seconds: Double.random(in: -1...20, using: &random)))
      }
      let decoded = try reader.read(atLeast: .max)
      #expect(decoded.errors.count < 10_000)
      for (block, next) in zip(decoded.blocks, decoded.blocks.dropFirst()) where block.format == next.format {
        #expect(block.startFrame + Int64(block.frameCount) <= next.startFrame)
      }
    }
  }
}
