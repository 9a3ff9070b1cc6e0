import CVPlayPulse
import VPlayModel

/// One output of the sound server.
package struct PulseDevice: Sendable, Equatable {
  /// What `StreamRequest.device` takes.
  package var name: String
  /// For people.
  package var description: String
  package var isDefault: Bool
}

/// What the sink needs to know of an output.
struct PulseSinkInfo: Sendable, Equatable {
  var name: String
  var description: String
  var rate: Int
  var channels: [ChannelPosition]
}

extension PulseConnection {
  func sinks(until deadline: HostTime, _ cancellation: SinkCancellation) throws(SinkError) -> [PulseSinkInfo] {
    try ask(PulseReply(loop, []), "list the outputs", until: deadline, cancellation) {
      pa_context_get_sink_info_list($0, sinkListed, $1)
    }
  }

  /// Nil when there is no such sink.
  func sink(
    named name: String, until deadline: HostTime, _ cancellation: SinkCancellation
  ) throws(SinkError) -> PulseSinkInfo? {
    let reply = PulseReply<[PulseSinkInfo]>(loop, [])
    let found = try ask(reply, "look up the output", until: deadline, cancellation) { context, userData in
      pa_context_get_sink_info_by_name(context, name, sinkListed, userData)
    }
    return found.first
  }

  /// Nil when there is no such sink (any more).
  func sink(
    index: UInt32, until deadline: HostTime, _ cancellation: SinkCancellation
  ) throws(SinkError) -> PulseSinkInfo? {
    let reply = PulseReply<[PulseSinkInfo]>(loop, [])
    let found = try ask(reply, "look up the output", until: deadline, cancellation) { context, userData in
      pa_context_get_sink_info_by_index(context, index, sinkListed, userData)
    }
    return found.first
  }

  func defaultSinkName(until deadline: HostTime, _ cancellation: SinkCancellation) throws(SinkError)
    -> String?
  {
    try ask(PulseReply<String?>(loop, nil), "ask for the default output", until: deadline, cancellation) {
      pa_context_get_server_info($0, defaultSinkTold, $1)
    }
  }
}

/// The callback of sink queries: `PulseReply<[PulseSinkInfo]>`.
func sinkListed(
  _: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32, _ userData: UnsafeMutableRawPointer?
) {
  guard end == 0, let info = info?.pointee, let name = info.name.map({ String(cString: $0) }) else { return }
  let description = info.description.map { String(cString: $0) } ?? name
  let sink = PulseSinkInfo(
    name: name, description: description, rate: Int(info.sample_spec.rate),
    channels: ChannelMap.positions(of: info.channel_map))
  PulseReply<[PulseSinkInfo]>.from(userData)?.update { $0.append(sink) }
}

private func defaultSinkTold(
  _: OpaquePointer?, _ info: UnsafePointer<pa_server_info>?, _ userData: UnsafeMutableRawPointer?
) {
  let name = info?.pointee.default_sink_name.map { String(cString: $0) }
  PulseReply<String?>.from(userData)?.update { $0 = name }
}
