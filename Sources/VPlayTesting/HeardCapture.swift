package import VPlayModel

/// What was heard of one stream: its samples, and where and when each stretch of them was.
package struct HeardCapture: Sendable, Equatable {
  /// Frames that follow each other in the stream and in time.
  package struct Stretch: Sendable, Equatable {
    /// Where the stretch begins in `samples`, in frames.
    package var captureFrame: Int
    /// The stream's frame that it begins with.
    package var streamFrame: Int64
    /// When its first frame was heard.
    package var hostTime: HostTime
    package var frameCount: Int
    /// True for the silence of a stream that ran dry.
    package var isDry: Bool
  }

  package let format: AudioFormat
  /// Interleaved; empty when only the digest is kept.
  package private(set) var samples: [Float] = []
  package private(set) var stretches: [Stretch] = []
  package private(set) var frameCount = 0
  package private(set) var digest = SoundDigest()
  let keepsSamples: Bool

  init(format: AudioFormat, keepsSamples: Bool) {
    self.format = format
    self.keepsSamples = keepsSamples
  }

  /// The host time at which a captured frame was heard.
  package func hostTime(ofCaptureFrame frame: Int) -> HostTime? {
    guard let stretch = stretches.last(where: { $0.captureFrame <= frame }) else { return nil }
    let frames = frame - stretch.captureFrame
    return stretch.hostTime.advanced(bySeconds: Double(frames) / Double(format.sampleRate))
  }

  /// Adds frames that were heard from `hostTime` on at `framesASecond`.
  mutating func append(
    _ new: ArraySlice<Float>, streamFrame: Int64, hostTime: HostTime, isDry: Bool, framesASecond: Double
  ) {
    let count = new.count / format.channelCount
    guard count > 0 else { return }
    digest.add(new)
    if keepsSamples { samples.append(contentsOf: new) }
    defer { frameCount += count }
    if let last = stretches.last, last.isDry == isDry,
      last.streamFrame + Int64(last.frameCount) == streamFrame
    {
      let expected = last.hostTime.advanced(bySeconds: Double(last.frameCount) / framesASecond)
      if abs(expected.seconds(since: hostTime)) < 2 / framesASecond {
        stretches[stretches.count - 1].frameCount += count
        return
      }
    }
    stretches.append(
      Stretch(
        captureFrame: frameCount, streamFrame: streamFrame, hostTime: hostTime, frameCount: count,
        isDry: isDry))
  }
}
