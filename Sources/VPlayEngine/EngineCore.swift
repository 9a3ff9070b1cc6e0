import VPlayModel

/// The engine's mutable heart, confined to the engine's thread: takes commands, moves the transport, keeps the stream
/// filled, reports what was heard.
final class EngineCore {
  enum Transport {
    /// No lane, or one that has nothing to play.
    case idle
    /// The lane is corked; what it holds from `lane.timing.readFrame` on is heard when it goes on.
    case corked
    case running
    /// The sound fades out; the lane is corked once the fade is heard.
    case fading(PauseFade)
  }

  /// A (re)start that waits for its first data.
  struct Placement {
    var cursor: Cursor
    var seek: SeekID?
    var fadesIn: Bool
    /// When its first frame is to be heard; nil for as soon as can be.
    var startsAt: HostTime?
  }

  /// Where decoding is: which pass of which entry.
  struct Head {
    var entry: EntryID
    var pass: Int
    /// The stream frame at which the pass begins.
    var passStart: Int64
    /// The pass began past its entry's start, by a seek: were it empty, the next one need not be.
    var isPartial = false
    /// The queue has nothing more; everything is written.
    var isFinished = false
  }

  enum OutputState {
    case usable
    /// Waiting until the output is there again; the token keeps the watch.
    case lost(watch: AnyObject?)
  }

  let environment: EngineEnvironment
  let mailbox: EngineMailbox
  let position: Monitor<PublishedPosition>
  let cancellation: SinkCancellation
  let counters: EngineCounters
  private let report: @Sendable (EngineEvent) -> Void

  var queue: [QueueEntry] = []
  var feeds: [EntryID: EntryFeed] = [:]
  /// Why an entry broke off; told when its last frame is heard.
  var failures: [EntryID: MediaError] = [:]
  /// Entries that were heard to their end and left, while the caller's queue may still name them.
  var departed: Set<EntryID> = []

  var rate = 0.0
  /// The last rate other than 0.
  var playRate = 1.0
  var speedChange: SpeedChange?
  /// When the next start from rest is to be heard.
  var armedStart: HostTime?
  var gain: Float = 1
  var device: String?
  /// Where the user moved the last stream, for the one that takes its place.
  var movedTo: String?
  var output = OutputState.usable

  var lane: Lane?
  var laneNumber = 0
  /// Lanes whose last sound is still to be heard.
  var retired: [RetiredLane] = []
  var transport = Transport.idle
  var placement: Placement?
  var head: Head?
  var join: Join?
  /// Where playback is to begin while there is no lane.
  var cursor: Cursor?
  /// A start waits for the lane to hold enough.
  var startsOnceFilled = false
  /// The corked lane's content begins with a fade-in.
  var resumesWithFade = false
  var isStarved = false
  /// Where in this turn sound began again behind a hole, not handed to the stream yet.
  var recoveryFrame: Int64?
  /// After it starved, and at the start of what comes over a network, playback waits until enough is there.
  var waitsForBuffer = true
  /// Told last, of the current entry.
  var reportedBuffer: (entry: EntryID, status: BufferStatus)?
  var isStalled = false
  /// The heard frame up to which crossings were reported.
  var reportedFrame: Int64 = .min
  var gainChangeDue = false
  var lastRewrite: HostTime?
  /// Since when the heard gain is 0.
  var mutedSince: HostTime?
  /// Instants at which the clock is checked after a start, when reports settle.
  var clockChecks: [HostTime] = []
  /// When the lane last began to run.
  var startedAt: HostTime?
  /// Decoding is done with one entry and waits for the next one to be open.
  var isAwaitingNext = false
  /// The muted player cannot be joined to sound: its data came only once.
  var cannotJoin = false
  /// When the output, gone a moment ago, is tried again.
  var retryOutputAt: HostTime?
  var lostOutputAt: HostTime?
  /// Who waits for fades to be heard.
  private var quietActions: [@Sendable () -> Void] = []
  /// An output has been open: when it goes, it is expected back.
  var hasHadOutput = false

  init(
    environment: EngineEnvironment, mailbox: EngineMailbox, position: Monitor<PublishedPosition>,
    cancellation: SinkCancellation, counters: EngineCounters, events: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.environment = environment
    self.mailbox = mailbox
    self.position = position
    self.cancellation = cancellation
    self.counters = counters
    report = events
  }

  var now: HostTime { environment.clock.now }

  /// Who is told of an event reads the position that goes with it.
  func emit(_ event: EngineEvent) {
    publish()
    if !cancellation.isCancelled { report(event) }
  }

  // MARK: - The thread

  func run() {
    var wantsMore = false
    while true {
      let commands = wantsMore ? mailbox.takeNow() : mailbox.take(until: nextWake())
      for command in commands {
        if case .shutdown = command {
          tearDown()
          return
        }
        guarded { () throws(SinkError) in try handle(command) }
      }
      wantsMore = false
      guarded { () throws(SinkError) in wantsMore = try tick() }
      publish()
      callQuietActions()
    }
  }

  /// Runs what may find the output gone, and sees to it then.
  private func guarded(_ body: () throws(SinkError) -> Void) {
    do throws(SinkError) {
      try body()
    } catch {
      outputFailed(error)
    }
  }

  private func handle(_ command: EngineCommand) throws(SinkError) {
    switch command {
    case .setQueue(let entries): try setQueue(entries)
    case .setRate(let rate): try setRate(rate)
    case .setStart(let host): armedStart = host
    case .seek(let request): try seek(request)
    case .setGain(let gain): setGain(gain)
    case .setDevice(let device): setDevice(device)
    case .setBuffer(let id, let seconds): feeds[id]?.reader.setBuffer(seconds: seconds)
    case .setWaitsForBuffer(let waits): waitsForBuffer = waits
    case .sink(let event, let number): try handle(event, ofLane: number)
    case .whenQuiet(let action): quietActions.append(action)
    case .outputAvailable: outputAvailable()
    case .look, .shutdown: break
    }
  }

  /// Moves everything on by one step; true when there is more to do at once.
  private func tick() throws(SinkError) -> Bool {
    closeRetired()
    openFeeds()
    retryOutput()
    try manageOutput()
    try progressFade()
    try checkClock()
    try applyGain()
    try progressJoin()
    reportBuffer()
    let wantsMore = try fill()
    try reportCrossings()
    reportBuffer()
    return wantsMore
  }

  func publish() {
    let snapshot = PublishedPosition(
      timeline: lane?.timeline, clock: lane?.clock, endFrame: lane?.endFrame ?? 0, cursor: cursor,
      reader: queue.first.flatMap { feeds[$0.id] }?.reader)
    position.withLock { $0 = snapshot }
  }

  private func tearDown() {
    join?.lane.stream.close()
    retireLane()
    for feed in feeds.values { feed.close() }
    position.withLock { $0 = PublishedPosition() }
    finishRetired()
    for action in quietActions { action() }
  }

  private func callQuietActions() {
    guard !quietActions.isEmpty, retired.isEmpty else { return }
    if case .fading = transport { return }
    defer { quietActions = [] }
    for action in quietActions { action() }
  }

  // MARK: - Waking

  /// When the engine must look again though nobody calls.
  private func nextWake() -> HostTime? {
    var times = retired.map(\.closesAt)
    if let retryOutputAt { times.append(retryOutputAt) }
    if gainChangeDue, let lastRewrite { times.append(lastRewrite.advanced(bySeconds: EngineCore.rewriteInterval)) }
    if let lane {
      let now = now
      switch transport {
      case .fading(let fade):
        times.append(lane.clock.hostTime(ofFrame: Double(fade.silentFrom)) ?? now.advanced(bySeconds: 0.02))
      case .running:
        times += clockChecks
        if let frame = lane.timeline.nextCrossing(after: max(reportedFrame, lane.heardFrame(at: now))),
          let time = lane.clock.hostTime(ofFrame: Double(frame))
        {
          times.append(time)
        }
        // A clocked output need not ask once all is written; another one goes on until there is nothing to write.
        let mayAsk = lane.isRealTime ? head?.isFinished != true : !isStarved
        if mayAsk, let time = lane.stream.nextWake(endFrame: lane.endFrame, now: now) {
          times.append(time)
        } else if let time = watchTime(lane) {
          times.append(time)
        }
        if !lane.isSilent, let mutedSince { times.append(mutedSince.advanced(bySeconds: EngineCore.muteSeconds)) }
      case .corked where !lane.isSilent && head?.isFinished == true:
        if let mutedSince { times.append(max(now, mutedSince.advanced(bySeconds: EngineCore.muteSeconds))) }
      case .idle, .corked:
        break
      }
    }
    if let speedChange, let lane {
      let ahead = lane.timing.rewriteFrame - lane.timing.heardFrame
      times.append(lane.clock.hostTime(ofFrame: Double(speedChange.frame - ahead)) ?? now.advanced(bySeconds: 0.02))
    }
    if let join, join.target == nil { times.append(join.checkAt) }
    guard let first = times.min(), environment.sink.isRealTime else { return times.min() }
    // An instant that has come and changed nothing is not worth a spin.
    return max(first, now.advanced(bySeconds: EngineCore.finestSeconds))
  }

  private static let finestSeconds = 0.001

  /// Muted for so long, the stream is let go.
  static let muteSeconds = 5.0
  /// At most one rewrite in this time.
  static let rewriteInterval = 0.010
  /// With less than this still to be heard, the engine looks even if the output did not ask.
  private static let watchSeconds = 0.7

  private func watchTime(_ lane: Lane) -> HostTime? {
    let end = Double(lane.endFrame)
    if head?.isFinished == true {
      // Past what the clock tells, the output may still lag: look often until it says so itself.
      return lane.clock.hostTime(ofFrame: end).map { max($0, now.advanced(bySeconds: 0.002)) }
    }
    if isStarved || placement != nil { return lane.clock.isRunning ? now.advanced(bySeconds: 0.5) : nil }
    let low = end - EngineCore.watchSeconds * Double(lane.sampleRate)
    guard let time = lane.clock.hostTime(ofFrame: low) else { return now.advanced(bySeconds: 0.5) }
    // Already low: the medium is slow, or the buffer small. Look at the rhythm of what is left.
    if time <= now {
      return lane.clock.hostTime(ofFrame: end).map { max($0.advanced(bySeconds: -0.05), now.advanced(bySeconds: 0.05)) }
    }
    return time
  }
}
