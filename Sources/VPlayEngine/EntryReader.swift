import VPlayModel

/// The demux thread of one entry: opens its source and keeps a bounded queue of packets filled.
///
/// All calls come from the engine's thread and return at once, but `close`, which ends the thread's blocking call and
/// joins it. `wake` is called on the demux thread when something that the engine waits for has come.
final class EntryReader: Sendable {
  enum Phase: Sendable {
    case opening
    case open(MediaDescription)
    case failed(MediaError)
  }

  enum Next {
    case packet(any MediaPacket)
    /// Nothing yet; `wake` will be called.
    case empty
    /// The medium's end.
    case end
    /// Nothing more can be read.
    case failed(MediaError)
  }

  private struct State {
    var phase = Phase.opening
    var packets: [any MediaPacket] = []
    /// Index of the next packet to hand out.
    var head = 0
    var bytes = 0
    var seconds = 0.0
    /// Where the last packet read ends.
    var loadedEnd: MediaTime?
    var bufferSeconds = 0.0
    var isRemote = false
    var isFull = false
    var isAtEnd = false
    var failure: MediaError?
    var trackIDs: [Int]?
    var seekTarget: MediaTime?
    /// Bumped by a seek: what was read before it is dropped.
    var generation = 0
    var isFilling = true
    var isConsumerWaiting = true
    /// Who waits wants so many seconds, not only the next packet.
    var wantedSeconds = 0.0
    /// Since the last drop enough came, and the queue was full.
    var hadEnough = false
    var wasFull = false
    var isClosed = false

    mutating func drop() {
      packets.removeAll(keepingCapacity: true)
      head = 0
      bytes = 0
      seconds = 0
      isAtEnd = false
      failure = nil
      isFilling = true
      isFull = false
      hadEnough = false
      wasFull = false
      loadedEnd = nil
    }
  }

  /// Read ahead until one of these is reached, then rest until it has fallen to a half.
  private static let highWaterSeconds = 4.0
  private static let highWaterSecondsRemote = 20.0
  private static let highWaterBytes = 16 << 20
  /// Where packets do not say how long they last, this many bytes are enough.
  private static let highWaterBytesUntimed = 1 << 20
  /// With so much there, playback may begin, or go on after it had to wait.
  private static let enoughSeconds = 1.0
  private static let enoughBytesUntimed = 64 << 10

  let source: any MediaSource
  private let state: Monitor<State>
  private let wake: @Sendable () -> Void
  private let clock: any HostClock
  private let thread: Monitor<NamedThread?>

  init(source: any MediaSource, clock: any HostClock, wake: @escaping @Sendable () -> Void) {
    self.source = source
    self.wake = wake
    self.clock = clock
    state = Monitor(State())
    thread = Monitor(nil)
    // The thread keeps the reader alive until `close` has ended it.
    let started = NamedThread("vplay-demux") { [self] in run() }
    thread.withLock { $0 = started }
    if started == nil {
      state.withLock { $0.phase = .failed(MediaError(.outOfMemory, "no thread could be started")) }
    }
  }

  var phase: Phase { state.withLock { $0.phase } }

  /// How much is read ahead; 0 leaves it to us.
  func setBuffer(seconds: Double) {
    state.withLockAndWake { state in
      guard state.bufferSeconds != seconds else { return }
      state.bufferSeconds = seconds
      if EntryReader.level(state) < 0.5 { state.isFilling = true }
    }
  }

  /// Whether there is enough to begin with: a stretch of the medium, of which `seconds` were taken already, or all
  /// there is. If not, `wake` will be called once there is.
  func hasEnough(beyond seconds: Double = 0) -> Bool {
    let wanted = EntryReader.enoughSeconds - seconds
    guard wanted > 0 else { return true }
    var isLow = false
    let result: Bool = state.withLock { state in
      if EntryReader.isEnough(state, wanted) { return true }
      state.isConsumerWaiting = true
      state.wantedSeconds = wanted
      isLow = !state.isFilling
      state.isFilling = true
      return false
    }
    if isLow { state.withLockAndWake { _ in } }
    return result
  }

  /// What is there beyond what was taken.
  var status: BufferStatus {
    state.withLock { state in
      BufferStatus(
        isEmpty: state.head == state.packets.count && !state.isAtEnd,
        isLikelyToKeepUp: EntryReader.isEnough(state), isFull: state.isFull || state.isAtEnd)
    }
  }

  /// Where what has been read so far ends; nil when nothing was, since the last seek.
  var loadedEnd: MediaTime? { state.withLock { $0.loadedEnd } }

  /// Names the tracks to read and lets reading begin.
  func start(trackIDs: [Int]) {
    state.withLockAndWake { $0.trackIDs = trackIDs }
  }

  func next() -> Next {
    var isLow = false
    let result: Next = state.withLock { state in
      if state.head < state.packets.count {
        let packet = state.packets[state.head]
        state.head += 1
        state.bytes -= packet.sizeBytes
        state.seconds -= packet.duration.seconds
        if state.head > 64, state.head * 2 > state.packets.count {
          state.packets.removeFirst(state.head)
          state.head = 0
        }
        let level = EntryReader.level(state)
        if level < 0.25 { state.isFull = false }
        if !state.isFilling, !state.isAtEnd, level < 0.5 {
          state.isFilling = true
          isLow = true
        }
        return .packet(packet)
      }
      if let failure = state.failure { return .failed(failure) }
      if state.isAtEnd { return .end }
      state.isConsumerWaiting = true
      if !state.isFilling {
        state.isFilling = true
        isLow = true
      }
      return .empty
    }
    if isLow { state.withLockAndWake { _ in } }
    return result
  }

  /// Drops what was read and goes on reading from where a decoder can give every frame from `time`.
  func seek(to time: MediaTime) {
    state.withLockAndWake { state in
      state.drop()
      state.generation += 1
      state.seekTarget = time
      state.isConsumerWaiting = true
    }
  }

  /// Puts packets that were taken back in front of the queue.
  func putBack(_ packets: [any MediaPacket]) {
    state.withLock { state in
      state.packets.replaceSubrange(0..<state.head, with: packets)
      state.head = 0
      for packet in packets {
        state.bytes += packet.sizeBytes
        state.seconds += packet.duration.seconds
      }
    }
  }

  /// Ends reading and joins the thread.
  func close() {
    state.withLockAndWake { state in
      state.isClosed = true
      state.drop()
    }
    source.interrupt()
    let ended = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    ended?.join()
  }

  /// How full the queue is; 1 and more is full.
  private static func level(_ state: State) -> Double {
    let bytes = Double(state.bytes) / Double(highWaterBytes)
    let wanted = state.isRemote ? highWaterSecondsRemote : highWaterSeconds
    if state.seconds > 0 {
      return max(bytes, state.seconds / (state.bufferSeconds > 0 ? state.bufferSeconds : wanted))
    }
    return max(bytes, Double(state.bytes) / Double(highWaterBytesUntimed))
  }

  private static func isEnough(_ state: State, _ wanted: Double = enoughSeconds) -> Bool {
    if state.isAtEnd || state.failure != nil || state.isFull || !state.isFilling { return true }
    return state.seconds > 0 ? state.seconds >= wanted : state.bytes >= enoughBytesUntimed
  }

  // MARK: - The demux thread

  private enum Work {
    case seek(MediaTime, generation: Int)
    case read(generation: Int)
    case stop
  }

  private func run() {
    do throws(MediaError) {
      let description = try source.open()
      state.withLock { state in
        state.phase = .open(description)
        state.isRemote = description.isRemote
      }
    } catch {
      state.withLock { $0.phase = .failed(error) }
      wake()
      return
    }
    wake()
    guard
      let trackIDs = clock.wait(on: state, until: nil, { $0.isClosed ? [] : $0.trackIDs }), !trackIDs.isEmpty
    else { return }
    source.select(trackIDs: trackIDs)
    var errors = 0
    while true {
      switch nextWork() {
      case .stop:
        return
      case .seek(let time, let generation):
        errors = 0
        do throws(MediaError) {
          try source.seek(to: time)
        } catch {
          finish(generation, failure: error)
        }
      case .read(let generation):
        do throws(MediaError) {
          if let packet = try source.read() {
            errors = 0
            deliver(packet, generation)
          } else {
            finish(generation, failure: nil)
          }
        } catch {
          errors += 1
          if errors > 1 || error.kind == .interrupted { finish(generation, failure: error) }
        }
      }
    }
  }

  private func nextWork() -> Work {
    let work: Work? = clock.wait(on: state, until: nil) { state in
      if state.isClosed { return .stop }
      if let time = state.seekTarget {
        state.seekTarget = nil
        return .seek(time, generation: state.generation)
      }
      if state.isFilling, !state.isAtEnd, state.failure == nil { return .read(generation: state.generation) }
      return nil
    }
    return work ?? .stop
  }

  private func deliver(_ packet: any MediaPacket, _ generation: Int) {
    let isAwaited = state.withLock { state in
      guard state.generation == generation, !state.isClosed else { return false }
      state.packets.append(packet)
      state.bytes += packet.sizeBytes
      state.seconds += packet.duration.seconds
      if let end = packet.time.map({ $0 + packet.duration }) { state.loadedEnd = max(state.loadedEnd ?? end, end) }
      if EntryReader.level(state) >= 1 {
        state.isFilling = false
        state.isFull = true
      }
      return EntryReader.isNews(&state)
    }
    if isAwaited { wake() }
  }

  /// Whether the consumer waits for what is there now, or has not been told of so much since the last drop.
  private static func isNews(_ state: inout State) -> Bool {
    let hasEnough = isEnough(state)
    var isNews = false
    if state.isConsumerWaiting, state.wantedSeconds <= 0 || isEnough(state, state.wantedSeconds) {
      state.isConsumerWaiting = false
      state.wantedSeconds = 0
      isNews = true
    }
    if hasEnough, !state.hadEnough {
      state.hadEnough = true
      isNews = isNews || state.isRemote
    }
    if state.isFull, !state.wasFull {
      state.wasFull = true
      isNews = true
    }
    return isNews
  }

  private func finish(_ generation: Int, failure: MediaError?) {
    let isCurrent = state.withLock { state in
      guard state.generation == generation, !state.isClosed else { return false }
      state.isAtEnd = failure == nil
      state.failure = failure
      state.isFilling = false
      state.isConsumerWaiting = false
      state.wantedSeconds = 0
      return true
    }
    if isCurrent { wake() }
  }
}
