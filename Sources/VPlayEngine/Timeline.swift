package import VPlayModel

/// What each frame of a stream carries: which media time of which entry, or a hold.
///
/// A value. Runs are in order of `firstFrame`; each lasts until the next one's first frame, which may be its own: an
/// entry without a frame has its place and its end all the same. A frame before the first run reads as that run's
/// beginning. One stream has one timeline; its frames count from the stream's opening.
package struct Timeline: Sendable, Equatable {
  package enum Kind: Sendable, Hashable {
    /// Media time advances with the frames.
    case media
    /// Media time stands still: a pause, a seek's wait, a hole.
    case hold
    /// The entry's last pass is over; media time rests at its end.
    case end
  }

  package struct Run: Sendable, Equatable {
    package var firstFrame: Int64
    package var kind: Kind
    package var entry: EntryID
    /// Passes of the entry already over.
    package var pass: Int
    /// Media time at `firstFrame`.
    package var time: MediaTime
    /// Media seconds a second of stream, meaningful for `.media`.
    package var rate: Double
    /// True where the sound before was cut off (by a seek, another queue): no pass ended there.
    package var isCut: Bool

    package init(
      firstFrame: Int64, kind: Kind, entry: EntryID, pass: Int, time: MediaTime, rate: Double = 1,
      isCut: Bool = false
    ) {
      self.firstFrame = firstFrame
      self.kind = kind
      self.entry = entry
      self.pass = pass
      self.time = time
      self.rate = rate
      self.isCut = isCut
    }
  }

  /// One event of listening: the pass that ended where `frame` begins.
  package struct Crossing: Sendable, Equatable {
    package var frame: Int64
    package var entry: EntryID
    package var pass: Int
    /// True when it was the entry's last pass.
    package var endsEntry: Bool

    package init(frame: Int64, entry: EntryID, pass: Int, endsEntry: Bool) {
      self.frame = frame
      self.entry = entry
      self.pass = pass
      self.endsEntry = endsEntry
    }
  }

  /// Frames a second of the stream.
  package let sampleRate: Int
  package private(set) var runs: [Run] = []

  package init(sampleRate: Int) {
    self.sampleRate = sampleRate
  }

  /// Adds a run. One that starts at or before the last ones replaces them; one that only continues the last is
  /// merged into it.
  package mutating func append(_ run: Run) {
    truncate(from: run.firstFrame)
    follow(with: run)
  }

  /// Adds a run behind the last one, even where that has no frame of its own. The run must not begin before it.
  package mutating func follow(with run: Run) {
    if let last = runs.last, last.kind == run.kind, last.entry == run.entry, last.pass == run.pass,
      last.kind != .media || last.rate == run.rate, time(in: last, at: run.firstFrame) == run.time
    {
      return
    }
    runs.append(run)
  }

  /// Forgets every run that starts at `frame` or later: what lay there was rewritten.
  package mutating func truncate(from frame: Int64) {
    while let last = runs.last, last.firstFrame >= frame { runs.removeLast() }
  }

  /// Media time stands still from `frame` on; what lay behind is forgotten.
  package mutating func hold(from frame: Int64) {
    guard var run = cut(at: frame) else { return }
    if run.kind == .media { run.kind = .hold }
    follow(with: run)
  }

  /// Media time goes on at `frame` where it was held; what lay behind is forgotten.
  package mutating func resume(at frame: Int64) {
    guard run(at: frame)?.kind == .hold, var run = cut(at: frame) else { return }
    run.kind = .media
    follow(with: run)
  }

  /// Forgets what begins after `frame`; what is left of the run there, to be put back.
  private mutating func cut(at frame: Int64) -> Run? {
    guard let index = index(at: frame) else { return nil }
    var run = runs[index]
    run.time = time(in: run, at: frame)
    runs.removeLast(runs.count - index - (run.firstFrame < frame ? 1 : 0))
    run.firstFrame = frame
    return run
  }

  /// Takes back that the last entry's last pass ends here: something follows it after all.
  package mutating func reopenEnd() {
    if runs.last?.kind == .end { runs.removeLast() }
  }

  /// Forgets runs that ended before `frame`.
  package mutating func forget(before frame: Int64) {
    var count = 0
    while count + 1 < runs.count, runs[count + 1].firstFrame <= frame { count += 1 }
    runs.removeFirst(count)
  }

  /// Moves every run from `frame` on by `frames` (not negative), and holds in between.
  ///
  /// Media time at the hold is that of `frame`. Used when sound goes on later than it was written.
  package mutating func delay(from frame: Int64, byFrames frames: Int64) {
    guard frames > 0, let index = index(at: frame) else { return }
    var first = runs[index]
    if frame < first.firstFrame {
      // Before the first run media time stands still anyway.
      for index in runs.indices { runs[index].firstFrame += frames }
      return
    }
    if first.firstFrame < frame { first.isCut = false }
    var tail = Array(runs[(index + 1)...])
    let isSplit = first.firstFrame < frame
    first.time = time(in: first, at: frame)
    runs.removeLast(runs.count - index - (isSplit ? 1 : 0))
    var hold = first
    hold.firstFrame = frame
    if hold.kind == .media { hold.kind = .hold }
    follow(with: hold)
    first.firstFrame = frame + frames
    follow(with: first)
    for index in tail.indices { tail[index].firstFrame += frames }
    for run in tail { follow(with: run) }
  }

  /// Media time goes on at `rate` from `frame` on; nothing begins after that frame.
  package mutating func changeRate(to rate: Double, from frame: Int64) {
    guard var run = cut(at: frame) else { return }
    run.rate = rate
    if runs.last?.firstFrame == frame { runs.removeLast() }
    runs.append(run)
  }

  /// What lies behind `frame` takes `factor` times as many frames, media going by at `rate`.
  package mutating func scale(from frame: Int64, by factor: Double, rate: Double) {
    guard let index = index(at: frame) else { return }
    let tail = runs[(index + 1)...]
    changeRate(to: rate, from: max(frame, runs[index].firstFrame))
    for var run in tail {
      run.firstFrame = frame + Int64((Double(run.firstFrame - frame) * factor).rounded())
      run.rate = rate
      follow(with: run)
    }
  }

  /// Renames every frame: what was frame n becomes n + `frames`.
  package mutating func shift(byFrames frames: Int64) {
    for index in runs.indices { runs[index].firstFrame += frames }
  }

  /// The run that covers `frame`; for an earlier frame the first; nil when there is none.
  package func run(at frame: Int64) -> Run? {
    guard let index = index(at: frame) else { return nil }
    return runs[index]
  }

  /// The first frame of the media run that follows the hold which covers `frame`.
  package func mediaStart(afterHoldAt frame: Int64) -> Int64? {
    guard let index = index(at: frame), runs[index].kind == .hold else { return nil }
    return runs[index...].first { $0.kind == .media }?.firstFrame
  }

  /// The media time that `frame` carries.
  package func time(at frame: Int64) -> MediaTime? {
    run(at: frame).map { time(in: $0, at: frame) }
  }

  /// The passes whose ends lie after `from`, up to and including `through`, in order.
  package func crossings(after from: Int64, through frame: Int64) -> [Crossing] {
    var result: [Crossing] = []
    for index in runs.indices.dropFirst() where runs[index].firstFrame > from {
      guard runs[index].firstFrame <= frame else { break }
      if let crossing = crossing(into: index) { result.append(crossing) }
    }
    return result
  }

  /// The first frame after `frame` at which a pass ends.
  package func nextCrossing(after frame: Int64) -> Int64? {
    for index in runs.indices.dropFirst() where runs[index].firstFrame > frame {
      if crossing(into: index) != nil { return runs[index].firstFrame }
    }
    return nil
  }

  /// The frame, at or after `from`, that carries media time `time` of a pass of `entry`, if it is in here.
  ///
  /// Of several (loops) the first.
  package func frame(of time: MediaTime, entry: EntryID, from: Int64) -> Int64? {
    for index in runs.indices where runs[index].entry == entry && runs[index].kind == .media {
      let run = runs[index]
      let end = index + 1 < runs.count ? runs[index + 1].firstFrame : Int64.max
      if end <= from { continue }
      let frame = firstFrame(of: time, in: run)
      if frame >= max(from, run.firstFrame), frame < end { return frame }
    }
    return nil
  }

  /// The first frame of a media run that is not before `time`, were the run endless both ways; clamped to 64 bits.
  private func firstFrame(of time: MediaTime, in run: Run) -> Int64 {
    let ahead = time - run.time
    let frames: Int64
    if run.rate == 1 {
      frames = ahead.unitsRoundedUp(per: sampleRate)
    } else {
      // A thousandth of a frame covers the rounding of the division.
      let exact = ahead.seconds / run.rate * Double(sampleRate) - 0.001
      frames = Int64(exactly: exact.rounded(.up)) ?? (exact < 0 ? .min : .max)
    }
    let (sum, overflow) = run.firstFrame.addingReportingOverflow(frames)
    return overflow ? (frames < 0 ? .min : .max) : sum
  }

  private func crossing(into index: Int) -> Crossing? {
    let (old, new) = (runs[index - 1], runs[index])
    if old.kind == .end || new.isCut { return nil }
    if new.entry == old.entry {
      if new.kind == .end {
        return Crossing(frame: new.firstFrame, entry: old.entry, pass: old.pass, endsEntry: true)
      }
      if new.pass > old.pass {
        return Crossing(frame: new.firstFrame, entry: old.entry, pass: old.pass, endsEntry: false)
      }
      return nil
    }
    return Crossing(frame: new.firstFrame, entry: old.entry, pass: old.pass, endsEntry: true)
  }

  private func index(at frame: Int64) -> Int? {
    guard !runs.isEmpty else { return nil }
    return runs.lastIndex { $0.firstFrame <= frame } ?? 0
  }

  private func time(in run: Run, at frame: Int64) -> MediaTime {
    let frames = frame - run.firstFrame
    guard run.kind == .media, frames > 0 else { return run.time }
    if run.rate == 1 { return run.time + MediaTime(frame: frames, rate: sampleRate) }
    return run.time + MediaTime(seconds: Double(frames) * run.rate / Double(sampleRate))
  }
}
