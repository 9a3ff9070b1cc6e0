/// A 64-bit FNV-1a digest of samples, for goldens: equal sounds, bit for bit, have equal digests.
package struct SoundDigest: Sendable, Equatable {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func add(_ samples: some Sequence<Float>) {
    for sample in samples {
      // Both zeros sound alike.
      let bits = sample == 0 ? 0 : sample.bitPattern
      for shift in stride(from: UInt32(0), to: 32, by: 8) {
        value = (value ^ UInt64((bits >> shift) & 0xff)) &* 0x100_0000_01b3
      }
    }
  }

  /// Sixteen hexadecimal digits.
  package var hex: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
