import VPlayModel

extension EngineCore {
  /// What is put in place before a start: enough to bridge the next turns of the engine.
  private static let leadSeconds = 0.06
  /// With so much decoded of what comes over a network, playback may go on.
  private static let enoughSeconds = 1.0
  /// How long the engine may decode before it looks at the mailbox again.
  private static let turnSeconds = 0.010
  /// New content in a stream that runs is written this far ahead of the earliest frame that can be rewritten.
  private static let placementSeconds = 0.005

  /// Keeps the lane filled; true when there is more to do at once.
  func fill() throws(SinkError) -> Bool {
    // Until a joining stream sounds, the silent lane is the one that plays.
    guard let lane, join?.target == nil, join == nil || placement == nil else { return false }
    if placement != nil { return try carryOutPlacement(lane) }
    if speedChange != nil { guard try progressSpeedChange(lane) else { return false } }
    try startOnceFilled(lane)
    guard let head, !head.isFinished else { return false }
    switch transport {
    case .fading, .idle: return false
    case .corked, .running: break
    }
    if case .running = transport, now.seconds(since: lane.timing.hostTime) > EngineCore.turnSeconds {
      try lane.refresh()
    }
    let target = lane.timing.readFrame + Int64(lane.stream.bufferFrames)
    let start = now
    var isOpen = true
    recoveryFrame = nil
    while isOpen, lane.endFrame < target, now.seconds(since: start) < EngineCore.turnSeconds {
      isOpen = try advance(lane)
    }
    try settleRecovery(lane)
    try lane.send()
    try startOnceFilled(lane)
    let told = min(lane.heardFrame(at: now), max(reportedFrame, -1))
    lane.forget(before: told - Int64(lane.sampleRate))
    return isOpen && lane.endFrame < target
  }

  /// Decodes one step further into the lane; false when nothing more can be had now.
  private func advance(_ lane: Lane) throws(SinkError) -> Bool {
    guard let head, !head.isFinished, let feed = feeds[head.entry] else { return false }
    if isAwaitingNext { return try beginNextEntry(lane) }
    if isStarved, waitsForBuffer, lane.isRealTime, !feed.reader.hasEnough() { return false }
    switch lane.isSilent ? feed.stepUnheard() : feed.step() {
    case .starved:
      try starve(lane)
      return false
    case .audio(let frames):
      try endStarvation(lane)
      add(feed, frames: frames, isSilence: false, to: lane)
    case .silence(let frames):
      try endStarvation(lane)
      add(feed, frames: frames, isSilence: true, to: lane)
    case .end:
      try endStarvation(lane)
      return try endPass(lane)
    case .failed(let error):
      try endStarvation(lane)
      failures[head.entry] = error
      return try endEntry(lane)
    }
    return true
  }

  private func add(_ feed: EntryFeed, frames: Int, isSilence: Bool, to lane: Lane) {
    if lane.isSilent {
      lane.renderer.count(frames: frames, format: feed.format)
      lane.count(to: lane.renderer.contentEnd)
      return
    }
    let written = lane.endFrame
    do throws(MediaError) {
      if isSilence {
        try lane.renderer.renderSilence(frames: frames, format: feed.format, written: written) { lane.append($0) }
      } else {
        try feed.withChunk { (chunk) throws(MediaError) in
          try lane.renderer.render(chunk, frames: frames, format: feed.format, written: written) {
            lane.append($0)
          }
        }
      }
    } catch {
      failures[feed.id] = error
    }
  }

  // MARK: - Passes and entries

  private func endPass(_ lane: Lane) throws(SinkError) -> Bool {
    guard var head, let entry = queue.first(where: { $0.id == head.entry }), let feed = feeds[head.entry] else {
      return try endEntry(lane)
    }
    noteDecodedEnd(feed)
    let boundary = lane.renderer.contentEnd
    let isLast = entry.passes.map { head.pass + 1 >= $0 } ?? false
    // A pass without a frame would be repeated for ever in no time.
    guard !isLast, boundary > head.passStart || head.isPartial else { return try endEntry(lane) }
    guard feed.isSeekable else {
      failures[head.entry] = MediaError(.notSeekable, "it cannot be repeated: its data comes only once")
      return try endEntry(lane)
    }
    feed.seek(to: entry.start)
    head.pass += 1
    head.passStart = boundary
    head.isPartial = false
    self.head = head
    lane.timeline.follow(
      with: Timeline.Run(
        firstFrame: boundary, kind: .media, entry: entry.id, pass: head.pass, time: entry.start,
        rate: lane.renderer.speed.rate))
    return true
  }

  private func noteDecodedEnd(_ feed: EntryFeed) {
    if let end = feed.decodedEnd, feed.reportsDecodedEnd() { emit(.durationChanged(feed.id, end)) }
  }

  private func endEntry(_ lane: Lane) throws(SinkError) -> Bool {
    guard let head else { return false }
    if let feed = feeds[head.entry] { noteDecodedEnd(feed) }
    isAwaitingNext = true
    return try beginNextEntry(lane)
  }

  /// Goes on with the entry after the one that was decoded to its end, or finishes.
  private func beginNextEntry(_ lane: Lane) throws(SinkError) -> Bool {
    guard let head else { return false }
    let index = queue.firstIndex { $0.id == head.entry }
    let next = index.map { $0 + 1 < queue.count ? queue[$0 + 1] : nil } ?? queue.first
    guard let next else {
      finish(lane)
      return false
    }
    guard let feed = feeds[next.id], feed.description != nil else {
      openFeed(next)
      try starve(lane)
      return false
    }
    isAwaitingNext = false
    feed.begin(at: next.start)
    let speed = speed(of: next.id)
    setSpeed(speed, of: lane)
    let boundary = max(lane.renderer.contentEnd, lane.isSilent ? lane.endFrame : 0)
    self.head = Head(entry: next.id, pass: 0, passStart: boundary)
    lane.timeline.follow(
      with: Timeline.Run(
        firstFrame: boundary, kind: .media, entry: next.id, pass: 0, time: next.start, rate: speed.rate))
    return true
  }

  /// Nothing follows: what the converter holds back is written, and time rests at the end.
  private func finish(_ lane: Lane) {
    guard var head else { return }
    let end = lane.renderer.contentEnd
    if !lane.isSilent {
      let written = lane.endFrame
      do throws(MediaError) {
        try lane.renderer.finish(written: written) { lane.append($0) }
      } catch {
        failures[head.entry] = error
      }
      if lane.endFrame > end { lane.truncate(to: end) }
    }
    head.isFinished = true
    self.head = head
    isAwaitingNext = false
    guard let run = lane.timeline.run(at: end), let time = lane.timeline.time(at: end) else { return }
    lane.timeline.follow(
      with: Timeline.Run(firstFrame: end, kind: .end, entry: run.entry, pass: run.pass, time: time))
  }

  // MARK: - Starvation

  private func starve(_ lane: Lane) throws(SinkError) {
    guard !isStarved else { return }
    // Only when what is written runs out does the listener notice.
    guard case .running = transport else { return }
    guard lane.isRealTime else {
      // Such an output waits for its data, without a hole.
      isStarved = true
      return
    }
    let left = lane.endFrame - lane.timing.readFrame
    guard left < lane.frames(seconds: 0.05) else { return }
    isStarved = true
    lane.timeline.hold(from: lane.endFrame)
    emitStalled(.data)
  }

  private func endStarvation(_ lane: Lane) throws(SinkError) {
    guard case .running = transport else { return }
    guard isStarved || lane.endFrame < lane.timing.rewriteFrame else { return }
    guard lane.isRealTime else {
      isStarved = false
      return
    }
    let timing = try lane.refresh()
    let earliest = max(timing.rewriteFrame, timing.readFrame)
    if lane.endFrame < earliest {
      // The stream ran dry, or is about to: what is written at its end would not be heard as a whole.
      if !lane.isSilent { counters.countUnderrun() }
      lane.timeline.hold(from: lane.endFrame)
      let frames = earliest + lane.frames(seconds: 0.01) - lane.endFrame
      lane.appendSilence(frames: frames)
      lane.renderer.shift(byFrames: frames)
      // A dry stream may have stood still: what it tells from here on is a start.
      try lane.refresh(resettingClock: true)
      expectStart(lane)
    }
    lane.timeline.resume(at: lane.endFrame)
    recoveryFrame = recoveryFrame ?? lane.endFrame
    if isStarved {
      isStarved = false
      emitAdvancing()
    }
  }

  /// Decoding took time: what would come too late behind a hole is heard later, not lost.
  private func settleRecovery(_ lane: Lane) throws(SinkError) {
    guard let start = recoveryFrame else { return }
    recoveryFrame = nil
    let timing = try lane.refresh()
    let earliest = max(timing.rewriteFrame, timing.readFrame)
    guard start < earliest else { return }
    lane.delay(from: start, byFrames: earliest + lane.frames(seconds: EngineCore.placementSeconds) - start)
  }

  // MARK: - Placement

  private func carryOutPlacement(_ lane: Lane) throws(SinkError) -> Bool {
    guard let placement, let feed = feeds[placement.cursor.entry], feed.description != nil else { return false }
    switch transport {
    case .fading: return false
    case .idle, .corked, .running: break
    }
    let mustWait = rate != 0 && waitsForBuffer && lane.isRealTime && feed.description?.isRemote == true
    let first = mustWait && !feed.reader.hasEnough() ? .starved : lane.isSilent ? feed.stepUnheard() : feed.step()
    if case .starved = first {
      if transport.isRunning && rate != 0 || mustWait { emitStalled(.data) }
      return false
    }
    var start = lane.timing.readFrame
    if let host = placement.startsAt, lane.isSilent {
      guard let frame = try startFrame(lane, at: host) else { return true }
      start = frame
    } else if case .running = transport {
      try lane.refresh()
      start = lane.timing.rewriteFrame
      if environment.sink.isRealTime, !lane.isSilent { start += lane.frames(seconds: EngineCore.placementSeconds) }
    }
    let cursor = placement.cursor
    lane.truncate(to: start)
    if lane.isSilent { lane.count(to: start) }
    let speed = speed(of: cursor.entry)
    lane.renderer.restart(at: start, speed: speed)
    lane.timeline.append(
      Timeline.Run(
        firstFrame: start, kind: .media, entry: cursor.entry, pass: cursor.pass, time: cursor.time, rate: speed.rate))
    lane.beginGain(gain, at: start, fadingIn: placement.fadesIn)
    let begin = queue.first { $0.id == cursor.entry }?.start ?? .zero
    head = Head(entry: cursor.entry, pass: cursor.pass, passStart: start, isPartial: cursor.time > begin)
    let seekID = placement.seek
    self.placement = nil
    isStarved = false
    resumesWithFade = placement.fadesIn
    if reportedFrame == .min { reportedFrame = start - 1 }
    try decodeLead(first, of: feed, into: lane, from: start)
    if case .running = transport {
      // Decoding took time: what has become late is heard later, not lost.
      let timing = try lane.refresh()
      let earliest = timing.rewriteFrame
      if environment.sink.isRealTime, !lane.isSilent, earliest > start {
        lane.delay(from: start, byFrames: earliest - start)
        lane.beginGain(gain, at: earliest, fadingIn: placement.fadesIn)
      }
    }
    try lane.send()
    if let seekID { emit(.seekFinished(seekID, true)) }
    if rate != 0 {
      if case .running = transport {
        emitAdvancing()
      } else {
        startsOnceFilled = true
        try startOnceFilled(lane)
      }
    }
    return true
  }

  /// Lets a corked lane go once it holds enough to bridge the engine's next turns, or all there is.
  private func startOnceFilled(_ lane: Lane) throws(SinkError) {
    guard startsOnceFilled, case .corked = transport else { return }
    let lead = lane.timing.readFrame + lane.frames(seconds: EngineCore.leadSeconds)
    guard lane.endFrame >= lead || head?.isFinished == true else { return }
    let ahead = lane.endFrame - lane.timing.readFrame
    if waitsForBuffer, lane.isRealTime, let feed = head.flatMap({ feeds[$0.entry] }),
      feed.description?.isRemote == true, head?.isFinished != true,
      !feed.reader.hasEnough(beyond: Double(ahead) / Double(lane.sampleRate))
    {
      return emitStalled(.data)
    }
    try uncork(lane)
  }

  /// Decodes the first stretch after a (re)start, beginning with a step already taken.
  func decodeLead(_ first: EntryFeed.Step, of feed: EntryFeed, into lane: Lane, from start: Int64) throws(SinkError) {
    var isOpen = true
    switch first {
    case .audio(let frames): add(feed, frames: frames, isSilence: false, to: lane)
    case .silence(let frames): add(feed, frames: frames, isSilence: true, to: lane)
    case .end: isOpen = try endPass(lane)
    case .failed(let error):
      failures[feed.id] = error
      isOpen = try endEntry(lane)
    case .starved: break
    }
    let lead = start + lane.frames(seconds: EngineCore.leadSeconds)
    while isOpen, lane.endFrame < lead, let head, !head.isFinished { isOpen = try advance(lane) }
  }

  // MARK: - What was heard

  func reportCrossings() throws(SinkError) {
    guard let lane, case .running = transport else { return }
    if !lane.isRealTime { try lane.refresh() }
    var heard = lane.heardFrame(at: now)
    // What follows the last frame is not known before it was decoded: a boundary there is still to come.
    if !lane.isRealTime, head?.isFinished != true { heard = min(heard, lane.endFrame - 1) }
    if let head, head.isFinished, heard >= lane.endFrame {
      // The end is what the output says, not what the clock supposes.
      heard = min(heard, try lane.refresh().heardFrame)
    }
    report(lane, through: heard)
    if let head, head.isFinished, heard >= lane.endFrame, placement == nil { try rest(lane) }
  }

  func report(_ lane: Lane, through heard: Int64) {
    guard heard > reportedFrame else { return }
    let crossings = lane.timeline.crossings(after: reportedFrame, through: heard)
    reportedFrame = heard
    for crossing in crossings {
      guard crossing.endsEntry else {
        emit(.passEnded(crossing.entry, pass: crossing.pass))
        continue
      }
      if let index = queue.firstIndex(where: { $0.id == crossing.entry }), index + 1 < queue.count {
        for entry in queue[...index] { depart(entry.id) }
        queue.removeFirst(index + 1)
      }
      if let failure = failures.removeValue(forKey: crossing.entry) {
        emit(.entryFailed(crossing.entry, failure))
      } else {
        emit(.entryEnded(crossing.entry))
      }
    }
    if let time = lane.timeline.time(at: heard), let id = lane.timeline.run(at: heard)?.entry {
      feeds[id]?.forgetKept(before: time)
      if let news = feeds[id]?.takeTags(heard: time) { emit(.tagsChanged(id, news.tags, news.time)) }
    }
  }

  /// Tells what is there of the current entry, where that has changed.
  func reportBuffer() {
    guard let entry = queue.first, let feed = feeds[entry.id], feed.description != nil else { return }
    var status = feed.hasAudio ? feed.reader.status : BufferStatus(isEmpty: false, isLikelyToKeepUp: true, isFull: true)
    if let lane, placement == nil, head != nil {
      // What is decoded already is there too, and what plays was found likely to.
      let ahead = lane.endFrame - lane.heardFrame(at: now)
      if ahead > 0, !isStarved {
        status.isEmpty = false
        if ahead >= lane.frames(seconds: EngineCore.enoughSeconds) || transport.isRunning && waitsForBuffer {
          status.isLikelyToKeepUp = true
        }
      }
      if head?.entry != entry.id { status = BufferStatus(isEmpty: false, isLikelyToKeepUp: true, isFull: true) }
    }
    guard reportedBuffer?.entry != entry.id || reportedBuffer?.status != status else { return }
    reportedBuffer = (entry.id, status)
    emit(.bufferChanged(entry.id, status))
  }

  private func depart(_ id: EntryID) {
    departed.insert(id)
    feeds.removeValue(forKey: id)?.close()
  }

  /// Everything was heard: the stream stands still until something new is asked for.
  private func rest(_ lane: Lane) throws(SinkError) {
    try lane.stream.setCorked(true)
    try lane.refresh(resettingClock: true)
    transport = .corked
    clockChecks = []
    cursor = heardCursor()
  }
}
