/// Captured frames that follow each other in one medium, or are silent, or cannot be told.
package struct TracedRun: Sendable, Equatable, CustomStringConvertible {
  package enum Origin: Sendable, Equatable {
    case silence
    /// The medium's frame with which the run begins.
    case media(Int64)
    case unknown
  }
  package var captureFrame: Int
  package var frameCount: Int
  package var origin: Origin
  package var firstGain: Float = 0
  package var lastGain: Float = 0

  package var captureEnd: Int { captureFrame + frameCount }

  /// The medium's frames that were heard; nil for silence and the unknown.
  package var media: Range<Int64>? {
    guard case .media(let first) = origin else { return nil }
    return first..<first + Int64(frameCount)
  }

  package var description: String {
    switch origin {
    case .silence: "\(captureFrame): silence, \(frameCount)"
    case .media(let frame): "\(captureFrame): media from \(frame), \(frameCount), gain \(firstGain)…\(lastGain)"
    case .unknown: "\(captureFrame): unknown, \(frameCount)"
    }
  }
}

/// Tells of each frame of a capture which frame of a `NoiseMedia` it is, and how loud, ramps of the gain included.
package struct NoiseAnalyser: Sendable {
  package var noise: NoiseMedia
  /// The medium's frames that can have been heard.
  package var mediaFrames: Range<Int64>
  /// The levels at which the sound is heard for three frames or more, between ramps; 0 left out.
  package var levels: [Float]
  /// The step of the capture's grid: 1/32768 for 16 bits, 0 for floats.
  package var quantum: Float = 0
  /// The most that a ramp changes the gain from frame to frame, and twice that for a frame too quiet to tell.
  package var rampStep: Float = 0.01

  /// Media frames at which sound may begin in the middle of a ramp, at a level that is not known.
  package var starts: [Int64] = []
  /// So many frames around the end of the run before are such frames too.
  package var nearbyFrames: Int64 = 0

  package init(
    noise: NoiseMedia, mediaFrames: Range<Int64>, levels: [Float] = [1], quantum: Float = 0
  ) {
    self.noise = noise
    self.mediaFrames = mediaFrames
    self.levels = levels
    self.quantum = quantum
  }

  private var channels: Int { noise.channels }

  /// The runs of a capture of interleaved samples, in order and without holes.
  package func runs(in samples: [Float]) -> [TracedRun] {
    var runs: [TracedRun] = []
    let total = samples.count / channels
    var frame = 0
    while frame < total {
      var run = TracedRun(captureFrame: frame, frameCount: 1, origin: .unknown)
      if isSilent(samples, frame) {
        run.origin = .silence
      } else if let (media, gain) = identify(samples, frame) ?? guess(samples, frame, runs) {
        run.origin = .media(media)
        (run.firstGain, run.lastGain) = (gain, gain)
        extendForwards(&run, samples)
        if let last = runs.last, last.origin == .unknown {
          extendBackwards(&run, samples, to: last.captureFrame)
          let left = run.captureFrame - last.captureFrame
          if left == 0 { runs.removeLast() } else { runs[runs.count - 1].frameCount = left }
        }
      }
      frame = run.captureEnd
      if let last = runs.last, last.origin == run.origin, run.media == nil {
        runs[runs.count - 1].frameCount += run.frameCount
      } else {
        runs.append(run)
      }
    }
    return runs
  }

  private func isSilent(_ samples: [Float], _ frame: Int) -> Bool {
    (0..<channels).allSatisfy { samples[frame * channels + $0] == 0 }
  }

  // MARK: Finding

  /// The media frame and level of three captured frames from `frame` on.
  private func identify(_ samples: [Float], _ frame: Int) -> (Int64, Float)? {
    guard (frame + 3) * channels <= samples.count else { return nil }
    for level in levels {
      for (skip, media) in candidates(samples, frame, level) {
        let first = media - Int64(skip)
        guard mediaFrames.contains(first), mediaFrames.contains(first + 2) else { continue }
        if (0..<3).allSatisfy({ isFrame(samples, frame + $0, first + Int64($0), level) }) { return (first, level) }
      }
    }
    return nil
  }

  /// As `identify`, at any level, for the media frames that are to be expected.
  private func guess(_ samples: [Float], _ frame: Int, _ runs: [TracedRun]) -> (Int64, Float)? {
    guard (frame + 3) * channels <= samples.count, !starts.isEmpty || nearbyFrames > 0 else { return nil }
    var expected = starts
    if let end = runs.last(where: { $0.media != nil })?.media?.upperBound, nearbyFrames > 0 {
      expected += end - nearbyFrames...end + nearbyFrames
    }
    for media in expected where mediaFrames.contains(media) && mediaFrames.contains(media + 2) {
      var last: Float?
      for step in 0..<3 {
        last = gain(samples, frame + step, media + Int64(step), near: last)
        if last == nil { break }
      }
      if last != nil, let first = gain(samples, frame, media, near: nil), first > 0 { return (media, first) }
    }
    return nil
  }

  /// What the samples at `frame` may be at a level: how many frames further, and which.
  private func candidates(_ samples: [Float], _ frame: Int, _ level: Float) -> [(Int, Int64)] {
    var found: [(Int, Int64)] = []
    // One channel carries a number in two frames, of which the first may be the second captured one.
    for skip in 0..<(channels == 1 ? 2 : 1) {
      let base = (frame + skip) * channels
      for low in values(samples[base], level) {
        for high in values(samples[base + 1], level) { found.append((skip, noise.frame(low: low, high: high))) }
      }
    }
    return found
  }

  private func values(_ sample: Float, _ level: Float) -> ClosedRange<Int> {
    let value = sample / level * 32_768
    let slack = quantum / 2 / level * 32_768 + 0.1
    let low = Int(max(-32_768, (value - slack).rounded(.up)))
    let high = Int(min(32_767, (value + slack).rounded(.down)))
    return low <= high ? low...high : Int(value.rounded())...Int(value.rounded())
  }

  private func isFrame(_ samples: [Float], _ frame: Int, _ media: Int64, _ gain: Float) -> Bool {
    (0..<channels).allSatisfy { channel in
      let expected = Float(noise.sample(ofFrame: media, channel: channel)) / 32_768 * gain
      return abs(samples[frame * channels + channel] - expected) <= quantum * 0.51 + 2e-7
    }
  }

  // MARK: Following

  private func extendForwards(_ run: inout TracedRun, _ samples: [Float]) {
    guard case .media(let first) = run.origin else { return }
    let total = samples.count / channels
    while run.captureEnd < total {
      let media = first + Int64(run.frameCount)
      guard mediaFrames.contains(media) else { return }
      if !isSilent(samples, run.captureEnd), let gain = gain(samples, run.captureEnd, media, near: run.lastGain) {
        run.frameCount += 1
        run.lastGain = gain
      } else if quantum > 0, let step = stepOverZeros(run, samples, first, total) {
        run.frameCount += step.frames
        run.lastGain = step.gain
      } else {
        return
      }
    }
  }

  /// On a grid, frames at the end of a ramp may be 0 before others that are not.
  private func stepOverZeros(
    _ run: TracedRun, _ samples: [Float], _ first: Int64, _ total: Int
  ) -> (frames: Int, gain: Float)? {
    for ahead in 1...4 where run.captureEnd + ahead < total {
      guard isSilent(samples, run.captureEnd + ahead - 1) else { return nil }
      let media = first + Int64(run.frameCount + ahead)
      if !isSilent(samples, run.captureEnd + ahead), mediaFrames.contains(media),
        let gain = gain(samples, run.captureEnd + ahead, media, near: run.lastGain)
      {
        return (ahead + 1, gain)
      }
    }
    return nil
  }

  private func extendBackwards(_ run: inout TracedRun, _ samples: [Float], to start: Int) {
    guard case .media(var first) = run.origin else { return }
    while run.captureFrame > start, mediaFrames.contains(first - 1),
      let gain = gain(samples, run.captureFrame - 1, first - 1, near: run.firstGain)
    {
      first -= 1
      run.captureFrame -= 1
      run.frameCount += 1
      run.firstGain = gain
    }
    run.origin = .media(first)
  }

  /// The gain at which a captured frame is that media frame, if it can be, and near to a neighbour's gain.
  private func gain(_ samples: [Float], _ frame: Int, _ media: Int64, near neighbour: Float?) -> Float? {
    var (product, square, loudest) = (Float(0), Float(0), Float(0))
    for channel in 0..<channels {
      let expected = Float(noise.sample(ofFrame: media, channel: channel)) / 32_768
      product += expected * samples[frame * channels + channel]
      square += expected * expected
      loudest = max(loudest, abs(expected))
    }
    guard square > 0 else { return isSilent(samples, frame) ? neighbour : nil }
    let gain = product / square
    if let neighbour, abs(gain - neighbour) > rampStep + quantum / loudest { return nil }
    for channel in 0..<channels {
      let expected = Float(noise.sample(ofFrame: media, channel: channel)) / 32_768
      if abs(samples[frame * channels + channel] - gain * expected) > quantum * 0.75 + 3e-7 { return nil }
    }
    // A quiet frame on a grid tells its gain badly.
    return quantum / loudest > rampStep / 2 ? neighbour ?? gain : gain
  }
}
