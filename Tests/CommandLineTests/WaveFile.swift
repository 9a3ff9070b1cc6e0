import Foundation

/// A WAV file of the tests: written as 16-bit PCM, read as what `--output wav:` makes.
struct WaveFile {
  var sampleRate: Int
  var channelCount: Int
  /// Interleaved, full scale 1.
  var samples: [Float]

  var frameCount: Int { samples.count / channelCount }

  /// Noise, the same for the same seed: a lost or doubled frame cannot hide in it.
  static func noise(frames: Int, sampleRate: Int = 48_000, channelCount: Int = 2, seed: UInt64 = 1)
    -> WaveFile
  {
    var state = seed
    let samples = (0..<frames * channelCount).map { _ -> Float in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int16(truncatingIfNeeded: state >> 40)) / 32768
    }
    return WaveFile(sampleRate: sampleRate, channelCount: channelCount, samples: samples)
  }

  /// In a few words how the samples differ from these; nil when they do not.
  func difference(from expected: [Float]) -> String? {
    if samples == expected { return nil }
    let first = zip(samples, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    return
      "\(samples.count) samples for \(expected.count); first difference at \(first ?? min(samples.count, expected.count))"
  }

  func write(to path: String) throws {
    var data = Data()
    func put<T: FixedWidthInteger>(_ value: T) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    let bytes = samples.count * 2
    data += Array("RIFF".utf8)
    put(UInt32(36 + bytes))
    data += Array("WAVEfmt ".utf8)
    put(UInt32(16))
    put(UInt16(1))
    put(UInt16(channelCount))
    put(UInt32(sampleRate))
    put(UInt32(sampleRate * channelCount * 2))
    put(UInt16(channelCount * 2))
    put(UInt16(16))
    data += Array("data".utf8)
    put(UInt32(bytes))
    for sample in samples { put(Int16((sample * 32768).rounded())) }
    try data.write(to: URL(fileURLWithPath: path))
  }

  /// Reads PCM of 16 bits or floats; nil when the file is neither.
  init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path).map(Array.init), data.count > 12 else {
      return nil
    }
    func number(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { at + $1 < data.count ? $0 | Int(data[at + $1]) << (8 * $1) : $0 }
    }
    var (format, bits, rate, channels, at) = (0, 0, 0, 0, 12)
    while at + 8 <= data.count {
      let (name, size) = (String(decoding: data[at..<at + 4], as: UTF8.self), number(at + 4, 4))
      let body = at + 8
      if name == "fmt " {
        format = number(body, 2)
        channels = number(body + 2, 2)
        rate = number(body + 4, 4)
        bits = number(body + 14, 2)
        // Extensible: the first two bytes of the sub-format are the old tag.
        if format == 0xfffe { format = number(body + 24, 2) }
      } else if name == "data" {
        guard channels > 0, body + size <= data.count else { return nil }
        let width = bits / 8
        switch (format, bits) {
        case (1, 16):
          samples = (0..<size / width).map {
            Float(Int16(truncatingIfNeeded: number(body + $0 * 2, 2))) / 32768
          }
        case (3, 32):
          samples = (0..<size / width).map { Float(bitPattern: UInt32(number(body + $0 * 4, 4))) }
        default: return nil
        }
        (sampleRate, channelCount) = (rate, channels)
        return
      }
      at = body + size + size % 2
    }
    return nil
  }

  init(sampleRate: Int, channelCount: Int, samples: [Float]) {
    (self.sampleRate, self.channelCount, self.samples) = (sampleRate, channelCount, samples)
  }
}
