import VPlayModel

/// Sound of which every frame tells which one it is: 16-bit noise made from the frame's number.
///
/// Two channels carry a frame's whole number; one channel carries it in two frames. Any three frames in a row identify
/// theirs. The noise of a medium may begin at any `offset`, so that several media can be told apart.
package struct NoiseMedia: Sendable, Hashable {
  package var channels: Int
  /// The number of the medium's frame 0.
  package var offset: UInt32

  package init(channels: Int = 2, offset: UInt32 = 0) {
    precondition(channels > 0, "a medium has channels")
    self.channels = channels
    self.offset = offset
  }

  /// The samples of one frame, in 16 bits.
  package func samples(ofFrame frame: Int64) -> [Int16] {
    (0..<channels).map { sample(ofFrame: frame, channel: $0) }
  }

  package func sample(ofFrame frame: Int64, channel: Int) -> Int16 {
    let number = UInt32(truncatingIfNeeded: frame) &+ offset
    if channels == 1 {
      let word = NoiseMedia.scramble(number >> 1)
      return Int16(truncatingIfNeeded: number & 1 == 0 ? word : word >> 16)
    }
    let word = NoiseMedia.scramble(number &+ UInt32(channel / 2) &* 0x0101_0000)
    return Int16(truncatingIfNeeded: channel & 1 == 0 ? word : word >> 16)
  }

  /// Frames as interleaved floats, full scale ±1, as a decoder gives them.
  package func floats(fromFrame first: Int64, count: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: count * channels) { buffer, initialized in
      for frame in 0..<count {
        for channel in 0..<channels {
          let sample = sample(ofFrame: first + Int64(frame), channel: channel)
          buffer.initializeElement(at: frame * channels + channel, to: Float(sample) / 32_768)
        }
      }
      initialized = count * channels
    }
  }

  /// Frames as the bytes of a WAV file's data.
  package func bytes(fromFrame first: Int64, count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * channels * 2)
    for frame in first..<first + Int64(count) {
      for channel in 0..<channels {
        let bits = UInt16(bitPattern: sample(ofFrame: frame, channel: channel))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      }
    }
    return bytes
  }

  /// The frame whose first samples these are, were they of a frame that carries a whole number.
  package func frame(low: Int, high: Int) -> Int64 {
    let word = UInt32(UInt16(truncatingIfNeeded: low)) | UInt32(UInt16(truncatingIfNeeded: high)) << 16
    let number = NoiseMedia.unscramble(word)
    return Int64((channels == 1 ? number << 1 : number) &- offset)
  }

  /// A bijection of 32-bit words; no small number becomes zero.
  private static func scramble(_ number: UInt32) -> UInt32 {
    var word = number ^ 0xb5e3_91c7
    word = (word ^ (word >> 16)) &* 0x85eb_ca6b
    word = (word ^ (word >> 13)) &* 0xc2b2_ae35
    return word ^ (word >> 16)
  }

  private static func unscramble(_ word: UInt32) -> UInt32 {
    var number = word ^ (word >> 16)
    number = number &* 0x7ed1_b41d
    number ^= (number >> 13) ^ (number >> 26)
    number = number &* 0xa5cb_9243
    return (number ^ (number >> 16)) ^ 0xb5e3_91c7
  }
}
