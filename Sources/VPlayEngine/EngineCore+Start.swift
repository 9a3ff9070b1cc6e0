import VPlayModel

/// Starts at an instant of the host's clock, so that several players begin together.
///
/// The clock alone runs first, with the media's beginning at the asked instant; the sound joins it as an unmuted player's
/// does, aimed at its first frame.
extension EngineCore {
  /// A stream is opened for what begins so soon.
  private static let openingSeconds = 1.0
  /// What should have begun already is placed so far ahead.
  private static let lateSeconds = 0.1

  /// Begins at `host` from where playback stands.
  func begin(at host: HostTime) {
    let place = placement?.cursor ?? heardCursor()
    let seek = placement?.seek
    placement = nil
    letFadeEnd()
    retireLane()
    cursor = place
    guard let place else { return }
    self.place(place, seek: seek, fadesIn: false)
    placement?.startsAt = environment.sink.isRealTime ? host : nil
  }

  /// A pause that is on its way is heard to its end.
  private func letFadeEnd() {
    guard case .fading(let fade) = transport, let lane, !lane.isSilent else { return }
    let end = lane.clock.hostTime(ofFrame: Double(fade.silentFrom)) ?? now.advanced(bySeconds: 0.05)
    retired.append(RetiredLane(stream: lane.stream, closesAt: end.advanced(bySeconds: 0.02)))
    laneNumber += 1
    self.lane = nil
  }

  /// The frame of the silent lane on which the start falls; nil when that is over, and the start was moved on.
  func startFrame(_ lane: Lane, at host: HostTime) throws(SinkError) -> Int64? {
    if case .corked = transport {
      try lane.stream.setCorked(false)
      transport = .running
      clockChecks = []
    }
    let timing = try lane.refresh(resettingClock: true)
    let ahead = host.seconds(since: timing.hostTime)
    if ahead >= 0 { return timing.heardFrame + lane.frames(seconds: ahead) }
    guard let placed = placement?.cursor, let feed = feeds[placed.entry], feed.isSeekable,
      let entry = queue.first(where: { $0.id == placed.entry })
    else { return timing.heardFrame }
    // By now the media would be further on.
    let late = MediaTime(seconds: (EngineCore.lateSeconds - ahead) * playRate)
    placement?.cursor.time = clamped(placed.time + late, entry: entry, feed: feed)
    placement?.startsAt = timing.hostTime.advanced(bySeconds: EngineCore.lateSeconds)
    feed.begin(at: placement?.cursor.time ?? placed.time)
    return nil
  }

  /// Where the silent lane's content begins, if it is still to begin, and soon.
  func comingStart(_ lane: Lane, after frame: Int64) -> Int64? {
    guard lane.isSilent, let start = lane.timeline.mediaStart(afterHoldAt: frame),
      start - frame <= lane.frames(seconds: EngineCore.openingSeconds)
    else { return nil }
    return start
  }
}
