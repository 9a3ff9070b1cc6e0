internal import CVPlaySonic
package import VPlayModel

/// Sound made faster or slower by libsonic, which leaves out or repeats periods of the pitch.
///
/// libsonic rounds to whole frames each time, which adds up (measured: 4 ms a minute at 1.37); here the speed follows
/// what was taken and given so far, so that the length stays true.
package final class SonicStretcher: TimeStretcher {
  /// Lag is averaged over so much sound given.
  private static let averagedSeconds = 0.25
  /// An error is made up for within so many seconds, and by no more than this part of the speed.
  private static let correctionSeconds = 1.0
  private static let largestCorrection = 0.02
  /// At the end, up to one part in so many is made up for.
  private static let largestTailPart = 3

  private let stream: sonicStream
  private let format: AudioFormat
  private let rate: Double
  private var takenFrames: Int64 = 0
  private var givenFrames: Int64 = 0
  /// Frames that were to be given by now and are not, on average; nil before the first was given.
  private var lagFrames: Double?
  /// The lag that libsonic settled on at its start.
  private var settledLagFrames: Double?
  private var scratch: [Float] = []

  /// At `rate` media seconds a second of sound, above 0. Throws `.outOfMemory`.
  package init(format: AudioFormat, rate: Double) throws(MediaError) {
    guard let stream = sonicCreateStream(Int32(format.sampleRate), Int32(format.channelCount)) else {
      throw MediaError(.outOfMemory, "out of memory")
    }
    self.stream = stream
    self.format = format
    self.rate = rate
    sonicSetSpeed(stream, Float(rate))
  }

  deinit {
    sonicDestroyStream(stream)
  }

  package func stretch(
    _ samples: UnsafeBufferPointer<Float>, frameCount: Int, output: (UnsafeBufferPointer<Float>) -> Void
  ) throws(MediaError) {
    guard frameCount > 0 else { return }
    // libsonic counts in 16 bits, and would turn what is louder into its opposite.
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: samples.lazy.map { max(-1, min(1, $0)) })
    let isTaken = scratch.withUnsafeMutableBufferPointer {
      sonicWriteFloatToStream(stream, $0.baseAddress, Int32(frameCount)) != 0
    }
    guard isTaken else { throw MediaError(.outOfMemory, "out of memory") }
    takenFrames += Int64(frameCount)
    give(output)
    followLength(given: Double(frameCount) / rate)
  }

  package func flush(frameCount: Int, output: (UnsafeBufferPointer<Float>) -> Void) throws(MediaError) {
    guard sonicFlushStream(stream) != 0 else { throw MediaError(.outOfMemory, "out of memory") }
    var rest: [Float] = []
    give { rest.append(contentsOf: $0) }
    let channels = format.channelCount
    let frames = rest.count / channels
    let isNear = abs(frames - frameCount) * Self.largestTailPart < frameCount
    guard frames > 1, frameCount > 1, isNear else { return rest.withUnsafeBufferPointer(output) }
    // The last moment, a few milliseconds longer or shorter than it came.
    let step = Double(frames - 1) / Double(frameCount - 1)
    var fitted = [Float](repeating: 0, count: frameCount * channels)
    for frame in 0..<frameCount {
      let place = Double(frame) * step
      let first = min(Int(place), frames - 2)
      let weight = Float(place - Double(first))
      for channel in 0..<channels {
        let (a, b) = (rest[first * channels + channel], rest[(first + 1) * channels + channel])
        fitted[frame * channels + channel] = a + (b - a) * weight
      }
    }
    fitted.withUnsafeBufferPointer(output)
  }

  private func give(_ output: (UnsafeBufferPointer<Float>) -> Void) {
    let channels = format.channelCount
    while true {
      let available = Int(sonicSamplesAvailable(stream))
      guard available > 0 else { return }
      if scratch.count < available * channels { scratch = [Float](repeating: 0, count: available * channels) }
      let read = scratch.withUnsafeMutableBufferPointer {
        Int(sonicReadFloatFromStream(stream, $0.baseAddress, Int32(available)))
      }
      guard read > 0 else { return }
      givenFrames += Int64(read)
      scratch.withUnsafeBufferPointer { output(UnsafeBufferPointer(rebasing: $0[..<(read * channels)])) }
    }
  }

  private func followLength(given frames: Double) {
    guard givenFrames > 0 else { return }
    let sampleRate = Double(format.sampleRate)
    let lag = Double(takenFrames) / rate - Double(givenFrames)
    let weight = min(1, frames / (Self.averagedSeconds * sampleRate))
    let average = lagFrames.map { $0 + (lag - $0) * weight } ?? lag
    lagFrames = average
    guard let settled = settledLagFrames else {
      if Double(givenFrames) > 2 * Self.averagedSeconds * sampleRate { settledLagFrames = average }
      return
    }
    let correction = (average - settled) / (Self.correctionSeconds * sampleRate)
    let bounded = max(-Self.largestCorrection, min(Self.largestCorrection, correction))
    sonicSetSpeed(stream, Float(rate * (1 - bounded)))
  }
}
