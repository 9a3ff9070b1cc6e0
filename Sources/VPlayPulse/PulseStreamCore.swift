import CVPlayPulse
import VPlayModel

/// The part of a stream that libpulse's callbacks reach.
///
/// libpulse owns a reference from `connect` to `close`, which takes the callbacks away before it releases it.
// Safe to share: `opening` is a Monitor; all else that changes is touched with the loop's lock held.
final class PulseStreamCore: @unchecked Sendable {
  enum Opening: Sendable {
    case creating, ready
    case failed(SinkError)
  }

  let opening = Monitor<Opening>(.creating)
  private let loop: PulseLoop
  private let request: StreamRequest
  private var stream: OpaquePointer?
  private var retained: Unmanaged<PulseStreamCore>?
  private var events: (@Sendable (SinkEvent) -> Void)?
  /// Why the stream is dead.
  private var death: SinkError?
  /// The granted rate and the request's channels, which `PulseOpening` has chosen.
  private(set) var format: AudioFormat
  private(set) var bufferFrames = 0
  private(set) var rules: PulseTimingRules
  /// The end of the last write, where the server's write index stands.
  private var endFrame: Int64 = 0

  /// By a call of which the server told nothing.
  private var isInterrupted = false
  /// The last answer to `timing`, nil when there is none since a move.
  private var lastReport: PulseTimingReport?

  init(_ request: StreamRequest, loop: PulseLoop, isPipeWire: Bool) {
    self.request = request
    self.loop = loop
    format = request.format
    rules = PulseTimingRules(
      rate: request.format.sampleRate, frameBytes: 4 * request.format.channelCount, isPipeWire: isPipeWire,
      canRewind: true)
  }

  // MARK: Opening. Loop's lock held

  /// Sends the request to create the stream at a rate of the server's range.
  func connect(_ context: OpaquePointer, rate: Int) throws(SinkError) {
    let action = "open a stream"
    guard var map = ChannelMap.make(request.format.channels) else {
      throw SinkError(.invalid, "the sound server takes at most \(PA_CHANNELS_MAX) channels")
    }
    var spec = pa_sample_spec(
      format: cvplay_pulse_native_float(), rate: UInt32(clamping: rate), channels: map.channels)
    // A list of formats, of one: streams of a plain sample spec have their buffer replaced by PULSE_LATENCY_MSEC.
    guard let properties = makeProperties(), let pcm = pa_format_info_from_sample_spec(&spec, &map) else {
      throw SinkError(.invalid, "the sound server does not take \(rate) frames a second")
    }
    defer {
      pa_proplist_free(properties)
      pa_format_info_free(pcm)
    }
    let title = request.title.isEmpty ? "Playback" : request.title
    var formats: UnsafeMutablePointer<pa_format_info>? = pcm
    guard let stream = pa_stream_new_extended(context, title, &formats, 1, properties) else {
      throw .pulse(context, action)
    }
    self.stream = stream
    let retained = Unmanaged.passRetained(self)
    self.retained = retained
    setCallbacks(stream, retained.toOpaque())

    var attributes = PulseBuffering.attributes(
      rate: rate, frameBytes: rules.frameBytes, isPipeWire: rules.isPipeWire)
    var volume = pa_cvolume()
    pa_cvolume_set(&volume, UInt32(map.channels), PA_VOLUME_NORM)
    let flags = pa_stream_flags_t(
      PA_STREAM_START_CORKED.rawValue | PA_STREAM_START_UNMUTED.rawValue | PA_STREAM_RELATIVE_VOLUME.rawValue)
    guard pa_stream_connect_playback(stream, request.device, &attributes, flags, &volume, nil) >= 0 else {
      throw .pulse(context, action)
    }
  }

  private func makeProperties() -> OpaquePointer? {
    guard let properties = pa_proplist_new() else { return nil }
    let role = request.role == .music ? "music" : "video"
    pa_proplist_sets(properties, PA_PROP_MEDIA_ROLE, role)
    // Else module-stream-restore would file us under the role, and give us other programs' volumes.
    pa_proplist_sets(properties, "module-stream-restore.id", "sink-input-by-application-id:vplay-\(role)")
    // The same of WirePlumber, which knows no key of one's own.
    pa_proplist_sets(properties, "state.restore-props", "false")
    return properties
  }

  /// Starts to deliver events.
  func announce(_ events: @escaping @Sendable (SinkEvent) -> Void) throws(SinkError) {
    let stream = try usable()
    self.events = events
    guard !rules.isPipeWire, let context = pa_stream_get_context(stream) else { return }
    // During a call module-role-cork mutes a new stream too; that it asks it to make way comes before it is open.
    let reply = PulseReply(loop, false) { [self] isMuted in
      if isMuted { interrupt() }
    }
    _ = reply.begin {
      pa_context_get_sink_input_info(context, pa_stream_get_index(stream), sinkInputTold, $0)
    }
  }

  /// Any lock or none held.
  func close() {
    let dropped: (Unmanaged<PulseStreamCore>?, (@Sendable (SinkEvent) -> Void)?) = loop.withLock {
      guard let stream else { return (nil, nil) }
      self.stream = nil
      setCallbacks(stream, nil)
      pa_stream_disconnect(stream)
      pa_stream_unref(stream)
      if death == nil { death = SinkError(.lost, "the stream was closed") }
      defer { (retained, events) = (nil, nil) }
      return (retained, events)
    }
    // Released without the lock: what the events hold may be anything.
    dropped.0?.release()
  }

  // MARK: Use. Loop's lock held

  /// The stream while it lives.
  func usable() throws(SinkError) -> OpaquePointer {
    if let death { throw death }
    guard let stream else { throw .pulseLost }
    return stream
  }

  /// Why `action` failed: the stream's death, or else the context's last error.
  func failure(_ action: String) -> SinkError {
    death ?? .pulse(stream.flatMap { pa_stream_get_context($0) }, action)
  }

  var deviceIndex: UInt32? { stream.map { pa_stream_get_device_index($0) } }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {
    let stream = try usable()
    guard let data = samples.baseAddress, !samples.isEmpty else { return }
    precondition(samples.count % format.channelCount == 0, "whole frames are written")
    // Without a free callback libpulse copies, in blocks that go on from one another.
    let status = pa_stream_write(
      stream, data, samples.count * MemoryLayout<Float>.size, nil,
      (frame - endFrame) * Int64(rules.frameBytes), PA_SEEK_RELATIVE)
    guard status >= 0 else { throw failure("write to the stream") }
    endFrame = frame + Int64(samples.count / format.channelCount)
    learnRewinding(stream, from: frame)
  }

  /// After a write that the sink must rewind for: asks whether it did.
  ///
  /// A sink that rewinds and at once takes as much again is taken for one that cannot: its changes come later, but whole.
  private func learnRewinding(_ stream: OpaquePointer, from frame: Int64) {
    guard let before = lastReport, rules.countsOnRewind(before) else { return }
    let taken = before.readIndexBytes / Int64(rules.frameBytes)
    guard frame < taken else { return }
    let reply = PulseReply<PulseTimingReport?>(loop, nil) { [self] report in
      guard let report, report.isValid else { return }
      let read = report.readIndexBytes / Int64(rules.frameBytes)
      if read > frame, read >= taken { rules.canRewind = false }
    }
    _ = reply.begin { pa_stream_update_timing_info(stream, timingTold, $0) }
  }

  func timing(_ report: PulseTimingReport) -> SinkTiming {
    lastReport = report
    return rules.timing(report)
  }

  // MARK: Callbacks. On the loop's thread, or within a call of libpulse's, its lock held

  fileprivate func stateChanged() {
    guard let stream else { return }
    switch pa_stream_get_state(stream) {
    case PA_STREAM_READY:
      readGranted(stream)
      opening.withLockAndWake { $0 = .ready }
    case PA_STREAM_FAILED, PA_STREAM_TERMINATED:
      let context = pa_stream_get_context(stream)
      opening.withLockAndWake { opening in
        guard case .creating = opening else { return }
        opening = .failed(.pulse(context, "open a stream"))
      }
      if death == nil {
        death = SinkError(.lost, SinkError.pulse(context, "go on playing").reason)
        events?(.lost)
      }
    default:
      break
    }
  }

  private func readGranted(_ stream: OpaquePointer) {
    if let spec = pa_stream_get_sample_spec(stream)?.pointee {
      format.sampleRate = Int(spec.rate)
      rules.rate = Int(spec.rate)
    }
    readBuffering()
  }

  fileprivate func readBuffering() {
    guard let attributes = stream.flatMap({ pa_stream_get_buffer_attr($0) })?.pointee else { return }
    bufferFrames = Int(attributes.tlength) / rules.frameBytes
  }

  fileprivate func send(_ event: SinkEvent) {
    events?(event)
  }

  fileprivate func moved() {
    guard let stream, let context = pa_stream_get_context(stream) else { return }
    readBuffering()
    rules.canRewind = true
    lastReport = nil
    let reply = PulseReply<[PulseSinkInfo]>(loop, []) { [self] sinks in
      let isOther = sinks.first.map { $0.rate != format.sampleRate } ?? false
      send(.moved(needsReopen: isOther, device: sinks.first?.name))
    }
    let index = pa_stream_get_device_index(stream)
    if !reply.begin({ pa_context_get_sink_info_by_index(context, index, sinkListed, $0) }) {
      send(.moved(needsReopen: false, device: nil))
    }
  }

  fileprivate func suspendedChanged() {
    guard let stream else { return }
    send(.suspended(pa_stream_is_suspended(stream) == 1))
  }

  fileprivate func requested(_ name: String) {
    switch name {
    case PA_STREAM_EVENT_REQUEST_CORK: interrupt()
    case PA_STREAM_EVENT_REQUEST_UNCORK: send(.interrupted(false))
    default: break
    }
  }

  /// A call begins.
  ///
  /// module-role-cork mutes a stream when it asks it to make way, and it asks only those that are not muted: so this mute
  /// is its own, never the user's. PipeWire asks nobody; its streams are to be watched for one of role "phone".
  private func interrupt() {
    guard let stream, let context = pa_stream_get_context(stream) else { return }
    let unmute = pa_context_set_sink_input_mute(context, pa_stream_get_index(stream), 0, nil, nil)
    if let unmute { pa_operation_unref(unmute) }
    send(.interrupted(true))
  }

  /// Others' calls, on a server that asks nobody to make way for them.
  func callsChanged(_ isCalled: Bool) {
    guard isCalled != isInterrupted else { return }
    isInterrupted = isCalled
    send(.interrupted(isCalled))
  }

  // MARK: C

  private func setCallbacks(_ stream: OpaquePointer, _ userData: UnsafeMutableRawPointer?) {
    let isOn = userData != nil
    pa_stream_set_state_callback(stream, isOn ? streamChanged : nil, userData)
    pa_stream_set_write_callback(stream, isOn ? streamWantsData : nil, userData)
    pa_stream_set_underflow_callback(stream, isOn ? streamRanDry : nil, userData)
    pa_stream_set_moved_callback(stream, isOn ? streamMoved : nil, userData)
    pa_stream_set_suspended_callback(stream, isOn ? streamSuspended : nil, userData)
    pa_stream_set_buffer_attr_callback(stream, isOn ? streamBufferChanged : nil, userData)
    pa_stream_set_event_callback(stream, isOn ? streamEvent : nil, userData)
  }

  fileprivate static func from(_ userData: UnsafeMutableRawPointer?) -> PulseStreamCore? {
    // Alive: `close` takes the callbacks away, under the lock that they run under, before it releases the reference.
    userData.map { Unmanaged<PulseStreamCore>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func streamChanged(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.stateChanged()
}

private func streamWantsData(_: OpaquePointer?, _: Int, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.send(.needsData)
}

private func streamRanDry(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.send(.underflow)
}

private func streamMoved(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.moved()
}

private func streamSuspended(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.suspendedChanged()
}

private func streamBufferChanged(_: OpaquePointer?, _ userData: UnsafeMutableRawPointer?) {
  PulseStreamCore.from(userData)?.readBuffering()
}

private func streamEvent(
  _: OpaquePointer?, _ name: UnsafePointer<CChar>?, _: OpaquePointer?, _ userData: UnsafeMutableRawPointer?
) {
  guard let name else { return }
  PulseStreamCore.from(userData)?.requested(String(cString: name))
}

/// The callback of cork: `PulseReply<Bool>`.
func streamSucceeded(_: OpaquePointer?, _ success: Int32, _ userData: UnsafeMutableRawPointer?) {
  PulseReply<Bool>.from(userData)?.update { $0 = success != 0 }
}

private func sinkInputTold(
  _: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32,
  _ userData: UnsafeMutableRawPointer?
) {
  guard end == 0, let info else { return }
  let isMuted = info.pointee.mute != 0
  PulseReply<Bool>.from(userData)?.update { $0 = isMuted }
}

/// The callback of timing questions: `PulseReply<PulseTimingReport?>`.
func timingTold(_ stream: OpaquePointer?, _ success: Int32, _ userData: UnsafeMutableRawPointer?) {
  guard success != 0, let stream, let info = pa_stream_get_timing_info(stream) else { return }
  let report = PulseTimingReport(info.pointee, of: stream)
  PulseReply<PulseTimingReport?>.from(userData)?.update { $0 = report }
}
