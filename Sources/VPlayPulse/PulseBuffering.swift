import CVPlayPulse

/// The buffer attributes that a stream asks for.
enum PulseBuffering {
  /// The latency that the attributes ask of the sink is `tlength − 2·minreq`. At none the server spins.
  static let sinkLatencySeconds = 0.1
  static let lengthSeconds = 2.0
  /// The server's queue holds 4 MiB and must also hold what a sink gives back when it rewinds.
  static let mostBytes = 3 << 20

  static func attributes(rate: Int, frameBytes: Int) -> pa_buffer_attr {
    let lengthFrames = min(Int(lengthSeconds * Double(rate)), mostBytes / frameBytes)
    let sinkFrames = Int(sinkLatencySeconds * Double(rate))
    let requestFrames = max(1, (lengthFrames - sinkFrames) / 2)
    return pa_buffer_attr(
      maxlength: .max, tlength: UInt32(lengthFrames * frameBytes), prebuf: 0,
      minreq: UInt32(requestFrames * frameBytes), fragsize: .max)
  }
}
