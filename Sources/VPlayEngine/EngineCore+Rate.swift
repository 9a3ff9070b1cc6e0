import VPlayModel

/// A change of speed in mid-play, on its way: its data is read, while what was written before is heard.
struct SpeedChange {
  /// The stream frame from which the new speed is heard.
  var frame: Int64
  /// What that frame carries.
  var cursor: Cursor
  /// How far ahead `frame` was aimed.
  var leadSeconds: Double
}

extension EngineCore {
  /// How far ahead a change of speed is aimed: time enough to read and decode again.
  private static let speedLeadSeconds = 0.04
  /// A medium that is not read so soon is waited for, without sound.
  private static let longestSpeedLeadSeconds = 1.0

  /// The speed at which an entry is to be played.
  func speed(of id: EntryID) -> Speed {
    Speed(rate: playRate, algorithm: queue.first { $0.id == id }?.rateAlgorithm ?? .timeStretch)
  }

  /// Brings what is heard, or would be heard next, to the speed that is asked.
  func adoptSpeed() throws(SinkError) {
    guard let lane, let head, placement == nil, let place = heardCursor() else { return }
    let speed = speed(of: place.entry)
    guard speed != lane.renderer.speed || speedChange != nil else { return }
    if let join {
      cancel(join)
      guard placement == nil else { return }
    }
    if lane.isSilent { return changeCounted(lane, to: speed) }
    switch transport {
    case .running where !head.isFinished || lane.isRealTime:
      try beginSpeedChange(lane, leadSeconds: EngineCore.speedLeadSeconds)
    case .corked where feeds[place.entry]?.isSeekable == true:
      try placeAnew(lane, at: place)
    case .running, .corked:
      try changeSpeedAtEnd(lane, to: speed)
    case .fading, .idle:
      break  // What is resumed adopts it then.
    }
  }

  /// Frames that are only counted: those not heard yet are so many more, or fewer.
  private func changeCounted(_ lane: Lane, to speed: Speed) {
    let from = min(lane.heardFrame(at: now), lane.endFrame)
    let factor = lane.renderer.speed.rate / speed.rate
    lane.timeline.scale(from: from, by: factor, rate: speed.rate)
    let end = from + Int64((Double(lane.endFrame - from) * factor).rounded())
    lane.count(to: end)
    lane.renderer.restart(at: end, speed: speed)
    if let start = head?.passStart, start >= from { head?.passStart = min(start, end - 1) }
  }

  private func beginSpeedChange(_ lane: Lane, leadSeconds: Double) throws(SinkError) {
    let isAstray = speedChange != nil
    let timing = try lane.refresh()
    let frame = max(timing.rewriteFrame, timing.readFrame) + lane.frames(seconds: leadSeconds)
    guard frame + lane.rampFrames < lane.endFrame, let run = lane.timeline.run(at: frame), run.kind == .media,
      let time = lane.timeline.time(at: frame), let feed = feeds[run.entry], feed.description != nil
    else {
      // Too little is written for a change in it to be worth while.
      if isAstray, let place = heardCursor() { return try placeAnew(lane, at: place) }
      if let head { try changeSpeedAtEnd(lane, to: speed(of: head.entry)) }
      return
    }
    if head?.entry != run.entry || head?.pass != run.pass || !feed.rejoin(at: time) {
      guard feed.isSeekable else { return try changeSpeedAtEnd(lane, to: speed(of: run.entry)) }
      feed.seek(to: time)
    }
    speedChange = SpeedChange(
      frame: frame, cursor: Cursor(entry: run.entry, pass: run.pass, time: time), leadSeconds: leadSeconds)
  }

  /// Goes over to the new speed once its first data is there; false while it is not.
  func progressSpeedChange(_ lane: Lane) throws(SinkError) -> Bool {
    guard let change = speedChange, case .running = transport, let feed = feeds[change.cursor.entry] else {
      return false
    }
    let first = feed.step()
    if case .starved = first {
      try lane.refresh()
      guard lane.timing.rewriteFrame > change.frame else { return false }
      let lead = change.leadSeconds * 3
      if lead <= EngineCore.longestSpeedLeadSeconds {
        try beginSpeedChange(lane, leadSeconds: lead)
      } else if let place = heardCursor() {
        try placeAnew(lane, at: place)
      }
      return false
    }
    speedChange = nil
    let speed = speed(of: change.cursor.entry)
    let ramp = Int(lane.rampFrames) * lane.stream.format.channelCount
    let old = Array(lane.content(from: change.frame).prefix(ramp))
    lane.truncate(to: change.frame)
    lane.renderer.restart(at: change.frame, speed: speed)
    lane.timeline.append(
      Timeline.Run(
        firstFrame: change.frame, kind: .media, entry: change.cursor.entry, pass: change.cursor.pass,
        time: change.cursor.time, rate: speed.rate))
    head = Head(entry: change.cursor.entry, pass: change.cursor.pass, passStart: change.frame - 1)
    isAwaitingNext = false
    isStarved = false
    try decodeLead(first, of: feed, into: lane, from: change.frame)
    lane.crossfade(from: old, at: change.frame)
    let audible = max(change.frame, try lane.refresh().rewriteFrame)
    if audible > change.frame { lane.beginGain(gain, at: audible, fadingIn: true) }
    try lane.rewrite(from: min(audible, lane.endFrame))
    try lane.eraseTail()
    lastRewrite = now
    return true
  }

  /// What is decoded next comes at the new speed.
  private func changeSpeedAtEnd(_ lane: Lane, to speed: Speed) throws(SinkError) {
    speedChange = nil
    guard let head, !head.isFinished else { return }
    setSpeed(speed, of: lane)
    lane.timeline.changeRate(to: speed.rate, from: lane.renderer.contentEnd)
  }

  /// Hands out what the renderer holds back of another speed.
  func setSpeed(_ speed: Speed, of lane: Lane) {
    guard speed != lane.renderer.speed else { return }
    guard !lane.isSilent else { return lane.renderer.restart(at: lane.renderer.contentEnd, speed: speed) }
    let written = lane.endFrame
    do throws(MediaError) {
      try lane.renderer.setSpeed(speed, written: written) { lane.append($0) }
    } catch {
      if let head { failures[head.entry] = error }
    }
    if lane.endFrame > lane.renderer.contentEnd { lane.truncate(to: lane.renderer.contentEnd) }
  }

  /// Ends what is written and begins again from where it is heard.
  private func placeAnew(_ lane: Lane, at cursor: Cursor) throws(SinkError) {
    place(cursor, seek: nil, fadesIn: true)
    try discard(lane, wasPlaced: false, for: cursor)
  }

  /// The queue is to be looked at as it is: a change on its way is ended where it is.
  func abandonSpeedChange() throws(SinkError) {
    guard speedChange != nil, let lane, let place = heardCursor() else { return }
    try placeAnew(lane, at: place)
  }
}
