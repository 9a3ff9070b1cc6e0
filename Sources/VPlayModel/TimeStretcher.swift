/// Sound made faster or slower at its own pitch. One thread.
package protocol TimeStretcher: AnyObject {
  /// Takes `frameCount` frames, interleaved, of the format that it was made for, and hands out what is ready in the
  /// same format. Over time that is `frameCount` divided by the rate; some of it is held back.
  func stretch(
    _ samples: UnsafeBufferPointer<Float>, frameCount: Int, output: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError)
  /// Hands out what is still held back, made to last `frameCount` frames if it nearly does. It is not used afterwards.
  func flush(frameCount: Int, output: (UnsafeBufferPointer<Float>) -> Void) throws(MediaError)
}

/// How sound is brought to another rate.
package enum RateAlgorithm: Sendable, Hashable {
  /// Faster or slower at its own pitch.
  case timeStretch
  /// Like a tape: the pitch goes with the rate.
  case resampling
}
