import VPlayModel

/// One stream of a simulated sound server: its queue, what its device holds, and what was heard. A value.
struct SimulatedPlayback: Sendable {
  /// Frames that the device has taken and not yet, or not wholly, sounded.
  private struct Segment: Sendable {
    var firstFrame: Int64
    /// When the first frame is heard.
    var heardAt: HostTime
    var samples: [Float]
    var isDry: Bool
    /// Frames already heard.
    var doneFrames = 0
  }

  let format: AudioFormat
  let configuration: SimulatedSink.Configuration
  private(set) var queue: SimulatedQueue
  private(set) var capture: HeardCapture
  private(set) var readFrame: Int64 = 0
  private(set) var isCorked = true
  private var segments: [Segment] = []
  /// The last frame known to have been at the ear, a dry stream's silence counted too.
  private var lastSounding: Int64
  /// What was last told as heard: no further than the end of what was written.
  private var lastHeard: Int64
  private var isDry = false
  /// The end up to which the client was last asked to write.
  private var askedEnd: Int64
  /// Frames a second of host time.
  let framesASecond: Double

  init(format: AudioFormat, configuration: SimulatedSink.Configuration) {
    self.format = format
    self.configuration = configuration
    queue = SimulatedQueue(channels: format.channelCount)
    capture = HeardCapture(format: format, keepsSamples: configuration.keepsSamples)
    framesASecond = Double(format.sampleRate) * (1 + configuration.driftPPM * 1e-6)
    lastSounding = -Int64((configuration.delaySeconds * Double(format.sampleRate)).rounded())
    lastHeard = lastSounding
    askedEnd = Int64((configuration.bufferSeconds * Double(format.sampleRate)).rounded())
  }

  var bufferFrames: Int { frames(configuration.bufferSeconds) }

  /// The server takes one block for its device. Returns what it tells the client.
  mutating func render(at instant: HostTime) -> [SinkEvent] {
    var events: [SinkEvent] = []
    let count = configuration.blockFrames
    let data = queue.read(from: readFrame, count: count)
    let dataFrames = data.count / format.channelCount
    let heardAt = instant.advanced(bySeconds: configuration.delaySeconds)
    if dataFrames > 0 {
      segments.append(
        Segment(firstFrame: readFrame, heardAt: heardAt, samples: Array(data), isDry: false))
    }
    if dataFrames < count {
      segments.append(
        Segment(
          firstFrame: readFrame + Int64(dataFrames),
          heardAt: heardAt.advanced(bySeconds: Double(dataFrames) / framesASecond),
          samples: [Float](repeating: 0, count: (count - dataFrames) * format.channelCount), isDry: true))
      if !isDry { events.append(.underflow) }
    }
    isDry = dataFrames < count
    readFrame += Int64(count)
    queue.forget(before: min(readFrame, sounding(at: instant)))
    let wanted = readFrame + Int64(bufferFrames)
    if wanted - max(askedEnd, queue.endFrame) >= Int64(frames(configuration.requestSeconds)) {
      askedEnd = wanted
      events.append(.needsData)
    }
    return events
  }

  /// Notes all that was heard until `now`.
  mutating func listen(until now: HostTime) {
    lastSounding = sounding(at: now)
    lastHeard = max(lastHeard, min(lastSounding, queue.endFrame))
    while var segment = segments.first {
      let total = segment.samples.count / format.channelCount
      let due = min(total, elapsedFrames(from: segment.heardAt, to: now))
      if due > segment.doneFrames {
        let channels = format.channelCount
        capture.append(
          segment.samples[segment.doneFrames * channels..<due * channels],
          streamFrame: segment.firstFrame + Int64(segment.doneFrames),
          hostTime: segment.heardAt.advanced(bySeconds: Double(segment.doneFrames) / framesASecond),
          isDry: segment.isDry, framesASecond: framesASecond)
        segment.doneFrames = due
      }
      guard due == total else {
        segments[0] = segment
        return
      }
      segments.removeFirst()
    }
  }

  mutating func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64, now: HostTime)
    -> SimulatedQueue.Outcome
  {
    listen(until: now)
    let limit = configuration.canRewind ? min(readFrame, lastSounding + Int64(frames(0.001))) : readFrame
    let outcome = queue.write(samples, at: frame, notBefore: limit)
    if limit < readFrame { renderAgain(from: max(limit, frame)) }
    return outcome
  }

  /// The frames that a device which can rewind already holds are taken anew from the queue.
  private mutating func renderAgain(from frame: Int64) {
    let channels = format.channelCount
    for index in segments.indices {
      let segment = segments[index]
      let total = segment.samples.count / channels
      let skip = max(segment.doneFrames, Int(clamping: frame - segment.firstFrame))
      guard skip < total else { continue }
      let fresh = queue.read(from: segment.firstFrame + Int64(skip), count: total - skip)
      let start = skip * channels
      segments[index].samples.replaceSubrange(start..<start + fresh.count, with: fresh)
      if fresh.count > 0 { segments[index].isDry = false }
    }
  }

  mutating func setCorked(_ corked: Bool, now: HostTime) {
    listen(until: now)
    guard corked != isCorked else { return }
    isCorked = corked
    guard corked else { return }
    if configuration.canRewind {
      // As PulseAudio does: what was mixed and not yet heard goes back into the queue.
      readFrame = segments.first.map { $0.firstFrame + Int64($0.doneFrames) } ?? readFrame
      segments.removeAll()
    } else if configuration.dropsOnCork {
      segments.removeAll()
    }
  }

  /// The device stood still for some seconds; what it holds is heard that much later.
  mutating func shift(bySeconds seconds: Double) {
    for index in segments.indices {
      segments[index].heardAt = segments[index].heardAt.advanced(bySeconds: seconds)
    }
  }

  /// `now` is the device's: it stands still while the device is suspended.
  func timing(at now: HostTime, hostTime: HostTime, isSuspended: Bool) -> SinkTiming {
    let sounding = sounding(at: now)
    var rewrite = readFrame
    if !isCorked, !segments.isEmpty {
      let margin = Int64(frames(configuration.marginSeconds))
      rewrite =
        configuration.canRewind
        ? sounding + margin
        : max(
          readFrame, sounding + Int64(configuration.blockFrames + frames(configuration.delaySeconds)) + margin
        )
    }
    return SinkTiming(
      hostTime: hostTime, readFrame: readFrame,
      heardFrame: min(readFrame, max(lastHeard, min(sounding, queue.endFrame))), rewriteFrame: rewrite,
      isRunning: !isCorked && !isSuspended && sounding < queue.endFrame, isSuspended: isSuspended)
  }

  /// The frame at the listener's ear, a dry stream's silence counted too.
  private func sounding(at now: HostTime) -> Int64 {
    guard let first = segments.first else { return lastSounding }
    let seconds = now.seconds(since: first.heardAt)
    let frame = first.firstFrame + Int64((seconds * framesASecond + 1e-3).rounded(.down))
    return max(lastSounding, min(readFrame, frame))
  }

  /// When there will be room enough to ask for more; nil while corked.
  func requestTime(endFrame: Int64, now: HostTime) -> HostTime? {
    guard !isCorked else { return nil }
    let room = readFrame + Int64(bufferFrames) - endFrame
    let missing = Int64(frames(configuration.requestSeconds)) - room
    return now.advanced(bySeconds: Double(max(0, missing)) / framesASecond)
  }

  private func elapsedFrames(from start: HostTime, to now: HostTime) -> Int {
    max(0, Int((now.seconds(since: start) * framesASecond + 1e-3).rounded(.down)))
  }

  private func frames(_ seconds: Double) -> Int {
    Int((seconds * Double(format.sampleRate)).rounded())
  }
}
