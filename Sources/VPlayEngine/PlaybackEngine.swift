package import VPlayModel

/// Plays a queue of entries on one output: the machine behind a player.
///
/// All calls return at once and may come from any thread; they are carried out in order on the engine's own thread,
/// which also reports through `events`. Dropping the last reference does not stop it: call `shutdown`.
package final class PlaybackEngine: Sendable {
  private let mailbox: EngineMailbox
  private let position = Monitor(PublishedPosition())
  private let cancellation = SinkCancellation()
  private let environment: EngineEnvironment
  private let counters: EngineCounters
  private let events: @Sendable (EngineEvent) -> Void
  private let isStarted = Monitor(false)

  package init(
    environment: EngineEnvironment, counters: EngineCounters = EngineCounters(),
    events: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.environment = environment
    self.counters = counters
    mailbox = EngineMailbox(clock: environment.clock)
    self.events = events
  }

  /// Sets what is played, the first entry being the current one. Entries already known by their id go on as they are
  /// (a changed `passes` or `end` takes effect); the others are opened when needed. Without the playing entry its sound
  /// ends and the first one begins.
  package func setQueue(_ entries: [QueueEntry]) { post(.setQueue(entries)) }

  /// 0 pauses; 1 plays.
  package func setRate(_ rate: Double) { post(.setRate(rate)) }

  /// The next `setRate` from 0 begins at this instant of the host's clock, in the past as if it had begun then.
  package func setStart(at host: HostTime) { post(.setStart(host)) }

  /// Moves within the first entry of the queue. A newer seek ends older ones with `false`. Tolerances are how far from
  /// `time` the result may be; nil is any distance. Results are always exact where the medium allows it.
  ///
  /// With `entry`, the seek fails when the engine has gone on to another entry meanwhile.
  package func seek(
    _ id: SeekID, to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?,
    in entry: EntryID? = nil
  ) {
    post(
      .seek(
        SeekRequest(
          id: id, time: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter, entry: entry)))
  }

  /// The heard gain, linear, 0…1; changes are ramps of 5 ms. 0 is mute: it lets the stream go after a while.
  package func setGain(_ gain: Float) { post(.setGain(gain)) }

  /// Uses another sink from now on; nil is the server's default.
  package func setDevice(_ device: String?) { post(.setDevice(device)) }

  /// How much of an entry is read ahead, in seconds; 0 leaves it to the engine.
  package func setBuffer(_ entry: EntryID, seconds: Double) { post(.setBuffer(entry, seconds: seconds)) }

  /// Whether playback that ran out of data waits for more than the next moment's.
  package func setWaitsForBuffer(_ waits: Bool) { post(.setWaitsForBuffer(waits)) }

  /// Where what was read of the current entry ends; nil while that is nothing.
  package func loadedEnd() -> MediaTime? {
    position.withLock { $0.reader }?.loadedEnd
  }

  /// Calls `action`, once, on the engine's thread: when no fade is to be heard any more, after the calls before this one.
  package func whenQuiet(_ action: @escaping @Sendable () -> Void) { post(.whenQuiet(action)) }

  /// Where playback is, as heard at `host`; nil without a current entry. Any thread, at once.
  package func position(at host: HostTime) -> EnginePosition? {
    position.withLock { $0 }.position(at: host)
  }

  /// When media time `time` of the current pass will be heard if nothing happens; nil when that is not known.
  package func hostTime(of time: MediaTime) -> HostTime? {
    position.withLock { $0 }.hostTime(of: time, now: environment.clock.now)
  }

  /// Fades out, ends the stream, closes everything. Returns at once; no event follows. Idempotent.
  package func shutdown() {
    cancellation.cancel()
    let wasStarted = isStarted.withLock { started in
      defer { started = true }
      return started
    }
    if wasStarted { mailbox.post(.shutdown) }
  }

  private func post(_ command: EngineCommand) {
    mailbox.post(command)
    let wasStarted = isStarted.withLock { started in
      defer { started = true }
      return started
    }
    guard !wasStarted else { return }
    let (mailbox, position, cancellation) = (mailbox, position, cancellation)
    let (environment, counters, events) = (environment, counters, events)
    let thread = NamedThread("vplay-audio") {
      EngineCore(
        environment: environment, mailbox: mailbox, position: position, cancellation: cancellation,
        counters: counters, events: events
      ).run()
    }
    // It ends by itself after `shutdown`; nobody is there to join it then.
    thread?.detach()
  }
}

/// What the engine's thread lets others see of where it is.
struct PublishedPosition: Sendable {
  var timeline: Timeline?
  var clock: HeardClock?
  /// Nothing is written from here on, and so nothing is heard.
  var endFrame: Int64 = 0
  /// Where playback is to begin, while there is no timeline.
  var cursor: Cursor?
  /// Of the current entry.
  var reader: EntryReader?

  func position(at host: HostTime) -> EnginePosition? {
    guard let timeline, let clock else {
      return cursor.map { EnginePosition(entry: $0.entry, pass: $0.pass, time: $0.time, rate: 0) }
    }
    let frame = min(Int64(clock.frame(at: host).rounded(.down)), endFrame)
    guard let run = timeline.run(at: frame), let time = timeline.time(at: frame) else { return nil }
    let isAdvancing = clock.isRunning && run.kind == .media && frame >= run.firstFrame
    return EnginePosition(
      entry: run.entry, pass: run.pass, time: time, rate: isAdvancing ? run.rate : 0)
  }

  func hostTime(of time: MediaTime, now: HostTime) -> HostTime? {
    guard let timeline, let clock else { return nil }
    let heard = Int64(clock.frame(at: now).rounded(.down))
    guard let entry = timeline.run(at: heard)?.entry,
      let frame = timeline.frame(of: time, entry: entry, from: heard)
    else { return nil }
    return clock.hostTime(ofFrame: Double(frame))
  }
}

/// A place in the queue's media.
struct Cursor: Sendable, Equatable {
  var entry: EntryID
  var pass: Int
  var time: MediaTime
}
