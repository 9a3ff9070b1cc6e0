import VPlayModel

/// Writes floats as the samples that were asked for: rounded to the nearest, clipped at full scale, not dithered.
struct PCMEncoder {
  let settings: AudioSettings

  var sampleBytes: Int { settings.bits / 8 }

  /// Writes all of `samples`, interleaved, to `target`, which has `sampleBytes` for each.
  func encode(_ samples: [Float], channels: Int, to target: UnsafeMutableRawBufferPointer) {
    let frames = samples.count / channels
    if settings.isInterleaved {
      write(samples.count, to: target) { samples[$0] }
    } else {
      write(samples.count, to: target) { samples[$0 % frames * channels + $0 / frames] }
    }
  }

  private func write(_ count: Int, to target: UnsafeMutableRawBufferPointer, _ sample: (Int) -> Float) {
    switch (settings.isFloat, settings.bits) {
    case (true, 64): for index in 0..<count { store(Double(sample(index)).bitPattern, index, target) }
    case (true, _): for index in 0..<count { store(sample(index).bitPattern, index, target) }
    case (false, 8): for index in 0..<count { store(Self.integer(sample(index), as: Int8.self), index, target) }
    case (false, 16): for index in 0..<count { store(Self.integer(sample(index), as: Int16.self), index, target) }
    case (false, 24): for index in 0..<count { store24(sample(index), index, target) }
    default: for index in 0..<count { store(Self.integer(sample(index), as: Int32.self), index, target) }
    }
  }

  private func store<T: FixedWidthInteger>(_ value: T, _ index: Int, _ target: UnsafeMutableRawBufferPointer) {
    target.storeBytes(
      of: settings.isBigEndian ? value.bigEndian : value.littleEndian, toByteOffset: index * MemoryLayout<T>.size,
      as: T.self)
  }

  private func store24(_ sample: Float, _ index: Int, _ target: UnsafeMutableRawBufferPointer) {
    let scaled = (Double(sample) * 8_388_608).rounded(.toNearestOrEven)
    let value = scaled.isNaN ? 0 : Int32(max(-8_388_608, min(8_388_607, scaled)))
    for byte in 0..<3 {
      let shift = settings.isBigEndian ? 16 - 8 * byte : 8 * byte
      target[index * 3 + byte] = UInt8(truncatingIfNeeded: value >> Int32(shift))
    }
  }

  private static func integer<T: FixedWidthInteger & SignedInteger>(_ sample: Float, as type: T.Type) -> T {
    let scaled = (Double(sample) * -Double(T.min)).rounded(.toNearestOrEven)
    if scaled.isNaN { return 0 }
    return T(max(Double(T.min), min(Double(T.max), scaled)))
  }
}
