import CVPlayPulse
import Glibc
import VPlayModel

/// Keeps up with what the server has, by its notes of changes. With the loop's lock held, but for `handlers`' callers.
// Safe to share: all that changes is touched with the loop's lock held.
final class PulseObserver: @unchecked Sendable {
  typealias Handler = @Sendable (PulseServerState) -> Void

  private let loop: PulseLoop
  private var context: OpaquePointer?
  /// Answers still missing until `state` is whole.
  private var pendingAnswers = 0
  private(set) var state = PulseServerState()
  private var published: PulseServerState?
  private var handlers: [Int: Handler] = [:]
  private var lastHandler = 0

  init(loop: PulseLoop) {
    self.loop = loop
  }

  /// Calls `handler` on the loop's thread with each new state, and at once with the present one if there is one.
  func add(_ handler: @escaping Handler) -> Int {
    lastHandler += 1
    handlers[lastHandler] = handler
    if let published { handler(published) }
    return lastHandler
  }

  func remove(_ id: Int) {
    handlers[id] = nil
  }

  /// The connection is up: asks for everything, and to be told of changes.
  func attach(_ context: OpaquePointer) {
    guard self.context != context else { return }
    self.context = context
    state = PulseServerState()
    state.isConnected = true
    // Unretained: `detach` or the context's end takes the callback away before the connection lets go of this.
    pa_context_set_subscribe_callback(context, serverChanged, Unmanaged.passUnretained(self).toOpaque())
    let mask =
      PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue
      | PA_SUBSCRIPTION_MASK_SERVER.rawValue
    let subscription = pa_context_subscribe(context, pa_subscription_mask_t(mask), nil, nil)
    if let subscription { pa_operation_unref(subscription) }
    askServer()
    ask(PulseReply<[UInt32: PulseServerState.Output]>(loop, [:]) { [weak self] in self?.take($0) }) {
      pa_context_get_sink_info_list(context, outputListed, $0)
    }
    ask(PulseReply<[UInt32: PulseServerState.Input]>(loop, [:]) { [weak self] in self?.take($0) }) {
      pa_context_get_sink_input_info_list(context, inputListed, $0)
    }
  }

  /// The connection is gone.
  func detach() {
    if let context { pa_context_set_subscribe_callback(context, nil, nil) }
    context = nil
    pendingAnswers = 0
    state = PulseServerState()
    publish()
  }

  // MARK: - Asking

  private func ask<Value: Sendable>(
    _ reply: PulseReply<Value>, _ start: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) {
    pendingAnswers += 1
    if !reply.begin(start) { pendingAnswers -= 1 }
  }

  private func askServer() {
    guard let context else { return }
    ask(PulseReply<String?>(loop, nil) { [weak self] in self?.take(defaultOutput: $0) }) {
      pa_context_get_server_info(context, defaultOutputTold, $0)
    }
  }

  fileprivate func changed(_ event: pa_subscription_event_type_t, _ index: UInt32) {
    guard let context else { return }
    let facility = event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue
    let isRemoved =
      event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue == PA_SUBSCRIPTION_EVENT_REMOVE.rawValue
    switch facility {
    case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: askServer()
    case PA_SUBSCRIPTION_EVENT_SINK.rawValue where isRemoved:
      state.outputs[index] = nil
      publish()
    case PA_SUBSCRIPTION_EVENT_SINK.rawValue:
      ask(PulseReply<[UInt32: PulseServerState.Output]>(loop, [:]) { [weak self] in self?.take($0) }) {
        pa_context_get_sink_info_by_index(context, index, outputListed, $0)
      }
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue where isRemoved:
      state.inputs[index] = nil
      publish()
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue:
      ask(PulseReply<[UInt32: PulseServerState.Input]>(loop, [:]) { [weak self] in self?.take($0) }) {
        pa_context_get_sink_input_info(context, index, inputListed, $0)
      }
    default: break
    }
  }

  // MARK: - Answers

  private func take(_ outputs: [UInt32: PulseServerState.Output]) {
    answered { $0.outputs.merge(outputs) { $1 } }
  }

  private func take(_ inputs: [UInt32: PulseServerState.Input]) {
    answered { $0.inputs.merge(inputs) { $1 } }
  }

  private func take(defaultOutput: String?) {
    answered { $0.defaultOutput = defaultOutput ?? $0.defaultOutput }
  }

  private func answered(_ change: (inout PulseServerState) -> Void) {
    guard context != nil else { return }
    pendingAnswers -= 1
    change(&state)
    publish()
  }

  /// What comes together is told together: a stream that moves because its output goes away.
  private func publish() {
    guard pendingAnswers <= 0, state != published else { return }
    published = state
    for handler in handlers.sorted(by: { $0.key < $1.key }).map(\.value) { handler(state) }
  }

  fileprivate static func from(_ userData: UnsafeMutableRawPointer?) -> PulseObserver? {
    // Alive: the callback is taken away before the connection, which owns it, goes.
    userData.map { Unmanaged<PulseObserver>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func serverChanged(
  _: OpaquePointer?, _ event: pa_subscription_event_type_t, _ index: UInt32, _ userData: UnsafeMutableRawPointer?
) {
  PulseObserver.from(userData)?.changed(event, index)
}

private func outputListed(
  _: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ userData: UnsafeMutableRawPointer?
) {
  guard end == 0, let info = info?.pointee, let name = info.name.map({ String(cString: $0) }) else { return }
  var volume = info.volume
  let output = PulseServerState.Output(
    name: name, description: info.description.map { String(cString: $0) } ?? name,
    rate: Int(info.sample_spec.rate), channelCount: Int(info.sample_spec.channels),
    volume: Float(pa_cvolume_max(&volume)) / Float(PA_VOLUME_NORM), isMuted: info.mute != 0,
    isSuspended: info.state == PA_SINK_SUSPENDED,
    latencySeconds: Double(max(info.latency, info.configured_latency)) / 1e6,
    port: info.active_port?.pointee.description.map { String(cString: $0) },
    unpluggedPorts: unpluggedPorts(info))
  PulseReply<[UInt32: PulseServerState.Output]>.from(userData)?.update { $0[info.index] = output }
}

private func volumes(_ volume: pa_cvolume) -> [UInt32] {
  withUnsafeBytes(of: volume.values) { Array($0.bindMemory(to: pa_volume_t.self).prefix(Int(volume.channels))) }
}

private func unpluggedPorts(_ info: pa_sink_info) -> Set<String> {
  var ports: Set<String> = []
  for index in 0..<Int(info.n_ports) {
    guard let port = info.ports?[index]?.pointee, port.available == Int32(PA_PORT_AVAILABLE_NO.rawValue),
      let description = port.description
    else { continue }
    ports.insert(String(cString: description))
  }
  return ports
}

private func inputListed(
  _: OpaquePointer?, _ info: UnsafePointer<pa_sink_input_info>?, _ end: Int32,
  _ userData: UnsafeMutableRawPointer?
) {
  guard end == 0, let info = info?.pointee else { return }
  func property(_ key: String) -> String? {
    pa_proplist_gets(info.proplist, key).map { String(cString: $0) }
  }
  let input = PulseServerState.Input(
    output: info.sink, isOurs: property(PA_PROP_APPLICATION_PROCESS_ID) == String(getpid()),
    // PulseAudio's name of the role, and PipeWire's.
    isCall: ["phone", "communication"].contains(property(PA_PROP_MEDIA_ROLE)?.lowercased()),
    isRunning: info.corked == 0 && info.mute == 0, volumes: volumes(info.volume))
  PulseReply<[UInt32: PulseServerState.Input]>.from(userData)?.update { $0[info.index] = input }
}

private func defaultOutputTold(
  _: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ userData: UnsafeMutableRawPointer?
) {
  let name = info?.pointee.default_sink_name.map { String(cString: $0) }
  PulseReply<String?>.from(userData)?.update { $0 = name }
}
