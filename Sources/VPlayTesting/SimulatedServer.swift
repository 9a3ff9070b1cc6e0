import VPlayModel

/// The state of a simulated sound server. A value; guarded by its sink's monitor.
struct SimulatedServer {
  struct Stream {
    let id: Int
    var playback: SimulatedPlayback
    var events: (@Sendable (SinkEvent) -> Void)?
    /// The device's block that the stream gives next.
    var nextBlock: Int64 = 0
    var isLost = false
  }

  /// What a client asks of a frozen server.
  enum Deferred {
    case write(id: Int, samples: [Float], frame: Int64)
    case cork(id: Int, Bool)
  }

  let configuration: SimulatedSink.Configuration
  private(set) var streams: [Stream] = []
  private(set) var isFrozen = false
  private(set) var isAvailable = true
  var watches: [(WeakWatch, @Sendable () -> Void)] = []
  private(set) var statistics = SimulatedSink.Statistics()
  private var suspendedSince: HostTime?
  private var frozenSince: HostTime?
  /// When the device took its block 0, the time that it stood still left out.
  private var epoch: HostTime
  private var deferred: [Deferred] = []
  private var outbox: [(Int, SinkEvent)] = []
  private var isDelivering = false

  init(configuration: SimulatedSink.Configuration, now: HostTime) {
    self.configuration = configuration
    epoch = now
  }

  // MARK: Time

  /// When the next block of any stream is due.
  var nextBlock: HostTime? {
    guard suspendedSince == nil, !isFrozen else { return nil }
    return streams.indices.filter { isPlaying(streams[$0]) }.map { due(streams[$0]) }.min()
  }

  /// Does all that was due until `now`.
  mutating func run(to now: HostTime) {
    for index in streams.indices {
      while suspendedSince == nil, !isFrozen, isPlaying(streams[index]), due(streams[index]) <= now {
        let instant = due(streams[index])
        streams[index].playback.listen(until: instant)
        let events = streams[index].playback.render(at: instant)
        streams[index].nextBlock += 1
        statistics.underflows += events.count { $0 == .underflow }
        outbox += events.map { (streams[index].id, $0) }
      }
      if !streams[index].isLost { streams[index].playback.listen(until: deviceTime(now)) }
    }
  }

  private func isPlaying(_ stream: Stream) -> Bool {
    stream.events != nil && !stream.isLost && !stream.playback.isCorked
  }

  private func due(_ stream: Stream) -> HostTime {
    let frames = Double(stream.nextBlock * Int64(configuration.blockFrames))
    return epoch.advanced(bySeconds: frames / stream.playback.framesASecond)
  }

  private func deviceTime(_ now: HostTime) -> HostTime { suspendedSince ?? now }

  // MARK: Clients

  mutating func open(_ format: AudioFormat, events: @escaping @Sendable (SinkEvent) -> Void) -> Int {
    statistics.opens += 1
    statistics.openStreams += 1
    streams.append(
      Stream(
        id: streams.count, playback: SimulatedPlayback(format: format, configuration: configuration),
        events: events))
    return streams.count - 1
  }

  mutating func close(_ id: Int) {
    guard streams[id].events != nil else { return }
    streams[id].events = nil
    streams[id].isLost = true
    statistics.openStreams -= 1
    outbox.removeAll { $0.0 == id }
  }

  func check(_ id: Int) throws(SinkError) {
    if streams[id].isLost { throw SinkError(.lost, "the stream is gone") }
  }

  mutating func timing(_ id: Int, now: HostTime) throws(SinkError) -> SinkTiming {
    try check(id)
    statistics.timings += 1
    return streams[id].playback.timing(
      at: deviceTime(now), hostTime: now, isSuspended: suspendedSince != nil)
  }

  mutating func write(
    _ id: Int, _ samples: UnsafeBufferPointer<Float>, at frame: Int64, now: HostTime
  ) throws(SinkError) {
    try check(id)
    statistics.writes += 1
    if isFrozen {
      deferred.append(.write(id: id, samples: Array(samples), frame: frame))
      return
    }
    let outcome = streams[id].playback.write(samples, at: frame, now: deviceTime(now))
    statistics.ignoredFrames += outcome.ignoredFrames
    statistics.replacedFrames += outcome.replacedFrames
    statistics.holeFrames += outcome.holeFrames
  }

  mutating func setCorked(_ id: Int, _ corked: Bool, now: HostTime) {
    statistics.corks += corked ? 1 : 0
    statistics.uncorks += corked ? 0 : 1
    streams[id].playback.setCorked(corked, now: deviceTime(now))
    guard !corked else { return }
    // The first block that is not yet due.
    let elapsed = deviceTime(now).seconds(since: epoch) * streams[id].playback.framesASecond
    let block = (elapsed / Double(configuration.blockFrames) - 1e-9).rounded(.up)
    streams[id].nextBlock = max(streams[id].nextBlock, Int64(block))
  }

  mutating func deferCork(_ id: Int, _ corked: Bool) {
    deferred.append(.cork(id: id, corked))
  }

  func nextRequest(_ id: Int, endFrame: Int64, now: HostTime) -> HostTime? {
    streams[id].playback.requestTime(endFrame: endFrame, now: now)
  }

  // MARK: Fate

  mutating func setFrozen(_ frozen: Bool, now: HostTime) {
    guard frozen != isFrozen else { return }
    isFrozen = frozen
    if frozen {
      frozenSince = now
      return
    }
    if let since = frozenSince { epoch = epoch.advanced(bySeconds: now.seconds(since: since)) }
    frozenSince = nil
    let waiting = deferred
    deferred = []
    for request in waiting {
      switch request {
      case .write(let id, let samples, let frame) where !streams[id].isLost:
        samples.withUnsafeBufferPointer { samples in
          _ = streams[id].playback.write(samples, at: frame, now: deviceTime(now))
        }
      case .cork(let id, let corked) where !streams[id].isLost:
        setCorked(id, corked, now: now)
      default:
        break
      }
    }
  }

  mutating func setSuspended(_ suspended: Bool, now: HostTime) {
    guard suspended != (suspendedSince != nil) else { return }
    if let since = suspendedSince {
      let seconds = now.seconds(since: since)
      epoch = epoch.advanced(bySeconds: seconds)
      for index in streams.indices { streams[index].playback.shift(bySeconds: seconds) }
    }
    suspendedSince = suspended ? now : nil
    tellAll(.suspended(suspended))
  }

  mutating func killStreams() {
    for index in streams.indices where !streams[index].isLost {
      streams[index].isLost = true
      outbox.append((streams[index].id, .lost))
    }
  }

  /// Returns what is to be called now.
  mutating func setAvailable(_ available: Bool) -> [@Sendable () -> Void] {
    isAvailable = available
    guard available else {
      killStreams()
      return []
    }
    let actions = watches.filter { $0.0.watch != nil }.map(\.1)
    watches.removeAll()
    return actions
  }

  mutating func tellAll(_ event: SinkEvent) {
    for stream in streams where !stream.isLost { outbox.append((stream.id, event)) }
  }

  // MARK: Events, in order, by one thread at a time

  mutating func beginDelivery() -> Bool {
    guard !isDelivering, !outbox.isEmpty else { return false }
    isDelivering = true
    return true
  }

  mutating func nextDelivery() -> (@Sendable (SinkEvent) -> Void, SinkEvent)? {
    while !outbox.isEmpty {
      let (id, event) = outbox.removeFirst()
      if let events = streams[id].events { return (events, event) }
    }
    isDelivering = false
    return nil
  }
}
