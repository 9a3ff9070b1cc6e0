/// Damage to a file: the same for the same seed.
package struct MediaMutation {
  private var random: SeededGenerator

  package init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  /// A damaged copy of `original`; `other` is a file from which pieces may be taken.
  package mutating func damage(_ original: [UInt8], with other: [UInt8]) -> [UInt8] {
    var bytes = original
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: scatter(&bytes)
      case 4: overwriteInteger(&bytes)
      case 5: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      case 6: bytes.removeSubrange(range(in: bytes))
      case 7: bytes.insert(contentsOf: Array(bytes[range(in: bytes)]), at: place(in: bytes))
      case 8: bytes.replaceSubrange(range(in: bytes), with: other.isEmpty ? [] : Array(other[range(in: other)]))
      default: fill(&bytes)
      }
    }
    return Array(bytes.prefix(1 << 20))
  }

  /// Single bytes, mostly near the beginning, where the headers are.
  private mutating func scatter(_ bytes: inout [UInt8]) {
    let reach = Bool.random(using: &random) ? min(bytes.count, 1024) : bytes.count
    for _ in 0..<Int.random(in: 1...24, using: &random) {
      let index = Int.random(in: 0..<reach, using: &random)
      if Bool.random(using: &random) {
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      } else {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
    }
  }

  /// A field of two, four or eight bytes at its limits.
  private mutating func overwriteInteger(_ bytes: inout [UInt8]) {
    let width = [2, 4, 8][Int.random(in: 0..<3, using: &random)]
    let patterns: [[UInt8]] = [[0], [0xFF], [0x7F, 0xFF], [0x80, 0], [0, 1], [1, 0]]
    let pattern = patterns[Int.random(in: 0..<patterns.count, using: &random)]
    let start = place(in: bytes)
    for offset in 0..<width where start + offset < bytes.count {
      bytes[start + offset] = pattern[min(offset, pattern.count - 1)]
    }
  }

  private mutating func fill(_ bytes: inout [UInt8]) {
    let value: UInt8 = [0, 0xFF][Int.random(in: 0..<2, using: &random)]
    for index in range(in: bytes) { bytes[index] = value }
  }

  private mutating func place(in bytes: [UInt8]) -> Int {
    let reach = Bool.random(using: &random) ? min(bytes.count, 1024) : bytes.count
    return Int.random(in: 0..<reach, using: &random)
  }

  private mutating func range(in bytes: [UInt8]) -> Range<Int> {
    let start = place(in: bytes)
    let length = Int.random(in: 1...max(1, min(bytes.count / 4, 20_000)), using: &random)
    return start..<min(bytes.count, start + length)
  }
}
