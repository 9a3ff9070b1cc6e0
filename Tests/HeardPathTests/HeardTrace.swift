import TestSupport

/// Compares what was heard of a noise with what was asked, and tells each frame too many, too few, or out of order.
struct HeardTrace {
  /// A pause fades out, and what comes next fades in from the fade's first frame: so much is heard twice.
  static let rampFrames: Int64 = 240
  /// The capture's count may lag so much behind what the server had played at an act.
  private static let lagFrames = 12_000

  let runs: [TracedRun]
  private(set) var faults: [String] = []
  private let acts: [HeardPlayer.Act]
  private var seeksHeard = 0

  /// `start` is the capture's frame with which the runs begin.
  init(_ runs: [TracedRun], _ acts: [HeardPlayer.Act], from start: Int, firstFrame: Int64 = 0) {
    self.runs = runs
    self.acts = acts.map { HeardPlayer.Act(kind: $0.kind, captureFrame: max(0, $0.captureFrame - start)) }
    for run in runs where run.origin == .unknown { faults.append("unknown: \(run)") }
    var before: TracedRun?
    for run in runs {
      guard let media = run.media else { continue }
      check(from: before, to: run, media.lowerBound, firstFrame)
      before = run
    }
    if before == nil { faults.append("nothing was heard") }
  }

  private mutating func check(from old: TracedRun?, to new: TracedRun, _ frame: Int64, _ firstFrame: Int64) {
    let silentFrom = old?.captureEnd ?? 0
    let silence = Int64(new.captureFrame - silentFrom)
    let isMuted = isHeld(by: .mute, until: .unmute, silentFrom, new.captureFrame)
    let isPaused = isHeld(by: .pause, until: .play, silentFrom, new.captureFrame)
    // Behind mute time goes on.
    let slack = isMuted ? silence : 0
    let seeks = acts.compactMap { act -> (frame: Int64, captureFrame: Int)? in
      guard case .seek(let frame) = act.kind else { return nil }
      return (frame, act.captureFrame)
    }
    for index in stride(from: seeks.count - 1, through: seeksHeard, by: -1)
    where seeks[index].captureFrame <= new.captureFrame {
      if frame >= seeks[index].frame, frame <= seeks[index].frame + slack {
        seeksHeard = index + 1
        return
      }
    }
    let expected = old?.media?.upperBound ?? firstFrame
    let lowest = expected - (isPaused ? Self.rampFrames + 1 : 0)
    if frame < lowest || frame > expected + slack {
      faults.append(
        "after \(old?.description ?? "nothing") came \(new); muted \(isMuted), paused \(isPaused), "
          + "acts \(acts.filter { abs($0.captureFrame - new.captureFrame) < 48_000 })")
    }
  }

  /// Whether an act that silences, and the one that ends it, can be the cause of a silence.
  private func isHeld(
    by first: HeardPlayer.Act.Kind, until last: HeardPlayer.Act.Kind, _ start: Int, _ end: Int
  ) -> Bool {
    var began: Int?
    for act in acts {
      if act.kind == first { began = began ?? act.captureFrame }
      if act.kind == last, let from = began {
        if from <= start, act.captureFrame <= end, act.captureFrame >= start - Self.lagFrames { return true }
        began = nil
      }
    }
    return false
  }
}
