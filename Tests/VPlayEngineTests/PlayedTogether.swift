import TestSupport
import VPlayEngine
import VPlayModel
import VPlayTesting

/// The values of the engine put together by its rules, on a simulated server; and beside them the same in plain arrays.
final class PlayedTogether {
  static let rate = 8000
  static let rampFrames: Int64 = 40
  static let entry = EntryID(rawValue: 1)

  // What is tested.
  private var timeline = Timeline(sampleRate: rate)
  private var history = PCMHistory(channels: 2, capacityFrames: 5 * rate)
  private var gain = GainSchedule(gain: 1)
  private let stream: any AudioSinkStream
  let sink: SimulatedSink
  let clock = ManualClock()

  // The model: of each stream frame the medium's frame (nil is silence), its gain, and whether media time advances.
  private(set) var media: [Int64?] = []
  private(set) var gains: [Float] = []
  private(set) var isHeld: [Bool] = []

  private let noise = NoiseMedia()
  private let passFrames: Int64
  private var nextMedia: Int64 = 0
  private var pass = 0
  private var level: Float = 1
  /// One past the furthest frame that the stream was ever given.
  private var highWater: Int64 = 0
  private var fadeStart: Int64?
  private(set) var isCorked = true

  init(passFrames: Int64, configuration: SimulatedSink.Configuration) throws {
    self.passFrames = passFrames
    sink = SimulatedSink(clock: clock, configuration: configuration)
    stream = try sink.openStream(
      StreamRequest(format: .stereo(PlayedTogether.rate)), cancellation: SinkCancellation()
    ) { _ in }
    timeline.append(
      Timeline.Run(firstFrame: 0, kind: .media, entry: PlayedTogether.entry, pass: 0, time: .zero))
    try fill()
    try stream.setCorked(false)
    isCorked = false
  }

  private func time(_ media: Int64) -> MediaTime { MediaTime(frame: media, rate: PlayedTogether.rate) }

  // MARK: What a player does

  /// Writes up to a buffer's worth, loop passes joined; after a hole first a hold.
  func fill() throws {
    let timing = try stream.timing()
    if !isCorked, history.endFrame < timing.rewriteFrame {
      hold(from: history.endFrame)
      appendSilence(timing.rewriteFrame - history.endFrame)
      run(at: history.endFrame, media: nextMedia)
    }
    let start = history.endFrame
    while history.endFrame < timing.readFrame + Int64(stream.bufferFrames) {
      let count = min(passFrames - nextMedia, 500)
      noise.floats(fromFrame: nextMedia, count: Int(count)).withUnsafeBufferPointer { history.append($0) }
      media += (nextMedia..<nextMedia + count).map { $0 }
      isHeld += [Bool](repeating: false, count: Int(count))
      nextMedia += count
      if nextMedia == passFrames {
        nextMedia = 0
        pass += 1
        run(at: history.endFrame, media: 0)
      }
    }
    while gains.count < media.count { gains.append(gains.last ?? 1) }
    try rewrite(from: start)
  }

  func setLevel(_ newLevel: Float) throws {
    level = newLevel
    guard fadeStart == nil, !isCorked else { return }
    let frame = min(try stream.timing().rewriteFrame, history.endFrame)
    ramp(to: level, at: frame)
    try rewrite(from: frame)
  }

  func pause() throws {
    guard fadeStart == nil, !isCorked else { return }
    try fill()
    let frame = try stream.timing().rewriteFrame
    ramp(to: 0, at: frame)
    try rewrite(from: frame)
    fadeStart = frame
    while try stream.timing().heardFrame < frame + PlayedTogether.rampFrames { clock.advance(bySeconds: 0.005) }
    try stream.setCorked(true)
    isCorked = true
  }

  func resume() throws {
    guard let start = fadeStart else { return }
    let frame = try stream.timing().readFrame
    timeline.delay(from: start, byFrames: frame - start)
    history.delay(from: start, byFrames: frame - start)
    gain.restart(from: 0, to: level, at: frame, overFrames: PlayedTogether.rampFrames)
    delayModel(from: Int(start), to: Int(frame))
    rampModel(from: 0, to: level, at: frame)
    try rewrite(from: frame)
    try stream.setCorked(false)
    (isCorked, fadeStart) = (false, nil)
  }

  /// Fades out, holds for a wait, and begins at full level with the asked frame.
  func seek(to frame: Int64, waitFrames: Int64) throws {
    guard fadeStart == nil, !isCorked else { return }
    try fill()
    let from = try stream.timing().rewriteFrame
    ramp(to: 0, at: from)
    let silent = from + PlayedTogether.rampFrames
    history.truncate(to: silent)
    cutModel(to: Int(silent))
    for index in Int(from)..<Int(silent) { isHeld[index] = true }
    hold(from: from)
    appendSilence(waitFrames)
    nextMedia = frame
    run(at: history.endFrame, media: frame, isCut: true)
    gain.restart(from: level, to: level, at: history.endFrame, overFrames: 0)
    while gains.count < Int(history.endFrame) { gains.append(0) }
    gains.append(level)
    let resumed = history.endFrame
    try fill()
    for index in Int(resumed)..<gains.count { gains[index] = level }
    try rewrite(from: from)
    // Nothing old may be heard behind the new end, should the stream run dry there.
    let stale = [Float](repeating: 0, count: Int(max(0, highWater - history.endFrame)) * 2)
    try stale.withUnsafeBufferPointer { try stream.write($0, at: history.endFrame) }
  }

  // MARK: Parts

  private func rewrite(from frame: Int64) throws {
    guard frame < history.endFrame else { return }
    var samples = [Float](repeating: 0, count: Int(history.endFrame - frame) * 2)
    samples.withUnsafeMutableBufferPointer { samples in
      history.copy(from: frame, into: samples)
      gain.apply(to: samples, channels: 2, from: frame)
    }
    try samples.withUnsafeBufferPointer { try stream.write($0, at: frame) }
    highWater = max(highWater, history.endFrame)
    let heard = try stream.timing().heardFrame
    gain.forget(before: heard)
  }

  private func ramp(to target: Float, at frame: Int64) {
    gain.change(to: target, at: frame, overFrames: PlayedTogether.rampFrames)
    rampModel(from: Int(frame) < gains.count ? gains[Int(frame)] : gains.last ?? 1, to: target, at: frame)
  }

  private func run(at frame: Int64, media: Int64, isCut: Bool = false) {
    timeline.append(
      Timeline.Run(
        firstFrame: frame, kind: .media, entry: PlayedTogether.entry, pass: pass, time: time(media), isCut: isCut))
  }

  private func hold(from frame: Int64) {
    guard let time = timeline.time(at: frame) else { return }
    timeline.append(
      Timeline.Run(firstFrame: frame, kind: .hold, entry: PlayedTogether.entry, pass: pass, time: time))
  }

  private func appendSilence(_ frames: Int64) {
    history.appendSilence(frames: frames)
    media += [Int64?](repeating: nil, count: Int(frames))
    isHeld += [Bool](repeating: true, count: Int(frames))
    while gains.count < media.count { gains.append(gains.last ?? 1) }
  }

  private func rampModel(from first: Float, to target: Float, at frame: Int64) {
    for index in Int(frame)..<max(Int(frame), gains.count) {
      let offset = index - Int(frame)
      gains[index] =
        offset >= PlayedTogether.rampFrames
        ? target : first + (target - first) * (Float(offset) / Float(PlayedTogether.rampFrames))
    }
  }

  private func cutModel(to frame: Int) {
    media.removeLast(media.count - frame)
    isHeld.removeLast(isHeld.count - frame)
    gains.removeLast(gains.count - frame)
  }

  /// The frames from `start` on are heard again from `frame` on; what lies between was the fade and silence.
  private func delayModel(from start: Int, to frame: Int) {
    let content = Array(media[start...])
    media = Array(media[..<min(frame, media.count)]) + content
    isHeld = Array(isHeld[..<start]) + [Bool](repeating: true, count: frame - start) + isHeld[start...]
    gains += [Float](repeating: 0, count: media.count - gains.count)
  }

  // MARK: Verdict

  /// What in the capture is not as the model says; nil when all is well.
  func fault() -> String? {
    let capture = sink.captures[0]
    var expected: Int64 = 0
    for stretch in capture.stretches {
      if stretch.streamFrame < expected { return "frame \(stretch.streamFrame) heard twice" }
      for lost in expected..<stretch.streamFrame where media[Int(lost)] != nil && gains[Int(lost)] != 0 {
        return "frame \(lost) lost"
      }
      for offset in 0..<stretch.frameCount {
        let frame = stretch.streamFrame + Int64(offset)
        let isPast = frame >= media.count
        let source = isPast ? nil : media[Int(frame)]
        for channel in 0..<2 {
          let heard = capture.samples[(stretch.captureFrame + offset) * 2 + channel]
          let sample = source.map { Float(noise.sample(ofFrame: $0, channel: channel)) / 32_768 * gains[Int(frame)] }
          guard heard == sample ?? 0 else { return "frame \(frame): heard \(heard), not \(sample ?? 0)" }
        }
        if let source, !isHeld[Int(frame)], timeline.time(at: frame) != time(source) {
          return "frame \(frame) carries \(source), the timeline says \(String(describing: timeline.time(at: frame)))"
        }
      }
      expected = stretch.streamFrame + Int64(stretch.frameCount)
    }
    return nil
  }
}
