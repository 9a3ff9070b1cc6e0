import CVPlayPulse
import VPlayModel

/// The part of `PulseReply` that an operation's state callback sees.
// Safe to share: `operation` is touched with the loop's lock held.
class AnyPulseReply: @unchecked Sendable {
  /// The running operation, owned.
  fileprivate var operation: OpaquePointer?

  /// Loop's lock held.
  fileprivate func end() {}
}

/// What the server answers to one operation, on its way from the loop's thread to the one that waits.
///
/// libpulse owns a reference from `begin` to the operation's end, which its state callback reports in every case: reply,
/// failure, cancellation, and death of the stream or the context. That callback releases it.
// Safe to share: `state` is a Monitor, `operation` is guarded by the loop's lock, the rest is constant.
final class PulseReply<Value: Sendable>: AnyPulseReply, @unchecked Sendable {
  private struct State {
    var value: Value
    var hasEnded = false
  }
  private let state: Monitor<State>
  private let loop: PulseLoop
  private let whenEnded: (@Sendable (Value) -> Void)?

  /// `value` is what the answer is when none comes; `whenEnded` is called with the loop's lock held.
  init(_ loop: PulseLoop, _ value: Value, whenEnded: (@Sendable (Value) -> Void)? = nil) {
    self.loop = loop
    state = Monitor(State(value: value))
    self.whenEnded = whenEnded
  }

  /// Starts an operation; `start` passes the pointer as its callback's user data. Loop's lock held.
  ///
  /// False when libpulse refused to start it.
  func begin(_ start: (UnsafeMutableRawPointer) -> OpaquePointer?) -> Bool {
    let retained = Unmanaged.passRetained(self as AnyPulseReply)
    guard let operation = start(retained.toOpaque()) else {
      retained.release()
      return false
    }
    self.operation = operation
    pa_operation_set_state_callback(operation, operationChanged, retained.toOpaque())
    return true
  }

  /// For an operation's callback.
  func update(_ body: (inout Value) -> Void) {
    state.withLock { body(&$0.value) }
  }

  /// Waits for the operation's end. No lock held.
  ///
  /// Throws `.timedOut` or `.cancelled`; the operation is then forgotten.
  func wait(until deadline: HostTime, _ cancellation: SinkCancellation) throws(SinkError) -> Value {
    do throws(SinkError) {
      return try state.wait(until: deadline, cancellation) { $0.hasEnded ? .success($0.value) : nil }
    } catch {
      loop.withLock {
        if let operation { pa_operation_cancel(operation) }
      }
      throw error
    }
  }

  fileprivate override func end() {
    let value = state.withLockAndWake { state in
      state.hasEnded = true
      return state.value
    }
    whenEnded?(value)
  }

  /// The reply that a callback's user data points to.
  static func from(_ userData: UnsafeMutableRawPointer?) -> PulseReply? {
    guard let userData else { return nil }
    // Alive: the operation's reference is released at its end only, after its callback.
    return Unmanaged<AnyPulseReply>.fromOpaque(userData).takeUnretainedValue() as? PulseReply
  }
}

private func operationChanged(_ operation: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  guard let operation, let userData, pa_operation_get_state(operation) != PA_OPERATION_RUNNING else { return }
  // The reference that `begin` gave away; libpulse reports an end once.
  let reply = Unmanaged<AnyPulseReply>.fromOpaque(userData).takeRetainedValue()
  reply.operation = nil
  reply.end()
  pa_operation_unref(operation)
}

extension Monitor {
  /// Waits for `body` to return a result, until `deadline` or the cancellation, which throw.
  func wait<Result>(
    until deadline: HostTime, _ cancellation: SinkCancellation,
    _ body: (inout Value) -> Swift.Result<Result, SinkError>?
  ) throws(SinkError) -> Result {
    let id = cancellation.onCancel { [weak self] in self?.withLockAndWake { _ in } }
    defer { cancellation.forget(id) }
    let result: Swift.Result<Result, SinkError>? = wait(until: deadline) { value in
      cancellation.isCancelled ? .failure(.pulseCancelled) : body(&value)
    }
    guard let result else { throw .pulseSilent }
    return try result.get()
  }
}
