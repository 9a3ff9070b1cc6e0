import VPlayModel

/// One open stream and all that is known of its frames: what each carries, its PCM, its gain, and when it is heard.
///
/// Lives on the engine's thread. A silent lane runs against a clock alone: its frames are counted, not made.
final class Lane {
  /// Every change of heard gain is a ramp this long.
  static let rampSeconds = 0.005
  /// The most frames handed to the stream in one write.
  private static let writeFrames = 32_768

  let stream: any AudioSinkStream
  let isSilent: Bool
  /// False where the output takes all at once, and what it took counts as heard.
  let isRealTime: Bool
  var timeline: Timeline
  private(set) var gain: GainSchedule
  private(set) var clock: HeardClock
  private(set) var timing: SinkTiming
  var renderer: Renderer
  private var history: PCMHistory
  /// End of what a silent lane counts.
  private var countedEnd: Int64 = 0
  /// The next frame to be handed to the stream; behind it lies what the stream already has.
  private var sentEnd: Int64 = 0
  /// One past the furthest frame ever written: up to there the stream holds something.
  private var highWater: Int64 = 0
  private var scratch: [Float] = []
  private let counters: EngineCounters

  init(
    stream: any AudioSinkStream, isSilent: Bool, isRealTime: Bool = true, gain: Float, now: HostTime,
    counters: EngineCounters, environment: EngineEnvironment
  ) {
    self.stream = stream
    self.isSilent = isSilent
    self.isRealTime = isRealTime
    self.counters = counters
    self.gain = GainSchedule(gain: gain)
    let rate = stream.format.sampleRate
    timeline = Timeline(sampleRate: rate)
    clock = HeardClock(sampleRate: rate, at: now)
    timing = SinkTiming(hostTime: now, readFrame: 0, heardFrame: 0, rewriteFrame: 0, isRunning: false)
    renderer = Renderer(
      output: stream.format, firstFrame: 0, makeConverter: environment.makeConverter,
      makeStretcher: environment.makeStretcher)
    // Room for a full buffer, and a second for what a pause pushes ahead and what the device holds.
    let capacity = isSilent ? 1 : stream.bufferFrames + rate
    history = PCMHistory(channels: stream.format.channelCount, capacityFrames: capacity)
  }

  var sampleRate: Int { stream.format.sampleRate }
  var rampFrames: Int64 { Int64((Double(sampleRate) * Lane.rampSeconds).rounded()) }

  /// One past the last frame that carries content.
  var endFrame: Int64 { isSilent ? countedEnd : history.endFrame }

  func frames(seconds: Double) -> Int64 { Int64((seconds * Double(sampleRate)).rounded()) }

  // MARK: - Time

  /// Asks the stream where it stands and corrects the clock by it.
  @discardableResult
  func refresh(resettingClock: Bool = false) throws(SinkError) -> SinkTiming {
    timing = try stream.timing()
    timing.rewriteFrame = max(0, timing.rewriteFrame)
    // Without time of its own, what an output took is heard.
    if resettingClock || !isRealTime {
      clock.reset(timing)
    } else {
      clock.update(timing)
      if !isSilent, let error = clock.settledError { counters.noteClockError(seconds: error) }
    }
    return timing
  }

  func heardFrame(at host: HostTime) -> Int64 {
    Int64(clock.frame(at: host).rounded(.down))
  }

  // MARK: - Content

  func append(_ samples: UnsafeBufferPointer<Float>) {
    history.append(samples)
  }

  func appendSilence(frames: Int64) {
    if isSilent { countedEnd += frames } else { history.appendSilence(frames: frames) }
  }

  /// Silent lanes: content now reaches `frame`.
  func count(to frame: Int64) {
    countedEnd = frame
  }

  /// Time stands at `cursor` until content is placed.
  func hold(at cursor: Cursor) {
    timeline = Timeline(sampleRate: sampleRate)
    timeline.append(
      Timeline.Run(firstFrame: .min / 2, kind: .hold, entry: cursor.entry, pass: cursor.pass, time: cursor.time))
  }

  /// Drops content from `frame` on, which is not sent again unless `rewrite` follows.
  func truncate(to frame: Int64) {
    if isSilent {
      countedEnd = min(countedEnd, frame)
    } else if frame > history.endFrame {
      history.appendSilence(frames: frame - history.endFrame)
    } else {
      history.truncate(to: max(frame, history.firstFrame))
    }
    sentEnd = min(sentEnd, endFrame)
  }

  /// Moves content and timeline from `frame` on by `frames`, a hold in between.
  func delay(from frame: Int64, byFrames frames: Int64) {
    guard frames > 0 else { return }
    timeline.delay(from: frame, byFrames: frames)
    if isSilent { countedEnd += frames } else { history.delay(from: frame, byFrames: frames) }
    renderer.shift(byFrames: frames)
    sentEnd = min(sentEnd, frame)
  }

  /// Copies out the content from `frame` on.
  func content(from frame: Int64) -> [Float] {
    guard !isSilent, frame < history.endFrame else { return [] }
    let first = max(frame, history.firstFrame)
    let count = Int(history.endFrame - first) * history.channels
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      history.copy(from: first, into: UnsafeMutableBufferPointer(rebasing: buffer[0..<count]))
      initialized = count
    }
  }

  /// Where content begins of which nothing is heard before `frame`, if that lies in the hold before it or at its start.
  func unheardStart(after frame: Int64) -> Int64? {
    timeline.mediaStart(afterHoldAt: frame - 1).flatMap { $0 < endFrame ? $0 : nil }
  }

  /// Goes over, from `frame` on, from what was heard there before to what is there now.
  func crossfade(from old: [Float], at frame: Int64) {
    history.crossfade(from: old, at: frame)
  }

  // MARK: - Gain

  /// Goes to `value` from `frame` on, by a ramp from the gain there.
  func ramp(to value: Float, at frame: Int64) {
    gain.change(to: value, at: frame, overFrames: rampFrames)
  }

  /// Sound begins anew at `frame`: at full level, or from silence by a ramp.
  func beginGain(_ value: Float, at frame: Int64, fadingIn: Bool) {
    gain.restart(from: fadingIn ? 0 : value, to: value, at: frame, overFrames: fadingIn ? rampFrames : 0)
  }

  // MARK: - Writing

  /// Hands to the stream what it does not have yet.
  func send() throws(SinkError) {
    if isSilent {
      sentEnd = countedEnd
      highWater = max(highWater, sentEnd)
      return
    }
    sentEnd = max(sentEnd, history.firstFrame)
    while sentEnd < history.endFrame {
      let frames = Int(min(history.endFrame - sentEnd, Int64(Lane.writeFrames)))
      let samples = frames * history.channels
      if scratch.count < samples { scratch = [Float](repeating: 0, count: samples) }
      var failure: SinkError?
      scratch.withUnsafeMutableBufferPointer { scratch in
        let buffer = UnsafeMutableBufferPointer(rebasing: scratch[0..<samples])
        history.copy(from: sentEnd, into: buffer)
        gain.apply(to: buffer, channels: history.channels, from: sentEnd)
        do throws(SinkError) {
          try stream.write(UnsafeBufferPointer(buffer), at: sentEnd)
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      sentEnd += Int64(frames)
    }
    highWater = max(highWater, sentEnd)
  }

  /// Hands to the stream anew everything from `frame` on.
  func rewrite(from frame: Int64) throws(SinkError) {
    if !isSilent { counters.countRewrite() }
    sentEnd = min(max(frame, isSilent ? 0 : history.firstFrame), endFrame)
    try send()
  }

  /// Fills with silence, from the content's end to the furthest frame ever written, so that nothing old is heard
  /// there; the content ends where it did, or at `frame` if that is later.
  func eraseTail() throws(SinkError) {
    guard !isSilent, highWater > history.endFrame else {
      try send()
      return
    }
    let end = history.endFrame
    history.appendSilence(frames: highWater - end)
    try send()
    history.truncate(to: end)
    sentEnd = end
  }

  /// Drops bookkeeping of what was heard long ago.
  func forget(before frame: Int64) {
    timeline.forget(before: frame)
    gain.forget(before: frame)
  }
}
