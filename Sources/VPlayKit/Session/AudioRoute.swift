public import Foundation
import VPlayPulse

/// An output that sound takes, as Apple's
/// [AVAudioSessionPortDescription](https://developer.apple.com/documentation/avfaudio/avaudiosessionportdescription).
public final class AVAudioSessionPortDescription: NSObject, Sendable {
  /// The output for people, with its connector where it has several.
  public let portName: String
  /// The sound server's name of the output, which ``AVPlayer/audioOutputDeviceUniqueID`` takes.
  public let uid: String
  /// Channels of the output.
  public let channelCount: Int

  init(_ output: PulseServerState.Output) {
    portName = output.port.map { "\(output.description), \($0)" } ?? output.description
    uid = output.name
    channelCount = output.channelCount
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioSessionPortDescription else { return false }
    return other.portName == portName && other.uid == uid && other.channelCount == channelCount
  }

  public override var hash: Int { uid.hashValue }
}

/// Where sound goes, as Apple's
/// [AVAudioSessionRouteDescription](https://developer.apple.com/documentation/avfaudio/avaudiosessionroutedescription).
public final class AVAudioSessionRouteDescription: NSObject, Sendable {
  /// Empty: VPlay does not record.
  public let inputs: [AVAudioSessionPortDescription] = []
  /// One output, or none where there is no sound server.
  public let outputs: [AVAudioSessionPortDescription]

  init(_ output: PulseServerState.Output?) {
    outputs = output.map { [AVAudioSessionPortDescription($0)] } ?? []
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioSessionRouteDescription)?.outputs == outputs
  }

  public override var hash: Int { outputs.first?.hash ?? 0 }
}

/// What a new state of the server means for the process's sound.
struct ServerChange: Sendable, Equatable {
  enum Route: Sendable, Equatable {
    case newDeviceAvailable, oldDeviceUnavailable, override, configuration
  }

  var route: Route?
  var volumeChanged = false
  var isLost = false
  var isReset = false

  /// `routed` is the connection's last state with a route: PipeWire takes an output away first, and names the next
  /// default one later. `hasLost` tells that the server was there before, and went.
  init(from old: PulseServerState, to new: PulseServerState, routed: PulseServerState?, hasLost: Bool) {
    isLost = old.isConnected && !new.isConnected
    isReset = hasLost && !old.isConnected && new.isConnected
    volumeChanged = old.route?.volume != new.route?.volume || old.route?.isMuted != new.route?.isMuted
    guard new.isConnected, let routed, let before = routed.route, let now = new.route else { return }
    if before.name != now.name {
      if new.output(named: before.name) == nil {
        route = .oldDeviceUnavailable
      } else {
        route = routed.output(named: now.name) == nil ? .newDeviceAvailable : .override
      }
    } else if before.port != now.port, let port = before.port {
      if now.unpluggedPorts.contains(port) {
        route = .oldDeviceUnavailable
      } else {
        route = now.port.map(before.unpluggedPorts.contains) == true ? .newDeviceAvailable : .override
      }
    } else if before.rate != now.rate || before.channelCount != now.channelCount {
      route = .configuration
    }
  }
}
