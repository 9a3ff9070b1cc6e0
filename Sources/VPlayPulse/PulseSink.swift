package import VPlayModel

/// Sound through PulseAudio, or PipeWire's server of the same protocol. One connection for all its streams.
package final class PulseSink: AudioSink {
  /// `openStream` and `devices` give up after this long.
  package static let openLimitSeconds = 2.0

  /// Nil when the process has no thread or descriptor left.
  private let connection: PulseConnection?

  /// `server` is a server string of libpulse's; nil for the user's own, by environment and configuration.
  package init(applicationName: String, server: String? = nil) {
    connection = PulseConnection(applicationName: applicationName, server: server)
  }

  package func prepare() {
    connection?.connect()
  }

  /// Blocks for at most `openLimitSeconds`, also when a server accepts the connection and never answers.
  package func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream {
    try withConnection(cancellation) { connection, deadline throws(SinkError) in
      try PulseStream.open(
        request, on: connection, until: deadline, cancellation: cancellation, events: events)
    }
  }

  package func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject {
    PulseWatch(connection, action)
  }

  /// The server's outputs, the default first. Blocks for at most `openLimitSeconds`.
  ///
  /// Throws `.unavailable`, `.timedOut`, `.cancelled`.
  package func devices(cancellation: SinkCancellation) throws(SinkError) -> [PulseDevice] {
    try withConnection(cancellation) { connection, deadline throws(SinkError) in
      let preferred = try connection.defaultSinkName(until: deadline, cancellation)
      let devices = try connection.sinks(until: deadline, cancellation).map { sink in
        PulseDevice(name: sink.name, description: sink.description, isDefault: sink.name == preferred)
      }
      return devices.filter(\.isDefault) + devices.filter { !$0.isDefault }
    }
  }

  /// Calls `handler`, on a thread of the sink's, with what the server has, now and after each change, until the returned
  /// token is released. Connects when there is a server, also later; starts none.
  package func observe(_ handler: @escaping @Sendable (PulseServerState) -> Void) -> AnyObject {
    PulseObservation(connection, handler)
  }

  /// What the server has now. Blocks for at most `openLimitSeconds`.
  ///
  /// Throws `.unavailable`, `.timedOut`, `.cancelled`.
  package func serverState(cancellation: SinkCancellation) throws(SinkError) -> PulseServerState {
    try withConnection(cancellation) { connection, deadline throws(SinkError) in
      let state = Monitor<PulseServerState?>(nil)
      let id = connection.observe { new in
        if new.isConnected { state.withLockAndWake { $0 = new } }
      }
      defer { connection.endObserving(id) }
      return try state.wait(until: deadline, cancellation) { $0.map { .success($0) } }
    }
  }

  /// Sets an output's volume, as mixers show it: 0 to 1, the same for all channels. Does not wait.
  package func setVolume(_ volume: Float, ofOutput name: String) {
    connection?.setVolume(volume, ofOutput: name)
  }

  /// Lowers the streams of other programs, but for calls, while this process is heard: true from now on, false no longer.
  package func setDucksOthers(_ ducks: Bool) {
    connection?.setDucksOthers(ducks)
  }

  /// Gives the streams that are lowered their volume back, and waits for that, half a second at most. They are not lowered
  /// again before this process has been silent.
  package func endDucking() {
    connection?.endDucking(until: SystemClock().now.advanced(bySeconds: 0.5))
  }

  /// Runs `body` on the connected connection, within the one limit.
  private func withConnection<Result>(
    _ cancellation: SinkCancellation,
    _ body: (PulseConnection, _ deadline: HostTime) throws(SinkError) -> Result
  ) throws(SinkError) -> Result {
    guard let connection else {
      throw SinkError(.unavailable, "cannot reach the sound server: no thread or file descriptor left")
    }
    let deadline = SystemClock().now.advanced(bySeconds: Self.openLimitSeconds)
    do throws(SinkError) {
      try connection.waitUntilReady(until: deadline, cancellation)
      return try body(connection, deadline)
    } catch {
      // A server that goes away in the middle is one that is not there.
      throw error.kind == .lost ? SinkError(.unavailable, error.reason) : error
    }
  }
}

/// Ends a watch with its release.
private final class PulseWatch: Sendable {
  private let connection: PulseConnection?
  private let id: Int

  init(_ connection: PulseConnection?, _ action: @escaping @Sendable () -> Void) {
    self.connection = connection
    id = connection?.watch(action) ?? 0
  }

  deinit {
    connection?.unwatch(id)
  }
}

/// Ends an observation with its release.
private final class PulseObservation: Sendable {
  private let connection: PulseConnection?
  private let id: Int

  init(_ connection: PulseConnection?, _ handler: @escaping @Sendable (PulseServerState) -> Void) {
    self.connection = connection
    id = connection?.observe(handler) ?? 0
  }

  deinit {
    connection?.endObserving(id)
  }
}
