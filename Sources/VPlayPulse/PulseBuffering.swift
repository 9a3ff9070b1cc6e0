import CVPlayPulse

/// The buffer attributes that a stream asks for.
enum PulseBuffering {
  static let lengthSeconds = 2.0
  /// The server's queue holds 4 MiB and must also hold what a sink gives back when it rewinds.
  static let mostBytes = 3 << 20

  /// The latency to ask of the sink. At none PulseAudio spins.
  ///
  /// PipeWire takes it for its quantum, rounded down to a power of two, and cannot rewind: a change is heard a quantum
  /// and a little later. 1024 frames, its own default, keep that within 45 ms; 2048 wake it half as often, and take 67.
  static func sinkSeconds(isPipeWire: Bool) -> Double {
    isPipeWire ? 0.022 : 0.1
  }

  static func attributes(rate: Int, frameBytes: Int, isPipeWire: Bool) -> pa_buffer_attr {
    let lengthFrames = min(Int(lengthSeconds * Double(rate)), mostBytes / frameBytes)
    // Without PA_STREAM_ADJUST_LATENCY the server gives its sink `tlength` less twice `minreq`.
    let sinkFrames = Int(sinkSeconds(isPipeWire: isPipeWire) * Double(rate))
    let requestFrames = max(1, (lengthFrames - sinkFrames) / 2)
    return pa_buffer_attr(
      maxlength: .max, tlength: UInt32(lengthFrames * frameBytes), prebuf: 0,
      minreq: UInt32(requestFrames * frameBytes), fragsize: .max)
  }
}
