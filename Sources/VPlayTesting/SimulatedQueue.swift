/// A stream's store of frames by absolute index, as a sound server keeps it.
struct SimulatedQueue: Sendable {
  /// What became of a write.
  struct Outcome: Sendable, Equatable {
    /// Frames that came too late.
    var ignoredFrames: Int64 = 0
    /// Frames that were there before and are others now.
    var replacedFrames: Int64 = 0
    /// Frames of silence put in because the write began behind the end.
    var holeFrames: Int64 = 0
  }

  let channels: Int
  /// One past the newest frame ever written.
  private(set) var endFrame: Int64 = 0
  private var samples: [Float] = []
  /// The frame of the first sample.
  private var baseFrame: Int64 = 0

  init(channels: Int) {
    self.channels = channels
  }

  private var storedEnd: Int64 { baseFrame + Int64(samples.count / channels) }

  /// Stores frames over what was there, but none before `limit`.
  mutating func write(_ new: UnsafeBufferPointer<Float>, at frame: Int64, notBefore limit: Int64) -> Outcome {
    let count = Int64(new.count / channels)
    var outcome = Outcome()
    outcome.ignoredFrames = min(count, max(0, max(limit, baseFrame) - frame))
    guard outcome.ignoredFrames < count else { return outcome }
    let start = frame + outcome.ignoredFrames
    outcome.holeFrames = max(0, start - storedEnd)
    if outcome.holeFrames > 0 {
      samples.append(contentsOf: repeatElement(0, count: Int(outcome.holeFrames) * channels))
    }
    let source = new[(Int(outcome.ignoredFrames) * channels)..<(Int(count) * channels)]
    let offset = Int(start - baseFrame) * channels
    let overlap = min(source.count, samples.count - offset)
    samples.replaceSubrange(offset..<offset + overlap, with: source.prefix(overlap))
    samples.append(contentsOf: source.dropFirst(overlap))
    outcome.replacedFrames = Int64(overlap / channels)
    endFrame = max(endFrame, frame + count)
    return outcome
  }

  /// The samples of the frames from `frame` on that are there, at most `count` frames.
  func read(from frame: Int64, count: Int) -> ArraySlice<Float> {
    guard frame >= baseFrame, frame < storedEnd else { return [] }
    let frames = min(count, Int(storedEnd - frame))
    let offset = Int(frame - baseFrame) * channels
    return samples[offset..<offset + frames * channels]
  }

  /// Lets go of the frames before `frame`, at some time.
  mutating func forget(before frame: Int64) {
    if frame >= storedEnd {
      samples.removeAll(keepingCapacity: true)
      baseFrame = frame
    } else if frame - baseFrame >= 32_768 {
      // In large steps, since each moves what is left.
      samples.removeFirst(Int(frame - baseFrame) * channels)
      baseFrame = frame
    }
  }
}
