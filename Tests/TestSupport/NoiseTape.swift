/// Noise of which each frame can be told from every other, and from silence, on the grid of 16 bits.
package struct NoiseTape: Sendable {
  package let channels: Int
  /// Frames 0 ..< `frameCount`, interleaved, none of them 0.
  package let samples: [Int16]
  package let floats: [Float]

  package var frameCount: Int { samples.count / channels }

  package init(seed: UInt32, channels: Int = 2, frames: Int = 288_000) {
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
  /// The last place, on all tapes end to end, of a frame of these first and last samples.
  private var places: [UInt32: Int] = [:]
  /// For each place the one before it of the same samples, or -1.
  private var earlier: [Int] = []

  init(_ samples: [Int16], _ tapes: [NoiseTape]) {
    self.samples = samples
    self.tapes = tapes
    channels = tapes.first?.channels ?? 2
    total = samples.count / channels
    earlier.reserveCapacity(tapes.reduce(0) { $0 + $1.frameCount })
    for tape in tapes {
      for frame in 0..<tape.frameCount {
        let place = earlier.count
        earlier.append(places.updateValue(place, forKey: key(tape.samples, frame)) ?? -1)
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
    var place = places[key(samples, start)] ?? -1
    while place >= 0 {
      var (tape, frame) = (0, place)
      while frame >= tapes[tape].frameCount { (tape, frame) = (tape + 1, frame - tapes[tape].frameCount) }
      let count = common(start, tapes[tape].samples, frame)
      if count > 0, best.origin == .unknown || count > best.count {
        best = NoiseRun(start: start, count: count, origin: .tape(tape, frame: Int64(frame)))
      }
      place = earlier[place]
    }
    return best
  }

  /// How many frames from `start` on are those of a tape from `frame` on.
  private func common(_ start: Int, _ played: [Int16], _ frame: Int) -> Int {
    samples.withUnsafeBufferPointer { samples in
      played.withUnsafeBufferPointer { played in
        var (a, b) = (start * channels, frame * channels)
        while a < total * channels, b < played.count, samples[a] == played[b] { (a, b) = (a + 1, b + 1) }
        return a / channels - start
      }
    }
  }
}
