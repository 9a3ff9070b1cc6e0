import VPlayModel

extension EngineCore {
  func seek(_ request: SeekRequest) throws(SinkError) {
    if let wanted = request.entry, wanted != queue.first?.id {
      emit(.seekFinished(request.id, false))
      return
    }
    if let join { cancel(join) }
    finishSeek(false)
    guard let entry = queue.first else {
      emit(.seekFinished(request.id, false))
      return
    }
    guard let feed = feeds[entry.id], feed.description != nil else {
      // Not open yet: it begins there.
      let start = Cursor(entry: entry.id, pass: 0, time: max(request.time, .zero))
      cursor = start
      place(start, seek: request.id, fadesIn: false)
      lane?.hold(at: start)
      return
    }
    guard feed.isSeekable else {
      emit(.seekFinished(request.id, false))
      return
    }
    let target = clamped(request.time, entry: entry, feed: feed)
    let pass = heardCursor()?.pass ?? 0
    let start = Cursor(entry: entry.id, pass: pass, time: target)
    reportedFrame = .min
    guard let lane else {
      cursor = start
      if rate == 0 {
        placement = nil
        head = nil
        emit(.seekFinished(request.id, true))
      } else {
        place(start, seek: request.id, fadesIn: false)
      }
      return
    }
    let wasPlaced = placement != nil
    place(start, seek: request.id, fadesIn: false)
    // If the output fails now, what was asked is carried out on the next one.
    try discard(lane, wasPlaced: wasPlaced, for: start)
  }

  /// Ends what the lane holds: it stands at `cursor`, whose content is still to be placed.
  func discard(_ lane: Lane, wasPlaced: Bool, for cursor: Cursor) throws(SinkError) {
    speedChange = nil
    switch transport {
    case .running:
      if !wasPlaced { try silence(lane) }
    case .corked:
      lane.truncate(to: lane.timing.readFrame)
      try lane.eraseTail()
    case .fading(var fade):
      fade.isDiscarded = true
      fade.content = []
      transport = .fading(fade)
    case .idle:
      break
    }
    lane.hold(at: cursor)
  }

  /// Ends the sound that is written, by a ramp; the stream goes on in silence.
  func silence(_ lane: Lane) throws(SinkError) {
    let timing = try lane.refresh()
    var from = min(timing.rewriteFrame, lane.endFrame)
    if let start = lane.unheardStart(after: from) {
      from = start
      lane.truncate(to: start)
    } else {
      lane.truncate(to: min(from + lane.rampFrames, lane.endFrame))
      lane.ramp(to: 0, at: from)
    }
    try lane.rewrite(from: from)
    try lane.eraseTail()
    lastRewrite = now
  }

  func clamped(_ time: MediaTime, entry: QueueEntry, feed: EntryFeed) -> MediaTime {
    var target = max(time, .zero)
    if let end = entry.end { target = min(target, end) }
    if let duration = feed.duration, feed.description?.isDurationExact == true || feed.decodedEnd != nil {
      target = min(target, duration)
    }
    return target
  }

  func finishSeek(_ isDone: Bool) {
    if let id = placement?.seek {
      placement?.seek = nil
      emit(.seekFinished(id, isDone))
    }
  }

  /// Asks for content from `cursor` on; it is put in place when its first data is there.
  func place(_ cursor: Cursor, seek: SeekID?, fadesIn: Bool) {
    placement = Placement(cursor: cursor, seek: seek, fadesIn: fadesIn)
    speedChange = nil
    head = nil
    isStarved = false
    isAwaitingNext = false
    if let feed = feeds[cursor.entry], feed.description != nil { feed.begin(at: cursor.time) }
  }

  /// Where playback is heard now.
  func heardCursor() -> Cursor? {
    guard let lane else { return cursor }
    let frame = min(lane.heardFrame(at: now), lane.endFrame)
    guard let run = lane.timeline.run(at: frame), let time = lane.timeline.time(at: frame) else { return cursor }
    return Cursor(entry: run.entry, pass: run.pass, time: time)
  }
}
