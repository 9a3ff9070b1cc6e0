/// Noise of which each frame can be told from every other, and from silence, on the grid of 16 bits.
package struct NoiseTape: Sendable {
  package let seed: UInt32
  package let channels: Int

  package init(seed: UInt32, channels: Int = 2) {
    self.seed = seed
    self.channels = channels
  }

  /// One sample, 0 below ±16 000, never 0.
  package func sample(_ frame: Int64, _ channel: Int) -> Int16 {
    let mixed = Self.hash(UInt32(truncatingIfNeeded: frame) &* 31 &+ UInt32(channel) &+ Self.hash(seed))
    let value = Int16(mixed % 32_000) - 16_000
    return value == 0 ? 1 : value
  }

  package func floats(_ frames: Range<Int64>) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(frames.count * channels)
    for frame in frames {
      for channel in 0..<channels { result.append(Float(sample(frame, channel)) / 32768) }
    }
    return result
  }

  private static func hash(_ value: UInt32) -> UInt32 {
    var x = value
    x = (x ^ (x >> 16)) &* 0x7feb_352d
    x = (x ^ (x >> 15)) &* 0x846c_a68b
    return x ^ (x >> 16)
  }
}

/// A run of captured frames that all come from one place.
package struct NoiseRun: Equatable, Sendable, CustomStringConvertible {
  package enum Origin: Equatable, Sendable {
    case silence
    /// A tape's index, and its frame that the run begins with.
    case tape(Int, frame: Int64)
    case unknown
  }
  package var start: Int
  package var count: Int
  package var origin: Origin

  package var description: String {
    switch origin {
    case .silence: "\(start): silence, \(count)"
    case .tape(let tape, let frame): "\(start): tape \(tape) from \(frame), \(count)"
    case .unknown: "\(start): unknown, \(count)"
    }
  }

  /// Tells, frame by frame, where a capture comes from. Tapes hold frames 0 ..< `length`.
  package static func identify(_ samples: [Int16], _ tapes: [NoiseTape], length: Int64) -> [NoiseRun] {
    let channels = tapes.first?.channels ?? 2
    var places: [UInt32: [(Int, Int64)]] = [:]
    func key(_ a: Int16, _ b: Int16) -> UInt32 {
      UInt32(UInt16(bitPattern: a)) << 16 | UInt32(UInt16(bitPattern: b))
    }
    for (index, tape) in tapes.enumerated() {
      for frame in 0..<length {
        places[key(tape.sample(frame, 0), tape.sample(frame, channels - 1)), default: []].append(
          (index, frame))
      }
    }
    let total = samples.count / channels
    func isSilent(_ i: Int) -> Bool { (0..<channels).allSatisfy { samples[i * channels + $0] == 0 } }
    func matches(_ i: Int, _ tape: Int, _ frame: Int64) -> Bool {
      frame < length
        && (0..<channels).allSatisfy { samples[i * channels + $0] == tapes[tape].sample(frame, $0) }
    }
    func longest(_ i: Int) -> (Origin, Int) {
      var best: (Origin, Int) = (.unknown, 0)
      for (tape, frame) in places[key(samples[i * channels], samples[i * channels + channels - 1])] ?? [] {
        var count = 0
        while i + count < total, matches(i + count, tape, frame + Int64(count)) { count += 1 }
        if count > best.1 { best = (.tape(tape, frame: frame), count) }
      }
      return best
    }
    var runs: [NoiseRun] = []
    var i = 0
    while i < total {
      var (origin, count) = (Origin.silence, 0)
      while i + count < total, isSilent(i + count) { count += 1 }
      if count == 0 { (origin, count) = longest(i) }
      if count == 0 { (origin, count) = (.unknown, 1) }
      if origin == .unknown, let last = runs.last, last.origin == .unknown {
        runs[runs.count - 1].count += count
      } else {
        runs.append(NoiseRun(start: i, count: count, origin: origin))
      }
      i += count
    }
    return runs
  }
}
