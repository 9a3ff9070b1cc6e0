/// What the stream is for; the server may treat roles differently.
package enum MediaRole: Sendable, Hashable {
  case music, video
}

/// What a stream is asked to be.
package struct StreamRequest: Sendable, Equatable {
  /// The item's own format. The stream may be granted another one.
  package var format: AudioFormat
  package var role: MediaRole
  /// The sink's name, nil for the server's default.
  package var device: String?
  /// Shown by mixers.
  package var title: String

  package init(format: AudioFormat, role: MediaRole = .music, device: String? = nil, title: String = "") {
    self.format = format
    self.role = role
    self.device = device
    self.title = title
  }
}

/// What an output tells its player. Delivered on a thread of the output; the receiver only notes it and wakes up.
package enum SinkEvent: Sendable, Equatable {
  /// There is room for about a second more.
  case needsData
  /// The stream ran dry.
  case underflow
  /// The device was suspended (its clock stands still), or goes on.
  case suspended(Bool)
  /// The stream is on another device now. `needsReopen` when its rate differs from the stream's.
  ///
  /// `device` is that device's name, nil when it could not be learned.
  case moved(needsReopen: Bool, device: String?)
  /// The server asks to make way for a call (true), or says that it is over (false).
  case interrupted(Bool)
  /// The stream is dead: killed, or its server gone. Nothing more follows but `available`.
  case lost
}

/// Where a stream stands, from one exchange with the server.
///
/// Frames count from 0 at the stream's opening and are the stream's own: what is written at frame n is heard at n.
package struct SinkTiming: Sendable, Equatable {
  /// When the rest was true.
  package var hostTime: HostTime
  /// The next frame that the server takes out of the buffer. What is written before it is never heard.
  package var readFrame: Int64
  /// The frame now at the listener's ear. At most `readFrame`; it can be negative before the first is heard.
  package var heardFrame: Int64
  /// The earliest frame from which new data surely replaces the old, in time and as a whole.
  package var rewriteFrame: Int64
  /// False while corked, suspended or dry: `heardFrame` does not advance.
  package var isRunning: Bool
  /// The device's clock stands still, and with it the stream, once it is uncorked.
  package var isSuspended: Bool

  package init(
    hostTime: HostTime, readFrame: Int64, heardFrame: Int64, rewriteFrame: Int64, isRunning: Bool,
    isSuspended: Bool = false
  ) {
    self.hostTime = hostTime
    self.readFrame = readFrame
    self.heardFrame = heardFrame
    self.rewriteFrame = rewriteFrame
    self.isRunning = isRunning
    self.isSuspended = isSuspended
  }
}

/// The audio sink contract: a place where streams of sound are opened. One for a process and kind of output.
package protocol AudioSink: AnyObject, Sendable {
  /// True when frames are heard at their own pace; false when they are taken as fast as they come (a file).
  var isRealTime: Bool { get }

  /// Begins to connect, so that a later `openStream` need not wait. Returns at once. Any thread.
  func prepare()

  /// Opens a stream, corked, its frame 0 next. Blocks, within a stated limit, until it is ready.
  ///
  /// Throws `.unavailable`, `.noSuchDevice`, `.timedOut`, `.invalid`, `.cancelled`.
  func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream

  /// Calls `action`, once, on a thread of the sink when the output can be opened (again), perhaps at once.
  ///
  /// The returned token ends the watch when it is released.
  func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject
}

/// Ends waits on an output from another thread, for good: each waiting or later call throws `.cancelled`.
package final class SinkCancellation: Sendable {
  private struct State {
    var isCancelled = false
    var nextID = 0
    var actions: [Int: @Sendable () -> Void] = [:]
  }
  private let state = Monitor(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Any thread.
  package func cancel() {
    let actions = state.withLock { state in
      state.isCancelled = true
      defer { state.actions.removeAll() }
      return Array(state.actions.values)
    }
    for action in actions { action() }
  }

  /// Calls `action` when cancelled, at once if that was before; pass the result to `forget`.
  package func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
    let id: Int? = state.withLock { state in
      if state.isCancelled { return nil }
      state.nextID += 1
      state.actions[state.nextID] = action
      return state.nextID
    }
    if let id { return id }
    action()
    return 0
  }

  package func forget(_ id: Int) {
    state.withLock { _ = $0.actions.removeValue(forKey: id) }
  }
}

extension AudioSink {
  package var isRealTime: Bool { true }
}

/// One open stream. All calls but `close` come from one thread at a time, the player's.
package protocol AudioSinkStream: AnyObject, Sendable {
  /// The granted format: what `write` takes.
  var format: AudioFormat { get }

  /// How far ahead of `readFrame` the stream wants to be written, in frames.
  var bufferFrames: Int { get }

  /// Asks where the stream stands. Throws `.timedOut` after a second without an answer, `.lost`, `.cancelled`.
  func timing() throws(SinkError) -> SinkTiming

  /// Writes interleaved samples so that the first is frame `frame`, over what was written there before.
  ///
  /// Never blocks on the server. The caller keeps all it writes at or behind its own end: no holes.
  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError)

  /// Stops or starts the stream's consumption and waits for the answer, with `timing`'s limit.
  func setCorked(_ corked: Bool) throws(SinkError)

  /// When the player should look again of its own accord; nil for outputs that send `needsData`.
  ///
  /// `endFrame` is the end of what has been written.
  func nextWake(endFrame: Int64, now: HostTime) -> HostTime?

  /// Ends the stream. What is not yet heard is dropped. Idempotent; any thread; does not wait for the server.
  func close()
}
