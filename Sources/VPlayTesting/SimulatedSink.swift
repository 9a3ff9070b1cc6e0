package import VPlayModel

/// A model of a sound server with one device, driven by a clock, that keeps all that is heard.
///
/// It behaves as PulseAudio was measured to: the device takes blocks when they fall due, what comes too late is never
/// heard, a dry stream plays silence and its time goes on. On a `ManualClock` all happens as the clock is moved; on
/// another clock it is worked out whenever somebody calls, and `nextWake` tells when to. Events are delivered on the
/// thread that moves the clock or calls, never under a lock.
package final class SimulatedSink: AudioSink {
  package struct Configuration: Sendable {
    /// Frames that the device takes at once.
    package var blockFrames = 1024
    /// From the taking of a block to its first frame's being heard. The server's own figure of its latency, the
    /// most that the device holds, is this and a block.
    package var delaySeconds = 0.0
    /// How far behind what the device has surely taken a change must begin to be heard as a whole.
    package var marginSeconds = 0.007
    /// How much a stream wants to hold.
    package var bufferSeconds = 2.0
    /// The room from which on it asks for more.
    package var requestSeconds = 0.95
    /// Whether the device gives back what it has taken and not yet sounded.
    package var canRewind = false
    /// Whether a cork drops what the device has taken and not yet sounded; otherwise that sounds to its end.
    package var dropsOnCork = true
    /// How much faster than the host clock the device runs, in millionths.
    package var driftPPM = 0.0
    /// What streams are granted; nil is what they ask for.
    package var grantedFormat: AudioFormat?
    /// Names that may be asked for besides the default.
    package var devices: Set<String> = []
    /// How long a call waits for a frozen server; on a `ManualClock` it gives up at once.
    package var answerSeconds = 1.0
    /// False keeps only the digests of what is heard.
    package var keepsSamples = true

    package init() {}
  }

  /// What was asked of the sink so far.
  package struct Statistics: Sendable, Equatable {
    package var opens = 0
    package var openStreams = 0
    package var timings = 0
    package var writes = 0
    /// Frames written over others.
    package var replacedFrames: Int64 = 0
    /// Frames that came too late to be heard.
    package var ignoredFrames: Int64 = 0
    /// Frames of holes that writes left.
    package var holeFrames: Int64 = 0
    package var corks = 0
    package var uncorks = 0
    package var underflows = 0
  }

  let clock: any HostClock
  let configuration: Configuration
  let server: Monitor<SimulatedServer>

  package init(clock: any HostClock, configuration: Configuration = Configuration()) {
    self.clock = clock
    self.configuration = configuration
    server = Monitor(SimulatedServer(configuration: configuration, now: clock.now))
    (clock as? ManualClock)?.attach(self)
  }

  package func prepare() {}

  package func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream {
    if let device = request.device, !configuration.devices.contains(device) {
      throw SinkError(.noSuchDevice, "there is no output named \(device)")
    }
    let id = try answer(cancellation) { server, _ throws(SinkError) in
      guard server.isAvailable else { throw SinkError(.unavailable, "no sound server answers") }
      return server.open(configuration.grantedFormat ?? request.format, events: events)
    }
    return SimulatedSinkStream(
      sink: self, id: id, format: configuration.grantedFormat ?? request.format, cancellation: cancellation)
  }

  package func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject {
    let watch = Watch()
    let isAvailable = server.withLock { server in
      if !server.isAvailable { server.watches.append((WeakWatch(watch: watch), action)) }
      return server.isAvailable
    }
    if isAvailable { action() }
    return watch
  }

  // MARK: What a test does to the server

  /// A frozen server answers nothing and plays nothing; what is asked of it meanwhile it does when it thaws.
  package func setFrozen(_ frozen: Bool) {
    update { $0.setFrozen(frozen, now: $1) }
  }

  /// Suspends the device, or lets it go on.
  package func setSuspended(_ suspended: Bool) {
    update { $0.setSuspended(suspended, now: $1) }
  }

  /// Kills every stream. New ones can be opened.
  package func killStreams() {
    update { server, _ in server.killStreams() }
  }

  /// Ends the server, or starts it again.
  package func setAvailable(_ available: Bool) {
    let actions = update { server, _ in server.setAvailable(available) }
    for action in actions { action() }
  }

  /// Asks every stream to make way for a call, or says that it is over.
  package func interrupt(_ interrupted: Bool) {
    update { server, _ in server.tellAll(.interrupted(interrupted)) }
  }

  /// Tells every stream that it is on another device now.
  package func moveStreams(needsReopen: Bool) {
    update { server, _ in server.tellAll(.moved(needsReopen: needsReopen, device: nil)) }
  }

  // MARK: What was heard

  /// What was heard of each stream until now, in order of their opening.
  package var captures: [HeardCapture] {
    update { server, _ in server.streams.map(\.playback.capture) }
  }

  /// All that was heard until now, one stream after the other, interleaved.
  package var heardSamples: [Float] {
    captures.flatMap(\.samples)
  }

  package var statistics: Statistics {
    update { server, _ in server.statistics }
  }

  // MARK: The way in

  /// Runs `body` on the server as it is now, then delivers what it has to tell.
  @discardableResult
  func update<Result>(_ body: (inout SimulatedServer, HostTime) -> Result) -> Result {
    let result = server.withLockAndWake { server in
      let now = clock.now
      server.run(to: now)
      return body(&server, now)
    }
    deliver()
    return result
  }

  /// As `update`, once the server answers.
  func answer<Answer>(
    _ cancellation: SinkCancellation,
    _ body: (inout SimulatedServer, HostTime) throws(SinkError) -> Answer
  ) throws(SinkError) -> Answer {
    let watch = cancellation.onCancel { [server] in server.withLockAndWake { _ in } }
    defer { cancellation.forget(watch) }
    let limit = clock is ManualClock ? clock.now : clock.now.advanced(bySeconds: configuration.answerSeconds)
    let outcome = clock.wait(on: server, until: limit) { server -> Swift.Result<Answer, SinkError>? in
      if cancellation.isCancelled { return .failure(SinkError(.cancelled, "the wait was ended")) }
      let now = clock.now
      server.run(to: now)
      if server.isFrozen { return nil }
      do throws(SinkError) { return .success(try body(&server, now)) } catch { return .failure(error) }
    }
    deliver()
    guard let outcome else { throw SinkError(.timedOut, "the sound server does not answer") }
    return try outcome.get()
  }

  private func deliver() {
    guard server.withLock({ $0.beginDelivery() }) else { return }
    while let (events, event) = server.withLock({ $0.nextDelivery() }) { events(event) }
  }
}

extension SimulatedSink: ClockDriven {
  package var nextDue: HostTime? {
    server.withLock { $0.nextBlock }
  }

  package func run(at now: HostTime) {
    update { _, _ in }
  }
}

/// Keeps a watch of `whenAvailable` alive.
final class Watch: Sendable {}

struct WeakWatch: Sendable {
  weak let watch: Watch?
}
