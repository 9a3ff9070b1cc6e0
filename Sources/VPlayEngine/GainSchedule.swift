/// The linear gain of each frame of a stream: constants joined by linear ramps. A value.
package struct GainSchedule: Sendable, Equatable {
  package struct Segment: Sendable, Equatable {
    package var firstFrame: Int64
    /// 0 is a jump.
    package var rampFrames: Int64
    package var from: Float
    package var to: Float

    package init(firstFrame: Int64, rampFrames: Int64, from: Float, to: Float) {
      self.firstFrame = firstFrame
      self.rampFrames = rampFrames
      self.from = from
      self.to = to
    }

    fileprivate func gain(at frame: Int64) -> Float {
      let offset = frame - firstFrame
      if offset >= rampFrames || rampFrames == 0 { return to }
      if offset <= 0 { return from }
      return from + (to - from) * (Float(offset) / Float(rampFrames))
    }
  }

  /// In order of `firstFrame`; never empty. The first holds for all frames before it too.
  package private(set) var segments: [Segment]

  package init(gain: Float) {
    segments = [Segment(firstFrame: .min / 2, rampFrames: 0, from: gain, to: gain)]
  }

  /// The gain that the schedule comes to rest at.
  package var finalGain: Float { segments[segments.count - 1].to }

  package func gain(at frame: Int64) -> Float {
    (segments.last { $0.firstFrame <= frame } ?? segments[0]).gain(at: frame)
  }

  /// From `frame` on, goes to `gain` within `frames`, starting from whatever the gain is at that frame. Later changes
  /// already scheduled are forgotten. `frames` 0 jumps.
  package mutating func change(to gain: Float, at frame: Int64, overFrames frames: Int64) {
    let start = self.gain(at: frame)
    truncate(from: frame)
    segments.append(Segment(firstFrame: frame, rampFrames: max(0, frames), from: start, to: gain))
  }

  /// From `frame` on, jumps to `first` and goes to `gain` within `frames`: for sound that begins anew.
  package mutating func restart(from first: Float, to gain: Float, at frame: Int64, overFrames frames: Int64) {
    truncate(from: frame)
    segments.append(Segment(firstFrame: frame, rampFrames: max(0, frames), from: first, to: gain))
  }

  /// Forgets what no longer matters for frames from `frame` on.
  package mutating func forget(before frame: Int64) {
    while segments.count > 1, segments[1].firstFrame <= frame { segments.removeFirst() }
  }

  /// Multiplies interleaved samples, of which the first frame is `frame`, in place. Gain 1 leaves every bit.
  package func apply(to samples: UnsafeMutableBufferPointer<Float>, channels: Int, from frame: Int64) {
    let end = frame + Int64(samples.count / channels)
    var position = frame
    var index = segments.lastIndex { $0.firstFrame <= frame } ?? 0
    while position < end {
      let segment = segments[index]
      let next = index + 1 < segments.count ? segments[index + 1].firstFrame : Int64.max
      let stop = min(end, next)
      let rampEnd = min(stop, segment.firstFrame + segment.rampFrames)
      while position < rampEnd {
        let gain = segment.gain(at: position)
        let base = Int(position - frame) * channels
        for channel in 0..<channels { samples[base + channel] *= gain }
        position += 1
      }
      if position < stop {
        scale(
          samples, from: Int(position - frame) * channels, to: Int(stop - frame) * channels, by: segment.to)
        position = stop
      }
      index += 1
    }
  }

  private func scale(_ samples: UnsafeMutableBufferPointer<Float>, from: Int, to: Int, by gain: Float) {
    if gain == 1 { return }
    if gain == 0 {
      samples[from..<to].update(repeating: 0)
      return
    }
    for index in from..<to { samples[index] *= gain }
  }

  private mutating func truncate(from frame: Int64) {
    while segments.count > 1, let last = segments.last, last.firstFrame >= frame { segments.removeLast() }
  }
}
