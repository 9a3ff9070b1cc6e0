/// Noise of which each frame can be told from every other, and from silence, on the grid of 16 bits.
package struct NoiseTape: Sendable {
  package let channels: Int
  /// Frames 0 ..< `frameCount`, interleaved, none of them 0.
  package let samples: [Int16]
  package let floats: [Float]

  package var frameCount: Int { samples.count / channels }

  package init(seed: UInt32, channels: Int = 2, frames: Int = 480_000) {
    self.channels = channels
    let offset = Self.hash(seed)
    samples = (0..<UInt32(frames * channels)).map { index in
      let value = Int16(truncatingIfNeeded: Int(Self.hash(index &+ offset) % 32_000) - 16_000)
      return value == 0 ? 1 : value
    }
    floats = samples.map { Float($0) / 32768 }
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

  /// Tells, frame by frame, where a capture comes from.
  package static func identify(_ samples: [Int16], _ tapes: [NoiseTape]) -> [NoiseRun] {
    NoiseFinder(samples, tapes).runs()
  }
}

private struct NoiseFinder {
  let samples: [Int16]
  let tapes: [NoiseTape]
  let channels: Int
  let total: Int
  /// Where a frame of these first and last samples stands on a tape.
  var places: [UInt32: [(tape: Int, frame: Int)]] = [:]

  init(_ samples: [Int16], _ tapes: [NoiseTape]) {
    self.samples = samples
    self.tapes = tapes
    channels = tapes.first?.channels ?? 2
    total = samples.count / channels
    for (index, tape) in tapes.enumerated() {
      for frame in 0..<tape.frameCount {
        places[key(tape.samples, frame), default: []].append((index, frame))
      }
    }
  }

  func runs() -> [NoiseRun] {
    var runs: [NoiseRun] = []
    var i = 0
    while i < total {
      var run = NoiseRun(start: i, count: silence(at: i), origin: .silence)
      if run.count == 0 { run = longest(at: i) }
      if run.origin == .unknown, let last = runs.last, last.origin == .unknown {
        runs[runs.count - 1].count += run.count
      } else {
        runs.append(run)
      }
      i += run.count
    }
    return runs
  }

  private func key(_ samples: [Int16], _ frame: Int) -> UInt32 {
    let first = UInt16(bitPattern: samples[frame * channels])
    let last = UInt16(bitPattern: samples[frame * channels + channels - 1])
    return UInt32(first) << 16 | UInt32(last)
  }

  private func silence(at start: Int) -> Int {
    var index = start * channels
    while index < total * channels, samples[index] == 0 { index += 1 }
    return index / channels - start
  }

  private func longest(at start: Int) -> NoiseRun {
    var best = NoiseRun(start: start, count: 1, origin: .unknown)
    for (tape, frame) in places[key(samples, start)] ?? [] {
      let played = tapes[tape].samples
      var (a, b) = (start * channels, frame * channels)
      while a < total * channels, b < played.count, samples[a] == played[b] { (a, b) = (a + 1, b + 1) }
      let count = a / channels - start
      if count > 0, best.origin == .unknown || count > best.count {
        best = NoiseRun(start: start, count: count, origin: .tape(tape, frame: Int64(frame)))
      }
    }
    return best
  }
}
