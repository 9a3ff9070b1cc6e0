import CVPlayPulse
import VPlayModel

/// The line to one sound server: connects when asked, tells when it is up or down, and reconnects while someone watches.
// Safe to share: `status` is a Monitor; all else that changes is touched with the loop's lock held.
final class PulseConnection: @unchecked Sendable {
  enum Status: Sendable {
    case idle, connecting, ready
    case failed(SinkError)
  }

  /// Between two attempts to reach a server, while someone watches for it.
  static let retryMicroseconds: UInt64 = 250_000
  /// The same while nobody waits to be heard.
  static let idleRetryMicroseconds: UInt64 = 2_000_000

  let loop: PulseLoop
  private let applicationName: String
  /// Nil for the server that libpulse's environment and configuration name.
  private let server: String?
  private let status = Monitor<Status>(.idle)
  private let box = ConnectionBox()

  private(set) var context: OpaquePointer?
  /// Of the server that is `ready`.
  private(set) var isPipeWire = false
  /// Made when someone first wants to know what the server has; from then on the server is looked for when it is gone.
  private var observer: PulseObserver?
  private var ducker: PulseDucker?
  private var retryTimer: OpaquePointer?
  private var watches: [Int: @Sendable () -> Void] = [:]
  private var lastWatch = 0

  /// Nil when the process has no thread or descriptor left.
  init?(applicationName: String, server: String?) {
    guard let loop = PulseLoop() else { return nil }
    self.loop = loop
    self.applicationName = applicationName
    self.server = server
    box.connection = self
  }

  deinit {
    loop.withLock {
      cancelRetry()
      dropContext()
    }
  }

  /// Starts to connect unless connected or about to be. Returns at once.
  func connect() {
    loop.withLock { connectLocked(autospawn: true) }
  }

  /// Waits for the connection, starting it when it is down. No lock held.
  func waitUntilReady(until deadline: HostTime, _ cancellation: SinkCancellation) throws(SinkError) {
    connect()
    try status.wait(until: deadline, cancellation) { status -> Result<Void, SinkError>? in
      switch status {
      case .idle, .connecting: return nil
      case .ready: return .success(())
      case .failed(let error): return .failure(error)
      }
    }
  }

  /// Asks the server something and waits for the answer; `start` is called with the loop's lock held. No lock held.
  func ask<Value: Sendable>(
    _ reply: PulseReply<Value>, _ action: String, until deadline: HostTime, _ cancellation: SinkCancellation,
    _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(SinkError) -> Value {
    try loop.withLock { () throws(SinkError) in
      guard let context else { throw .pulseLost }
      guard reply.begin({ start(context, $0) }) else { throw .pulse(context, action) }
    }
    return try reply.wait(until: deadline, cancellation)
  }

  // MARK: Watching for the server

  /// Calls `action` once, on the loop's thread, when the server has answered.
  ///
  /// Not at once when it is up: then it is frozen, or has no output, and is asked at the pace of the retries.
  func watch(_ action: @escaping @Sendable () -> Void) -> Int {
    loop.withLock {
      lastWatch += 1
      watches[lastWatch] = action
      if context == nil {
        connectLocked(autospawn: false)
      } else if case .ready = currentStatus {
        scheduleRetry()
      }
      return lastWatch
    }
  }

  func unwatch(_ id: Int) {
    loop.withLock {
      watches[id] = nil
      if watches.isEmpty, observer == nil { cancelRetry() }
    }
  }

  // MARK: What the server has

  /// Calls `handler` on the loop's thread with each new state of the server, and connects to it when there is one.
  func observe(_ handler: @escaping PulseObserver.Handler) -> Int {
    loop.withLock {
      let observer = self.observer ?? PulseObserver(loop: loop)
      self.observer = observer
      if context == nil {
        connectLocked(autospawn: false)
      } else if let context, case .ready = currentStatus {
        observer.attach(context)
      }
      return observer.add(handler)
    }
  }

  func endObserving(_ id: Int) {
    loop.withLock { observer?.remove(id) }
  }

  /// Lowers other programs' streams while this one's are heard, or no longer.
  func setDucksOthers(_ ducks: Bool) {
    let isNew = loop.withLock { () -> Bool in
      guard ducker == nil, ducks else { return false }
      ducker = PulseDucker(loop: loop)
      return true
    }
    if isNew {
      // It lives as long as the connection, which therefore must not be kept by it.
      _ = observe { [weak self] state in self?.ducker?.update(state, context: self?.context) }
    }
    loop.withLock { ducker?.setWanted(ducks) }
  }

  /// Gives other programs' streams their volume back, and waits until the server has done so. No lock held.
  func endDucking(until deadline: HostTime) {
    let replies = loop.withLock { ducker?.end() ?? [] }
    for reply in replies {
      do throws(SinkError) {
        _ = try reply.wait(until: deadline, SinkCancellation())
      } catch {
        return  // A server that does not answer has nothing to give back.
      }
    }
  }

  func setVolume(_ volume: Float, ofOutput name: String) {
    loop.withLock {
      guard let context, let output = observer?.state.output(named: name) else { return }
      var volumes = pa_cvolume()
      let level = pa_volume_t((Float(PA_VOLUME_NORM) * min(max(volume, 0), 1)).rounded())
      pa_cvolume_set(&volumes, UInt32(output.channelCount), level)
      let operation = pa_context_set_sink_volume_by_name(context, name, &volumes, nil, nil)
      if let operation { pa_operation_unref(operation) }
    }
  }

  // MARK: With the loop's lock held

  private var currentStatus: Status { status.withLock { $0 } }

  private func set(_ new: Status) {
    status.withLockAndWake { $0 = new }
  }

  private func connectLocked(autospawn: Bool) {
    guard context == nil else { return }
    cancelRetry()
    set(.connecting)
    let properties = pa_proplist_new()
    defer { if let properties { pa_proplist_free(properties) } }
    if let properties { pa_proplist_sets(properties, PA_PROP_APPLICATION_NAME, applicationName) }
    guard let context = pa_context_new_with_proplist(loop.api, applicationName, properties) else {
      set(.failed(SinkError(.unavailable, "cannot reach the sound server: out of memory")))
      return
    }
    self.context = context
    // Unretained: `deinit` takes the callbacks away, under the lock that they run under, before it lets go of the box.
    pa_context_set_state_callback(context, contextChanged, Unmanaged.passUnretained(box).toOpaque())
    let flags = autospawn ? PA_CONTEXT_NOFLAGS : PA_CONTEXT_NOAUTOSPAWN
    if pa_context_connect(context, server, flags, nil) < 0, self.context == context {
      contextFailed(.pulse(context, "reach the sound server"))
    }
  }

  fileprivate func contextMoved() {
    guard let context else { return }
    switch pa_context_get_state(context) {
    case PA_CONTEXT_READY:
      askServerInfo()
    case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
      contextFailed(.pulse(context, "reach the sound server"))
    default:
      break
    }
  }

  private func contextFailed(_ error: SinkError) {
    // A timer needs a context only to find the loop, so a dead one will do.
    if !watches.isEmpty || observer != nil { scheduleRetry() }
    dropContext()
    set(.failed(SinkError(.unavailable, error.reason)))
  }

  private func dropContext() {
    guard let context else { return }
    self.context = nil
    observer?.detach()
    pa_context_set_state_callback(context, nil, nil)
    pa_context_disconnect(context)
    pa_context_unref(context)
  }

  private func scheduleRetry() {
    guard retryTimer == nil, let context else { return }
    // Unretained: as above.
    let pause = watches.isEmpty ? Self.idleRetryMicroseconds : Self.retryMicroseconds
    retryTimer = pa_context_rttime_new(
      context, pa_rtclock_now() + pause, retryIsDue, Unmanaged.passUnretained(box).toOpaque())
  }

  fileprivate func retry() {
    cancelRetry()
    if watches.isEmpty, observer == nil { return }
    if case .ready = currentStatus { askServerInfo() } else { connectLocked(autospawn: false) }
  }

  private func cancelRetry() {
    guard let retryTimer else { return }
    loop.api?.pointee.time_free?(retryTimer)
    self.retryTimer = nil
  }

  private func askServerInfo() {
    guard let context else { return }
    // Unretained: dropping the context ends the operation.
    let operation = pa_context_get_server_info(
      context, serverTold, Unmanaged.passUnretained(box).toOpaque())
    if let operation { pa_operation_unref(operation) }
  }

  private func serverRefused() {
    guard let context else { return }
    if pa_context_errno(context) == Int32(PA_ERR_TIMEOUT.rawValue) {
      // Frozen for half a minute; it may thaw yet.
      askServerInfo()
    } else {
      contextFailed(.pulse(context, "reach the sound server"))
    }
  }

  fileprivate func serverAnswered(name: String?) {
    guard let name else {
      serverRefused()
      return
    }
    isPipeWire = name.contains("PipeWire")
    set(.ready)
    if let context { observer?.attach(context) }
    let actions = watches.sorted { $0.key < $1.key }.map(\.value)
    watches.removeAll()
    for action in actions { action() }
  }
}

/// What C holds of a connection; it may outlive it by the time that `deinit` waits for the lock.
// Safe to share: written once, before any callback exists.
private final class ConnectionBox: @unchecked Sendable {
  weak var connection: PulseConnection?

  static func connection(_ userData: UnsafeMutableRawPointer?) -> PulseConnection? {
    guard let userData else { return nil }
    // Alive: the connection owns it and outlives its callbacks.
    return Unmanaged<ConnectionBox>.fromOpaque(userData).takeUnretainedValue().connection
  }
}

private func contextChanged(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  ConnectionBox.connection(userData)?.contextMoved()
}

private func retryIsDue(
  _: UnsafeMutablePointer<pa_mainloop_api>?, _: OpaquePointer?, _: UnsafePointer<timeval>?,
  _ userData: UnsafeMutableRawPointer?
) {
  ConnectionBox.connection(userData)?.retry()
}

private func serverTold(
  _: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ userData: UnsafeMutableRawPointer?
) {
  let name = info?.pointee.server_name.map { String(cString: $0) }
  ConnectionBox.connection(userData)?.serverAnswered(name: name)
}
