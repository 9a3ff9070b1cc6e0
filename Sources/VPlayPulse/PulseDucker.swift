import CVPlayPulse
import VPlayModel

/// Lowers the other programs' streams while this one's are heard, and gives them back as they were. With the loop's lock held.
///
/// A stream whose volume its user moves meanwhile is left as the user set it.
// Safe to share: all that changes is touched with the loop's lock held.
final class PulseDucker: @unchecked Sendable {
  /// What is left of the others, as a linear factor: −14 dB.
  static let factor = 0.2

  private struct Lowered {
    var original: [UInt32]
    var lowered: [UInt32]
  }

  private let loop: PulseLoop
  private var context: OpaquePointer?
  private var state = PulseServerState()
  private var lowered: [UInt32: Lowered] = [:]
  /// Streams that are not lowered again, their user having had a word.
  private var left: Set<UInt32> = []
  private(set) var isWanted = false
  /// Ended by force: nothing is lowered before this program has been silent.
  private var restsUntilSilence = false

  init(loop: PulseLoop) {
    self.loop = loop
  }

  func setWanted(_ wanted: Bool) {
    isWanted = wanted
    restsUntilSilence = false
    adjust()
  }

  /// The server, as it is now; without a connection nothing can be given back any more.
  func update(_ new: PulseServerState, context: OpaquePointer?) {
    if context == nil || context != self.context {
      lowered = [:]
      left = []
    }
    self.context = context
    state = new
    lowered = lowered.filter { new.inputs[$0.key] != nil }
    left.formIntersection(new.inputs.keys)
    adjust()
  }

  /// Gives everything back; the replies tell when the server has done it.
  func end() -> [PulseReply<Bool>] {
    restsUntilSilence = true
    return giveBack()
  }

  private var isHeard: Bool { state.inputs.values.contains { $0.isOurs && $0.isRunning } }

  private func adjust() {
    if !isHeard { restsUntilSilence = false }
    guard isWanted, isHeard, !restsUntilSilence else {
      _ = giveBack()
      return
    }
    for (index, input) in state.inputs where !input.isOurs && !input.isCall && input.isRunning {
      if let known = lowered[index] {
        if input.volumes != known.original && input.volumes != known.lowered {
          lowered[index] = nil
          left.insert(index)
        }
      } else if !left.contains(index), !input.volumes.isEmpty {
        let volumes = input.volumes.map { pa_sw_volume_multiply($0, pa_sw_volume_from_linear(Self.factor)) }
        lowered[index] = Lowered(original: input.volumes, lowered: volumes)
        _ = set(volumes, of: index)
      }
    }
  }

  private func giveBack() -> [PulseReply<Bool>] {
    defer {
      lowered = [:]
      left = []
    }
    return lowered.compactMap { index, known in
      // What was just lowered may not have been told yet.
      guard let volumes = state.inputs[index]?.volumes, [known.original, known.lowered].contains(volumes) else {
        return nil
      }
      return set(known.original, of: index)
    }
  }

  private func set(_ volumes: [UInt32], of index: UInt32) -> PulseReply<Bool>? {
    guard let context else { return nil }
    var channels = pa_cvolume()
    pa_cvolume_init(&channels)
    channels.channels = UInt8(min(volumes.count, Int(PA_CHANNELS_MAX)))
    withUnsafeMutableBytes(of: &channels.values) { bytes in
      let values = bytes.bindMemory(to: pa_volume_t.self)
      for (channel, volume) in volumes.prefix(values.count).enumerated() { values[channel] = volume }
    }
    let reply = PulseReply(loop, false)
    let isAsked = reply.begin { pa_context_set_sink_input_volume(context, index, &channels, volumeSet, $0) }
    return isAsked ? reply : nil
  }
}

private func volumeSet(_: OpaquePointer?, _ success: Int32, _ userData: UnsafeMutableRawPointer?) {
  PulseReply<Bool>.from(userData)?.update { $0 = success != 0 }
}
