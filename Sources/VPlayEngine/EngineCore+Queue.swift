import VPlayModel

extension EngineCore {
  func setQueue(_ entries: [QueueEntry]) throws(SinkError) {
    departed.formIntersection(entries.map(\.id))
    let known = queue
    queue = entries.filter { !departed.contains($0.id) }
    let ids = Set(queue.map(\.id))
    for (id, feed) in feeds where !ids.contains(id) {
      feed.close()
      feeds[id] = nil
      failures[id] = nil
    }
    for entry in queue {
      feeds[entry.id]?.setEnd(entry.end)
      feeds[entry.id]?.reader.setBuffer(seconds: entry.bufferSeconds)
    }
    guard let first = queue.first else {
      try clear()
      return
    }
    guard known.first?.id == first.id, cursor != nil || lane != nil else {
      try switchTo(first)
      return
    }
    try abandonSpeedChange()
    try revise()
    if rate != 0 { try adoptSpeed() }
  }

  /// Nothing is left to play.
  private func clear() throws(SinkError) {
    if let join { cancel(join) }
    finishSeek(false)
    placement = nil
    head = nil
    cursor = nil
    retireLane()
  }

  /// Another entry is current now: the old one's sound ends, the new one begins.
  private func switchTo(_ first: QueueEntry) throws(SinkError) {
    if let join { cancel(join) }
    finishSeek(false)
    let start = Cursor(entry: first.id, pass: 0, time: first.start)
    cursor = start
    reportedFrame = .min
    if let lane {
      let wasPlaced = placement != nil
      place(start, seek: nil, fadesIn: false)
      try discard(lane, wasPlaced: wasPlaced, for: start)
    } else if rate != 0 {
      place(start, seek: nil, fadesIn: false)
    } else {
      placement = nil
      head = nil
    }
  }

  /// The current entry stays; what is decoded ahead must agree with the queue as it is now.
  private func revise() throws(SinkError) {
    guard let lane, placement == nil, let head else { return }
    let runs = lane.timeline.runs
    let heard = max(reportedFrame, lane.heardFrame(at: now))
    if let wrong = runs.indices.first(where: { runs[$0].firstFrame > heard && !isExpected($0, of: runs) }) {
      try cut(lane, at: runs[wrong].firstFrame)
    } else if head.isFinished, lane.endFrame > lane.timing.readFrame || transport.isCorked,
      let index = queue.firstIndex(where: { $0.id == head.entry }),
      index + 1 < queue.count || queue[index].passes.map({ head.pass + 1 < $0 }) ?? true
    {
      // Something was added behind what seemed to be the end, while that is not heard yet.
      guard !isResting(lane) else { return }
      lane.timeline.reopenEnd()
      self.head?.isFinished = false
      isAwaitingNext = !(queue[index].passes.map { head.pass + 1 < $0 } ?? true)
      if !isAwaitingNext { try continuePasses(lane, of: queue[index]) }
    }
  }

  /// True after everything was heard.
  private func isResting(_ lane: Lane) -> Bool {
    guard case .corked = transport, let run = lane.timeline.run(at: lane.heardFrame(at: now)) else { return false }
    return run.kind == .end
  }

  private func isExpected(_ place: Int, of runs: [Timeline.Run]) -> Bool {
    let run = runs[place]
    guard let index = queue.firstIndex(where: { $0.id == run.entry }) else { return false }
    if let passes = queue[index].passes, run.pass >= passes { return false }
    guard run.kind != .end, place > 0 else { return true }
    let before = runs[place - 1]
    if before.entry == run.entry { return true }
    // It follows on the entry before it in the queue.
    return index > 0 && queue[index - 1].id == before.entry
  }

  /// Drops what was decoded from `frame` on and goes on with what the queue says comes there.
  private func cut(_ lane: Lane, at frame: Int64) throws(SinkError) {
    guard let before = lane.timeline.run(at: frame - 1),
      let entry = queue.first(where: { $0.id == before.entry })
    else {
      if let first = queue.first { try switchTo(first) }
      return
    }
    var at = frame
    if case .running = transport {
      let timing = try lane.refresh()
      at = max(frame, timing.rewriteFrame)
    }
    if case .fading(var fade) = transport {
      let kept = Int(max(0, at - fade.from)) * lane.stream.format.channelCount
      if fade.content.count > kept { fade.content.removeLast(fade.content.count - kept) }
      fade.end = min(fade.end, max(at, fade.from))
      fade.timeline.truncate(from: at)
      transport = .fading(fade)
    } else {
      lane.truncate(to: min(at, lane.endFrame))
      lane.timeline.truncate(from: at)
      try lane.eraseTail()
    }
    lane.renderer.restart(at: at)
    head = Head(entry: entry.id, pass: before.pass, passStart: min(before.firstFrame, at - 1))
    if entry.passes.map({ before.pass + 1 < $0 }) ?? true {
      try continuePasses(lane, of: entry)
    } else {
      isAwaitingNext = true
    }
  }

  private func continuePasses(_ lane: Lane, of entry: QueueEntry) throws(SinkError) {
    guard let pass = head?.pass else { return }
    isAwaitingNext = false
    let boundary = lane.renderer.contentEnd
    feeds[entry.id]?.seek(to: entry.start)
    head = Head(entry: entry.id, pass: pass + 1, passStart: boundary)
    lane.timeline.append(
      Timeline.Run(
        firstFrame: boundary, kind: .media, entry: entry.id, pass: pass + 1, time: entry.start,
        rate: lane.renderer.speed.rate))
  }

  // MARK: - Opening

  func openFeed(_ entry: QueueEntry) {
    guard feeds[entry.id] == nil else { return }
    feeds[entry.id] = EntryFeed(entry: entry, clock: environment.clock) { [mailbox] in mailbox.post(.look) }
  }

  /// Opens the current entry, and the next once the current one plays; takes over what has been opened.
  func openFeeds() {
    if let first = queue.first { openFeed(first) }
    if case .running = transport, queue.count > 1 { openFeed(queue[1]) }
    for entry in queue {
      guard let feed = feeds[entry.id], feed.description == nil else { continue }
      do throws(MediaError) {
        guard let description = try feed.opened() else { continue }
        emit(.entryReady(entry.id, description))
        if let placement, placement.cursor.entry == entry.id {
          let time = clamped(placement.cursor.time, entry: entry, feed: feed)
          self.placement?.cursor.time = time
          if time > .zero, !feed.isSeekable {
            finishSeek(false)
            self.placement?.cursor.time = .zero
          }
          if let start = self.placement?.cursor {
            lane?.hold(at: start)
            begin(feed, at: start)
          }
        }
      } catch {
        pass(over: entry, error)
      }
    }
  }

  /// The feed is open: what was asked for meanwhile is carried out, or only noted while nothing plays.
  private func begin(_ feed: EntryFeed, at start: Cursor) {
    cursor = start
    if rate == 0, lane == nil {
      finishSeek(true)
      placement = nil
    } else {
      feed.begin(at: start.time)
    }
  }

  /// An entry that cannot be opened: told, and left out.
  private func pass(over entry: QueueEntry, _ error: MediaError) {
    feeds.removeValue(forKey: entry.id)?.close()
    let wasFirst = queue.first?.id == entry.id
    queue.removeAll { $0.id == entry.id }
    departed.insert(entry.id)
    if wasFirst {
      finishSeek(false)
      placement = nil
      cursor = nil
    }
    emit(.entryFailed(entry.id, error))
    guard wasFirst, let first = queue.first else { return }
    let start = Cursor(entry: first.id, pass: 0, time: first.start)
    cursor = start
    if rate != 0 { place(start, seek: nil, fadesIn: false) }
  }
}

extension EngineCore.Transport {
  var isRunning: Bool {
    if case .running = self { return true }
    return false
  }

  var isCorked: Bool {
    if case .corked = self { return true }
    return false
  }
}
