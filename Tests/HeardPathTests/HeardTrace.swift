import TestSupport

/// Compares what was heard of a noise with what was asked, and tells each frame too many, too few, or out of order.
struct HeardTrace {
  /// A pause fades out, and what comes next fades in from the fade's first frame: so much is heard twice.
  static let rampFrames: Int64 = 240
  /// The capture's count may lag so much behind what the server had played at an act.
  private static let lagFrames = 12_000

  private(set) var runs: [TracedRun]
  private(set) var faults: [String] = []
  /// The seeks, by their number from 0, whose target was heard as the first frame.
  private(set) var seeksHeard: Set<Int> = []
  private let acts: [HeardPlayer.Act]
  private let seeks: [(frame: Int64, captureFrame: Int)]
  private var nextSeek = 0

  /// `start` is the capture's frame with which the runs begin; `firstFrame` is the medium's frame heard first unless a
  /// seek comes before it.
  init(
    _ runs: [TracedRun], of samples: [Int16], _ noise: NoiseMedia, _ acts: [HeardPlayer.Act], from start: Int,
    firstFrame: Int64 = 0
  ) {
    self.acts = acts.map { HeardPlayer.Act(kind: $0.kind, captureFrame: max(0, $0.captureFrame - start)) }
    seeks = self.acts.compactMap { act in
      guard case .seek(let frame) = act.kind else { return nil }
      return (frame, act.captureFrame)
    }
    self.runs = []
    var before: TracedRun?
    for run in runs {
      var run = run
      if run.origin == .unknown {
        let expected = before?.media?.upperBound ?? firstFrame
        let near = expected - Self.rampFrames - 1...expected
        let targets = seeks.filter { $0.captureFrame <= run.captureFrame }.map(\.frame).suffix(8)
        run.origin = BriefSound.origin(of: run, in: samples, noise, Array(near) + targets)
      }
      self.runs.append(run)
      if run.origin == .unknown { faults.append("unknown: \(run)") }
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
    for index in stride(from: seeks.count - 1, through: nextSeek, by: -1)
    where seeks[index].captureFrame <= new.captureFrame {
      if frame >= seeks[index].frame, frame <= seeks[index].frame + slack {
        nextSeek = index + 1
        seeksHeard.insert(index)
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

/// Sound that lasts no longer than its own ramps, so that no three frames of it have a known level.
private enum BriefSound {
  private static let mostFrames = 2400

  static func origin(
    of run: TracedRun, in samples: [Int16], _ noise: NoiseMedia, _ candidates: [Int64]
  ) -> TracedRun.Origin {
    guard run.frameCount <= mostFrames else { return .unknown }
    let first = candidates.first { frame in
      (0..<run.frameCount).allSatisfy { offset in
        let left = Int(samples[(run.captureFrame + offset) * 2])
        let right = Int(samples[(run.captureFrame + offset) * 2 + 1])
        let (media, wholes) = (frame + Int64(offset), (left, right))
        let low = Int(noise.sample(ofFrame: media, channel: 0))
        let high = Int(noise.sample(ofFrame: media, channel: 1))
        // Both channels at one gain, each rounded by half a step at most.
        return abs(wholes.0 * high - wholes.1 * low) <= (abs(low) + abs(high)) * 6 / 10 + 1
          && wholes.0 * low >= -abs(low) && abs(wholes.0) <= abs(low) + 1 && abs(wholes.1) <= abs(high) + 1
      }
    }
    return first.map { .media($0) } ?? .unknown
  }
}
