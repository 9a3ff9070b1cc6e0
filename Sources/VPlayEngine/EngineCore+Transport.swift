import VPlayModel

/// A pause on its way: the sound fades from `from` on, and its content waits to be heard from that very frame later.
struct PauseFade {
  var from: Int64
  /// From here on the stream carries silence.
  var silentFrom: Int64
  /// PCM from `from` on, before gain.
  var content: [Float]
  /// The content's end before the pause.
  var end: Int64
  var timeline: Timeline
  /// Nothing of the content has been heard yet: it begins at `from` as if it were new, by a fade-in or at full level.
  var beginning: Beginning?
  /// Nothing is kept: a placement puts new content in its place.
  var isDiscarded = false

  enum Beginning {
    case fadingIn, atLevel
  }
}

extension EngineCore {
  // MARK: - Rate

  func setRate(_ newRate: Double) throws(SinkError) {
    let old = rate
    rate = newRate
    if newRate != 0 {
      playRate = newRate
      if old == 0, let host = armedStart {
        begin(at: host)
      } else if old == 0 {
        try resume()
      }
      armedStart = nil
      try adoptSpeed()
    }
    if newRate == 0, old != 0 {
      isStalled = false
      try pause()
    }
  }

  private func resume() throws(SinkError) {
    guard let lane else {
      if placement == nil, let cursor { place(cursor, seek: nil, fadesIn: false) }
      return
    }
    switch transport {
    case .fading(let fade) where !fade.isDiscarded:
      let timing = try lane.refresh()
      if timing.rewriteFrame <= fade.from {
        restore(fade, in: lane, at: fade.from, fadingIn: false)
      } else {
        restore(fade, in: lane, at: max(timing.rewriteFrame, fade.silentFrom), fadingIn: true)
      }
      try lane.send()
      transport = .running
      emitAdvancing()
    case .fading:
      transport = .running
    case .corked:
      if placement == nil { startsOnceFilled = true }
    case .idle, .running:
      break
    }
  }

  func uncork(_ lane: Lane) throws(SinkError) {
    startsOnceFilled = false
    try lane.stream.setCorked(false)
    transport = .running
    try lane.refresh(resettingClock: true)
    expectStart(lane)
    emitAdvancing()
  }

  /// The lane begins to sound: its clock is looked at until it is known to.
  func expectStart(_ lane: Lane) {
    let now = now
    startedAt = now
    clockChecks =
      lane.isSilent || !environment.sink.isRealTime
      ? [] : [EngineCore.startingSeconds, 0.12, 0.4].map { now.advanced(bySeconds: $0) }
  }

  /// Time goes on, unless the output's stands still.
  func emitAdvancing() {
    guard lane?.timing.isSuspended != true else { return emitStalled(.output) }
    isStalled = false
    emit(.advancing)
  }

  func emitStalled(_ reason: StallReason) {
    guard !isStalled else { return }
    isStalled = true
    if reason == .data { counters.countStall() }
    emit(.stalled(reason))
  }

  private func pause() throws(SinkError) {
    if let join { cancel(join) }
    guard let lane else {
      finishSeek(true)
      placement = nil
      return
    }
    startsOnceFilled = false
    guard case .running = transport else { return }
    if placement != nil || isStarved {
      try cork(lane)
    } else {
      try beginFade(lane)
    }
  }

  func cork(_ lane: Lane) throws(SinkError) {
    try lane.stream.setCorked(true)
    let timing = try lane.refresh(resettingClock: true)
    transport = .corked
    clockChecks = []
    if timing.readFrame > lane.endFrame {
      // The stream ran on in silence: what comes next is written where it stands.
      lane.timeline.hold(from: lane.endFrame)
      let frames = timing.readFrame - lane.endFrame
      lane.appendSilence(frames: frames)
      lane.renderer.shift(byFrames: frames)
    }
    isStarved = false
    if placement == nil { lane.timeline.resume(at: lane.endFrame) }
  }

  // MARK: - Fades

  private func beginFade(_ lane: Lane) throws(SinkError) {
    let timing = try lane.refresh()
    var from = min(timing.rewriteFrame, lane.endFrame)
    var silentFrom = lane.isSilent ? from : min(from + lane.rampFrames, lane.endFrame)
    var beginning: PauseFade.Beginning?
    if let start = lane.unheardStart(after: from) {
      // What is heard now is the end of another fade; it is left alone.
      beginning = lane.gain.gain(at: start) == 0 ? .fadingIn : .atLevel
      from = start
      silentFrom = start
    }
    transport = .fading(
      PauseFade(
        from: from, silentFrom: silentFrom, content: lane.content(from: from), end: lane.endFrame,
        timeline: lane.timeline, beginning: beginning))
    lane.timeline.hold(from: from)
    lane.truncate(to: silentFrom)
    if beginning == nil { lane.ramp(to: 0, at: from) }
    try lane.rewrite(from: from)
    try lane.eraseTail()
    lastRewrite = now
    try progressFade()
  }

  func progressFade() throws(SinkError) {
    guard case .fading(let fade) = transport, let lane else { return }
    if environment.sink.isRealTime, let due = lane.clock.hostTime(ofFrame: Double(fade.silentFrom)), due > now {
      return
    }
    let timing = try lane.refresh()
    guard timing.heardFrame >= fade.silentFrom || !timing.isRunning || !environment.sink.isRealTime else { return }
    try lane.stream.setCorked(true)
    let corked = try lane.refresh(resettingClock: true)
    transport = .corked
    clockChecks = []
    guard !fade.isDiscarded else {
      lane.truncate(to: corked.readFrame)
      lane.renderer.restart(at: corked.readFrame)
      return
    }
    restore(fade, in: lane, at: max(corked.readFrame, fade.silentFrom), fadingIn: true)
    resumesWithFade = fade.beginning != .atLevel
    try lane.send()
  }

  /// Puts a pause's content back, to be heard from `frame` on.
  private func restore(_ fade: PauseFade, in lane: Lane, at frame: Int64, fadingIn: Bool) {
    lane.truncate(to: frame)
    if lane.isSilent {
      lane.count(to: fade.end + frame - fade.from)
    } else {
      fade.content.withUnsafeBufferPointer { lane.append($0) }
    }
    lane.timeline = fade.timeline
    lane.timeline.delay(from: fade.from, byFrames: frame - fade.from)
    lane.renderer.shift(byFrames: frame - fade.from)
    if let beginning = fade.beginning {
      lane.beginGain(gain, at: frame, fadingIn: beginning == .fadingIn)
    } else if fadingIn {
      lane.beginGain(gain, at: frame, fadingIn: true)
    } else {
      lane.ramp(to: gain, at: frame)
    }
  }

  // MARK: - Gain

  func setGain(_ newGain: Float) {
    guard newGain != gain else { return }
    gain = newGain
    cannotJoin = false
    mutedSince = newGain == 0 ? now : nil
    gainChangeDue = true
  }

  /// Carries out a change of gain, unless the last rewrite was only just now.
  func applyGain() throws(SinkError) {
    guard gainChangeDue else { return }
    guard let lane, !lane.isSilent else {
      gainChangeDue = false
      return
    }
    if let lastRewrite, now.seconds(since: lastRewrite) < EngineCore.rewriteInterval { return }
    gainChangeDue = false
    switch transport {
    case .running where placement == nil:
      let timing = try lane.refresh()
      var start = max(timing.rewriteFrame, 0)
      if let unheard = lane.unheardStart(after: start) {
        // What is heard now is the end of a fade; the new gain is for what comes after.
        start = unheard
        lane.beginGain(gain, at: start, fadingIn: lane.gain.gain(at: start) == 0)
      } else {
        lane.ramp(to: gain, at: start)
      }
      if start < lane.endFrame {
        try lane.rewrite(from: start)
        lastRewrite = now
      }
    case .corked where placement == nil:
      let start = lane.timing.readFrame
      lane.beginGain(gain, at: start, fadingIn: resumesWithFade)
      try lane.rewrite(from: start)
      lastRewrite = now
    case .idle, .corked, .running, .fading:
      break  // What is placed or restored next takes the new gain.
    }
  }

  // MARK: - Clock

  private static let startingSeconds = 0.03
  /// An output that does not run so long after its start is not looked at any more before it asks.
  private static let longestStartSeconds = 2.0

  /// Corrects the clock in the moments after a start.
  func checkClock() throws(SinkError) {
    guard let due = clockChecks.first, due <= now, let lane, case .running = transport else { return }
    let time = now
    clockChecks.removeAll { $0 <= time }
    if try !lane.refresh().isRunning, let startedAt,
      time.seconds(since: startedAt) < EngineCore.longestStartSeconds
    {
      // The output is still at what it had before.
      let next = time.advanced(bySeconds: EngineCore.startingSeconds)
      if clockChecks.first.map({ $0 > next }) ?? true { clockChecks.insert(next, at: 0) }
    }
    if isStalled, !isStarved, placement == nil, lane.clock.isRunning { emitAdvancing() }
  }
}
