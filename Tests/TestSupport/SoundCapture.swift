import Glibc
package import VPlayModel

/// What a private server's sink has played so far, as 16-bit samples.
package final class SoundCapture: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    /// What was counted and not kept.
    var passedBytes = 0
    var stamps: [(time: HostTime, frames: Int)] = []
  }

  package let channels: Int
  package let rate: Int
  private let isFloat: Bool
  private let isKept: Bool
  private let state = Monitor(State())

  /// Without `isKept` frames are counted and no more.
  init(channels: Int, isFloat: Bool, rate: Int, isKept: Bool = true) {
    self.isKept = isKept
    self.channels = channels
    self.isFloat = isFloat
    self.rate = rate
  }

  private var frameBytes: Int { channels * (isFloat ? 4 : 2) }

  /// All samples of whole frames so far, interleaved.
  package var samples: [Int16] { samples(from: 0) }

  /// All samples of whole frames from a frame on, interleaved.
  package func samples(from frame: Int) -> [Int16] {
    let bytes = state.withLock { Array($0.bytes.dropFirst(frame * frameBytes)) }
    let count = bytes.count / frameBytes * channels
    return bytes.withUnsafeBytes { raw in
      (0..<count).map { index in
        if !isFloat { return raw.loadUnaligned(fromByteOffset: index * 2, as: Int16.self) }
        let value = raw.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
        return Int16(clamping: Int((value * 32768).rounded()))
      }
    }
  }

  package var frameCount: Int { state.withLock { $0.bytes.count + $0.passedBytes } / frameBytes }

  /// When the capture grew, and to how many frames.
  package var stamps: [(time: HostTime, frames: Int)] { state.withLock { $0.stamps } }

  /// When a frame was played, by the chunks that were read soonest.
  package func hostTime(ofFrame frame: Int) -> HostTime {
    let stamps = stamps
    let zeros = zip(stamps.dropFirst(), stamps).map { stamp, before in
      stamp.time.advanced(bySeconds: -Double(before.frames) / Double(rate))
    }
    return zeros.sorted()[zeros.count / 20].advanced(bySeconds: Double(frame) / Double(rate))
  }

  /// Waits until `frames` frames are there. False after `seconds`.
  package func wait(forFrames frames: Int, seconds: Double = 10) -> Bool {
    let deadline = SystemClock().now.advanced(bySeconds: seconds)
    return state.wait(until: deadline) { $0.bytes.count + $0.passedBytes >= frames * frameBytes ? true : nil } ?? false
  }

  /// Waits until the sink has played `seconds` more.
  package func wait(seconds: Double) {
    _ = wait(forFrames: frameCount + Int(seconds * Double(rate)), seconds: seconds + 10)
  }

  func append(_ bytes: ArraySlice<UInt8>) {
    let now = SystemClock().now
    state.withLockAndWake { state in
      guard isKept else {
        state.passedBytes += bytes.count
        return
      }
      state.bytes += bytes
      state.stamps.append((now, state.bytes.count / frameBytes))
    }
  }
}

/// Reads a file to its end into a capture.
final class CaptureThread: Sendable {
  private let hasEnded = Monitor(false)

  init(_ file: Int32, into capture: SoundCapture) {
    let hasEnded = hasEnded
    startThread {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(file, &buffer, buffer.count)
        if count > 0 { capture.append(buffer[..<count]) } else if count == 0 || errno != EINTR { break }
      }
      close(file)
      hasEnded.withLockAndWake { $0 = true }
    }
  }

  func join() {
    _ = hasEnded.wait(until: nil) { $0 ? true : nil }
  }
}

/// Runs `body` on a detached thread.
package func startThread(_ body: @escaping @Sendable () -> Void) {
  final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  let status = pthread_create(
    &thread, nil,
    { raw in
      // The reference that was given away below.
      if let raw { Unmanaged<Box>.fromOpaque(raw).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Box(body)).toOpaque())
  precondition(status == 0, "a test can start a thread")
  pthread_detach(thread)
}
