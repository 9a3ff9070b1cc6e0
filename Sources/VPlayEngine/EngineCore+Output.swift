import VPlayModel

/// A heard lane that is about to take over from the silent one: it runs on silence until its first data is there.
struct Join {
  var lane: Lane
  var number: Int
  /// When the stream is looked at next.
  var checkAt: HostTime
  /// Where it takes over; nil until the stream is known to sound, for only then its timing is true.
  var target: Target?

  struct Target {
    /// The stream frame on which `cursor` falls, by the silent lane's clock.
    var frame: Int64
    var cursor: Cursor
    /// Nothing of it has gone by before.
    var isStart: Bool
  }
}

extension EngineCore {
  /// Silence on which a joining stream runs until its data is there, and how far ahead its first frame is aimed.
  private static let joinSilenceSeconds = 0.3
  private static let joinAheadSeconds = 0.04
  private static let joinCheckSeconds = 0.005

  // MARK: - Which output

  /// Opens, swaps and lets go of streams as the rate, the gain and the medium ask for.
  func manageOutput() throws(SinkError) {
    guard case .usable = output, let first = queue.first, let feed = feeds[first.id], feed.description != nil else {
      return
    }
    let wantsSilence = environment.sink.isRealTime && (gain == 0 || !feed.hasAudio)
    guard let lane else {
      if rate != 0, let placement { try openLane(silent: wantsSilence || placement.startsAt != nil, feed: feed) }
      return
    }
    if lane.isSilent, !wantsSilence, placement?.startsAt == nil {
      switch transport {
      case .running where join == nil && placement == nil: try beginJoin(feed)
      case .running where placement != nil: try replaceLane(feed)
      case .corked where rate == 0 || placement != nil: try replaceLane(feed)
      case .running, .corked, .fading, .idle: break
      }
    } else if !lane.isSilent, wantsSilence, environment.sink.isRealTime, let mutedSince,
      now.seconds(since: mutedSince) >= EngineCore.muteSeconds, placement == nil
    {
      try goSilent(lane)
    }
  }

  private func openLane(silent: Bool, feed: EntryFeed) throws(SinkError) {
    let stream: any AudioSinkStream
    laneNumber += 1
    if silent {
      stream = SilentStream(format: feed.format, clock: environment.clock)
    } else {
      stream = try openStream(feed, number: laneNumber)
    }
    lane = Lane(
      stream: stream, isSilent: silent, isRealTime: silent || environment.sink.isRealTime, gain: gain, now: now,
      counters: counters, environment: environment)
    transport = .corked
    reportedFrame = .min
    gainChangeDue = false
    if let cursor = placement?.cursor { lane?.hold(at: cursor) }
    try lane?.refresh(resettingClock: true)
  }

  private func openStream(_ feed: EntryFeed, number: Int) throws(SinkError) -> any AudioSinkStream {
    let target = movedTo ?? device
    movedTo = nil
    let request = StreamRequest(
      format: feed.format, role: environment.role(feed.description?.hasVideo == true), device: target,
      title: feed.description?.tags["title"] ?? "")
    let stream = try environment.sink.openStream(request, cancellation: cancellation) { [mailbox] event in
      mailbox.post(.sink(event, lane: number))
    }
    hasHadOutput = true
    counters.countStream()
    return stream
  }

  /// A lane that nobody hears gives way to another kind at once.
  private func replaceLane(_ feed: EntryFeed) throws(SinkError) {
    let place = placement?.cursor ?? heardCursor()
    let seek = placement?.seek
    dropLane()
    cursor = place
    if let place, rate != 0 {
      self.place(place, seek: seek, fadesIn: false)
      try openLane(silent: false, feed: feed)
    } else if let seek {
      placement = nil
      emit(.seekFinished(seek, true))
    }
  }

  /// Ends the lane; what plays next opens another.
  func dropLane() {
    if let join { cancel(join) }
    lane?.stream.close()
    lane = nil
    speedChange = nil
    transport = .idle
    clockChecks = []
    isStarved = false
    startsOnceFilled = false
  }

  func setDevice(_ newDevice: String?) {
    guard newDevice != device else { return }
    device = newDevice
    movedTo = nil
    reopen()
  }

  /// Goes on in a new stream from the heard place.
  private func reopen() {
    guard let lane, !lane.isSilent else { return }
    stand(fadesIn: placement?.seek == nil)
  }

  /// Gives the lane up, with its place kept for the next one.
  private func stand(fadesIn: Bool) {
    let place = placement?.cursor ?? heardCursor()
    let seek = placement?.seek
    placement = nil
    retireLane()
    cursor = place
    if let place, rate != 0 {
      self.place(place, seek: seek, fadesIn: fadesIn)
    } else if let seek {
      emit(.seekFinished(seek, true))
    }
  }

  // MARK: - Muted and back

  /// Muted for long enough: the stream is let go, and the clock alone goes on from the same place.
  private func goSilent(_ lane: Lane) throws(SinkError) {
    guard case .running = transport, let place = heardCursor() else {
      if case .corked = transport, rate == 0 || head?.isFinished == true {
        cursor = heardCursor()
        placement = nil
        head = nil
        dropLane()
      }
      return
    }
    let heard = lane.heardFrame(at: now)
    let silent = Lane(
      stream: SilentStream(format: lane.stream.format, clock: environment.clock), isSilent: true, gain: 0, now: now,
      counters: counters, environment: environment)
    silent.timeline = lane.timeline
    silent.timeline.shift(byFrames: -heard)
    silent.renderer = lane.renderer
    silent.renderer.shift(byFrames: -heard)
    silent.count(to: lane.endFrame - heard)
    reportedFrame = max(reportedFrame, heard) - heard
    laneNumber += 1
    lane.stream.close()
    self.lane = silent
    cursor = place
    try silent.stream.setCorked(false)
    try silent.refresh(resettingClock: true)
    clockChecks = []
  }

  private func beginJoin(_ feed: EntryFeed) throws(SinkError) {
    guard let lane, !cannotJoin else { return }
    let soon = lane.heardFrame(at: now.advanced(bySeconds: 2 * EngineCore.joinAheadSeconds))
    guard lane.timeline.run(at: soon)?.kind == .media || comingStart(lane, after: soon) != nil else { return }
    laneNumber += 1
    let stream: any AudioSinkStream
    do throws(SinkError) {
      stream = try openStream(feed, number: laneNumber)
    } catch {
      // The clock goes on without sound; the caller hears why there is none.
      loseOutput(error, keepsLane: true)
      return
    }
    let heard = Lane(
      stream: stream, isSilent: false, gain: 0, now: now, counters: counters,
      environment: environment)
    heard.appendSilence(frames: heard.frames(seconds: EngineCore.joinSilenceSeconds))
    try heard.send()
    try stream.setCorked(false)
    join = Join(lane: heard, number: laneNumber, checkAt: now.advanced(bySeconds: EngineCore.joinCheckSeconds))
  }

  /// Once the joining stream sounds: which of its frames meets which media frame of the silent lane.
  private func aim(_ join: Join, from lane: Lane) throws(SinkError) {
    let heard = join.lane
    self.join?.checkAt = now.advanced(bySeconds: EngineCore.joinCheckSeconds)
    let timing = try heard.refresh(resettingClock: true)
    if timing.isSuspended, let place = heardCursor(), let feed = feeds[place.entry] {
      // The sound is waited for where it stands, as if it had been heard so far.
      return try replaceLane(feed)
    }
    guard timing.isRunning, timing.heardFrame > 0 else { return }
    var frame = max(timing.rewriteFrame, timing.readFrame) + heard.frames(seconds: EngineCore.joinAheadSeconds)
    let ahead = Double(frame - timing.heardFrame) / Double(heard.sampleRate)
    let due = timing.hostTime.advanced(bySeconds: ahead)
    var silentFrame = lane.heardFrame(at: due)
    let start = comingStart(lane, after: silentFrame)
    if let start {
      frame += heard.frames(seconds: Double(start - silentFrame) / Double(lane.sampleRate))
      silentFrame = start
    }
    guard let run = lane.timeline.run(at: silentFrame), let time = lane.timeline.time(at: silentFrame),
      run.kind == .media, let feed = feeds[run.entry], feed.description != nil
    else {
      heard.stream.close()
      self.join = nil
      return
    }
    let place = Cursor(entry: run.entry, pass: run.pass, time: time)
    if head?.entry != place.entry || head?.pass != place.pass || !feed.rejoin(at: time) {
      guard feed.isSeekable else {
        heard.stream.close()
        self.join = nil
        cannotJoin = true
        return
      }
      feed.seek(to: time)
    }
    self.join?.target = Join.Target(frame: frame, cursor: place, isStart: start != nil)
  }

  func progressJoin() throws(SinkError) {
    guard let join, let old = lane else { return }
    guard let target = join.target else {
      if join.checkAt <= now { try aim(join, from: old) }
      return
    }
    guard let feed = feeds[target.cursor.entry] else { return }
    let heard = join.lane
    let first = feed.step()
    if case .starved = first { return }
    report(old, through: old.heardFrame(at: heard.clock.hostTime(ofFrame: Double(target.frame)) ?? now))
    heard.truncate(to: target.frame)
    let speed = speed(of: target.cursor.entry)
    heard.renderer.restart(at: target.frame, speed: speed)
    let lead = MediaTime(frame: Int64(heard.sampleRate), rate: heard.sampleRate)
    let start = target.cursor.time
    let before = target.isStart ? .zero : start < lead ? start : lead
    if target.isStart { heard.hold(at: target.cursor) }
    let framesBefore = Int64((before.seconds / speed.rate * Double(heard.sampleRate)).rounded())
    heard.timeline.append(
      Timeline.Run(
        firstFrame: target.frame - framesBefore, kind: .media, entry: target.cursor.entry,
        pass: target.cursor.pass, time: start - before, rate: speed.rate))
    self.join = nil
    lane = heard
    laneNumber = join.number
    old.stream.close()
    reportedFrame = target.frame - 1
    head = Head(entry: target.cursor.entry, pass: target.cursor.pass, passStart: target.frame - 1)
    isAwaitingNext = false
    isStarved = false
    try decodeLead(first, of: feed, into: heard, from: target.frame)
    let timing = try heard.refresh()
    let audible = max(target.frame, timing.rewriteFrame)
    heard.beginGain(gain, at: audible, fadingIn: !target.isStart || audible > target.frame)
    try heard.rewrite(from: audible)
  }

  func cancel(_ join: Join) {
    join.lane.stream.close()
    self.join = nil
    guard join.target != nil else { return }
    // The feed was moved for the join: the silent lane's own place is taken up again.
    if let lane, lane.isSilent, let place = heardCursor() {
      lane.truncate(to: lane.heardFrame(at: now))
      self.place(place, seek: placement?.seek, fadesIn: false)
    }
  }

  // MARK: - What the output tells

  func handle(_ event: SinkEvent, ofLane number: Int) throws(SinkError) {
    guard number == laneNumber || number == join?.number else { return }
    switch event {
    case .needsData, .underflow:
      break  // The next turn fills.
    case .suspended:
      try outputChanged(ofLane: number)
    case .moved(let needsReopen, let place):
      if needsReopen {
        movedTo = place
        reopen()
      } else {
        try outputChanged(ofLane: number)
      }
    case .interrupted(let began):
      emit(.interrupted(began))
    case .lost:
      throw SinkError(.lost, "the sound server ended the stream")
    }
  }

  /// Its clock may have stopped, or go on; a joining stream's is not yet the one that counts.
  private func outputChanged(ofLane number: Int) throws(SinkError) {
    guard let lane, number == laneNumber else { return }
    try lane.refresh()
    if case .running = transport, rate != 0, placement == nil, !isStarved { emitAdvancing() }
  }

  /// The output failed in the middle of something.
  func outputFailed(_ error: SinkError) {
    switch error.kind {
    case .cancelled:
      break
    case .timedOut, .lost, .unavailable, .noSuchDevice, .invalid, .writeFailed:
      loseOutput(error, keepsLane: false)
    }
  }

  private func loseOutput(_ error: SinkError, keepsLane: Bool) {
    if let join { cancel(join) }
    if !keepsLane {
      stand(fadesIn: placement?.fadesIn ?? true)
      head = nil
    }
    let isExpectedBack = hasHadOutput && [.unavailable, .timedOut, .lost].contains(error.kind)
    emit(keepsLane || isExpectedBack ? .outputLost : .outputFailed(error))
    if rate != 0, !keepsLane { emitStalled(.output) }
    guard error.kind != .noSuchDevice, error.kind != .writeFailed, error.kind != .invalid else {
      output = .lost(watch: nil)
      return
    }
    lostOutputAt = now
    output = .lost(watch: environment.sink.whenAvailable { [mailbox] in mailbox.post(.outputAvailable) })
  }

  /// An output that answers and yet fails is not tried more often than this.
  private static let retrySeconds = 0.25

  func retryOutput() {
    if let retryOutputAt, retryOutputAt <= now { outputAvailable() }
  }

  func outputAvailable() {
    guard case .lost = output else { return }
    if let lostOutputAt, now.seconds(since: lostOutputAt) < EngineCore.retrySeconds {
      retryOutputAt = lostOutputAt.advanced(bySeconds: EngineCore.retrySeconds)
      return
    }
    retryOutputAt = nil
    output = .usable
    emit(.outputRestored)
    if lane == nil, rate != 0, placement == nil, let cursor {
      place(cursor, seek: nil, fadesIn: true)
    }
  }
}
