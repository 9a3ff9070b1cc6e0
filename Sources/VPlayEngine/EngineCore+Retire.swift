import VPlayModel

/// A lane that is not played any more, on its way out.
struct RetiredLane {
  var stream: any AudioSinkStream
  /// When its fade has been heard.
  var closesAt: HostTime
}

extension EngineCore {
  /// On outputs that take longer than this to obey, sound is cut off instead of faded.
  private static let longestFadeSeconds = 0.1

  /// Ends the lane for good, without a click; what plays next opens another.
  func retireLane() {
    guard let lane else { return }
    if let closesAt = fadeOut(lane) {
      retired.append(RetiredLane(stream: lane.stream, closesAt: closesAt))
      // What is still told of it concerns nobody.
      laneNumber += 1
      self.lane = nil
    }
    dropLane()
  }

  /// Writes the end of a lane's sound, by the clock alone: the output may not answer any more.
  ///
  /// Gives the instant when the end is heard; nil where nothing sounds, or nothing can be done.
  private func fadeOut(_ lane: Lane) -> HostTime? {
    guard case .running = transport, !lane.isSilent, environment.sink.isRealTime, case .usable = output,
      lane.timing.isRunning
    else { return nil }
    let ahead = lane.timing.rewriteFrame - lane.timing.heardFrame
    let start = min(lane.heardFrame(at: now) + ahead, lane.endFrame)
    guard Double(ahead) < EngineCore.longestFadeSeconds * Double(lane.sampleRate) else { return nil }
    let end = min(start + lane.rampFrames, lane.endFrame)
    guard end > start else { return nil }
    lane.truncate(to: end)
    lane.ramp(to: 0, at: start)
    do throws(SinkError) {
      try lane.rewrite(from: start)
      try lane.eraseTail()
    } catch {
      return nil
    }
    return lane.clock.hostTime(ofFrame: Double(end + ahead / 2))
  }

  func closeRetired() {
    retired.removeAll { lane in
      guard lane.closesAt <= now else { return false }
      lane.stream.close()
      return true
    }
  }

  /// Waits for the last fade to be heard.
  func finishRetired() {
    while let last = retired.map(\.closesAt).max() {
      if last > now { _ = mailbox.take(until: last) }
      closeRetired()
    }
  }
}
