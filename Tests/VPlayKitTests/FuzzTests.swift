import Foundation
import TestSupport
import Testing

/// The short form of `make fuzz`.
struct FuzzTests {
  @Test(arguments: [UInt64(20_000), 30_000, 40_000])
  func `damaged files neither crash nor stop a player`(_ first: UInt64) throws {
    let originals = try MediaZoo.all.map { try MediaZoo.file($0) }
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    for seed in first..<first + 40 {
      try FuzzRound.write(seed: seed, from: originals, to: file)
      let faults = FuzzRound(file, seed: seed).faults
      #expect(faults.isEmpty, "seed \(seed)")
    }
  }
}
