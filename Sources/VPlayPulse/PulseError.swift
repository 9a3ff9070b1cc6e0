import CVPlayPulse
import VPlayModel

extension SinkError {
  /// The error for libpulse's code; `action` is what failed, as in "open a stream".
  static func pulse(_ code: Int32, _ action: String) -> SinkError {
    let text = pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    return SinkError(kind(of: code), "cannot \(action): \(text)")
  }

  /// The error for the last failure of a context.
  static func pulse(_ context: OpaquePointer?, _ action: String) -> SinkError {
    pulse(context.map { pa_context_errno($0) } ?? Int32(PA_ERR_CONNECTIONTERMINATED.rawValue), action)
  }

  static let pulseLost = SinkError(.lost, "the connection to the sound server was lost")
  static let pulseSilent = SinkError(.timedOut, "the sound server does not answer")
  static let pulseCancelled = SinkError(.cancelled, "cancelled")

  private static func kind(of code: Int32) -> Kind {
    switch pa_error_code_t(UInt32(bitPattern: code)) {
    case PA_ERR_CONNECTIONTERMINATED, PA_ERR_KILLED, PA_ERR_BADSTATE, PA_ERR_FORKED: .lost
    case PA_ERR_TIMEOUT: .timedOut
    case PA_ERR_INVALID, PA_ERR_NOTSUPPORTED, PA_ERR_TOOLARGE: .invalid
    default: .unavailable
    }
  }
}
