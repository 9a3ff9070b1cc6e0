/// The frames of a stream, before gain, that are written and not yet heard, and a margin of heard ones.
///
/// A ring of interleaved samples. When it is full the oldest frames are forgotten. Owned by one thread.
package struct PCMHistory {
  package let channels: Int
  package let capacityFrames: Int
  /// The oldest frame kept.
  package private(set) var firstFrame: Int64 = 0
  /// One past the newest frame.
  package private(set) var endFrame: Int64 = 0
  private var ring: [Float]

  package init(channels: Int, capacityFrames: Int) {
    precondition(channels > 0 && capacityFrames > 0, "a history has room")
    self.channels = channels
    self.capacityFrames = capacityFrames
    ring = [Float](repeating: 0, count: channels * capacityFrames)
  }

  /// Adds frames at `endFrame`.
  package mutating func append(_ samples: UnsafeBufferPointer<Float>) {
    let frames = samples.count / channels
    var done = max(0, frames - capacityFrames)
    endFrame += Int64(done)
    while done < frames {
      let slot = slot(of: endFrame)
      let count = min(frames - done, capacityFrames - slot)
      let source = UnsafeBufferPointer(rebasing: samples[done * channels..<(done + count) * channels])
      ring.withUnsafeMutableBufferPointer { ring in
        _ = UnsafeMutableBufferPointer(rebasing: ring[(slot * channels)...]).update(fromContentsOf: source)
      }
      done += count
      endFrame += Int64(count)
    }
    firstFrame = max(firstFrame, endFrame - Int64(capacityFrames))
  }

  /// Adds frames of silence at `endFrame`.
  package mutating func appendSilence(frames: Int64) {
    var rest = min(frames, Int64(capacityFrames))
    endFrame += frames - rest
    while rest > 0 {
      let slot = slot(of: endFrame)
      let count = min(Int(rest), capacityFrames - slot)
      ring.withUnsafeMutableBufferPointer { ring in
        ring[slot * channels..<(slot + count) * channels].update(repeating: 0)
      }
      rest -= Int64(count)
      endFrame += Int64(count)
    }
    firstFrame = max(firstFrame, endFrame - Int64(capacityFrames))
  }

  /// Forgets every frame from `frame` on; `endFrame` becomes `frame`, which lies within what is kept.
  package mutating func truncate(to frame: Int64) {
    precondition(frame >= firstFrame && frame <= endFrame, "only what is kept can be cut")
    endFrame = frame
  }

  /// Starts anew with nothing, the next frame being `frame`.
  package mutating func reset(to frame: Int64) {
    firstFrame = frame
    endFrame = frame
  }

  /// Copies the frames from `frame` on into `output`, as many as fit. They must be kept.
  package func copy(from frame: Int64, into output: UnsafeMutableBufferPointer<Float>) {
    let frames = output.count / channels
    precondition(frame >= firstFrame && frame + Int64(frames) <= endFrame, "only what is kept can be read")
    var done = 0
    while done < frames {
      let slot = slot(of: frame + Int64(done))
      let count = min(frames - done, capacityFrames - slot)
      ring.withUnsafeBufferPointer { ring in
        let source = UnsafeBufferPointer(rebasing: ring[slot * channels..<(slot + count) * channels])
        _ = UnsafeMutableBufferPointer(rebasing: output[(done * channels)...]).update(fromContentsOf: source)
      }
      done += count
    }
  }

  /// Moves the frames from `frame` on by `frames` (not negative), silence in between.
  package mutating func delay(from frame: Int64, byFrames frames: Int64) {
    guard frames > 0, frame < endFrame else {
      if frames > 0 { appendSilence(frames: frames) }
      return
    }
    let count = Int(endFrame - frame)
    let tail = [Float](unsafeUninitializedCapacity: count * channels) { buffer, initialized in
      copy(from: frame, into: UnsafeMutableBufferPointer(rebasing: buffer[0..<count * channels]))
      initialized = count * channels
    }
    truncate(to: frame)
    appendSilence(frames: frames)
    tail.withUnsafeBufferPointer { append($0) }
  }

  /// Makes the frames from `frame` on begin as `old` does, interleaved, and go over to what they are by its end.
  package mutating func crossfade(from old: [Float], at frame: Int64) {
    guard frame >= firstFrame else { return }
    let frames = Int(min(Int64(old.count / channels), endFrame - frame))
    for index in 0..<max(0, frames) {
      let weight = Float(index + 1) / Float(frames + 1)
      let base = slot(of: frame + Int64(index)) * channels
      for channel in 0..<channels {
        ring[base + channel] = old[index * channels + channel] * (1 - weight) + ring[base + channel] * weight
      }
    }
  }

  private func slot(of frame: Int64) -> Int {
    Int(frame % Int64(capacityFrames))
  }
}
