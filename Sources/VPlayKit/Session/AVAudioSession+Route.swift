public import Foundation
import VPlayModel
import VPlayPulse

extension AVAudioSession {
  /// Why a route changed, as Apple's
  /// [RouteChangeReason](https://developer.apple.com/documentation/avfaudio/avaudiosession/routechangereason).
  public enum RouteChangeReason: UInt, Sendable {
    case unknown = 0
    /// An output came, or something was plugged in, and is used now.
    case newDeviceAvailable = 1
    /// The output went, or was pulled out.
    case oldDeviceUnavailable = 2
    /// The category was changed.
    case categoryChange = 3
    /// The user or the server chose another output.
    case override = 4
    /// The same output has another rate or number of channels.
    case routeConfigurationChange = 8
  }

  /// Posted, on a thread of VPlay's, after the sound has taken another way. `AVAudioSessionRouteChangeReasonKey` tells
  /// why, `AVAudioSessionRouteChangePreviousRouteKey` which way it took before.
  public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")

  /// Posted, on a thread of VPlay's, when the sound server has gone. Players wait, and go on when it is back.
  public static let mediaServicesWereLostNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereLostNotification")

  /// Posted, on a thread of VPlay's, when the sound server is back.
  public static let mediaServicesWereResetNotification = Notification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")

  /// Where the process's sound goes: where its newest stream is heard, or would be.
  public var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(serverState().route) }

  /// Frames a second of the output; 0 without one.
  public var sampleRate: Double { Double(serverState().route?.rate ?? 0) }

  /// Channels of the output; 0 without one.
  public var outputNumberOfChannels: Int { serverState().route?.channelCount ?? 0 }

  /// What the output says of the time from playing to hearing, in seconds; 0 without one.
  public var outputLatency: TimeInterval { serverState().route?.latencySeconds ?? 0 }

  /// Whether another program is heard now.
  public var isOtherAudioPlaying: Bool { serverState().hasOthersSound }

  /// Whether sound that is an addition had better be silent: as ``isOtherAudioPlaying``.
  public var secondaryAudioShouldBeSilencedHint: Bool { serverState().hasOthersSound }

  /// The output's own volume as mixers show it, from 0 to 1; 0 while it is muted, or without one. Observable.
  public var outputVolume: Float {
    observations.access(.outputVolume)
    let route = serverState().route
    return route.map { $0.isMuted ? 0 : min($0.volume, 1) } ?? 0
  }

  /// Moves the output's own volume, for all programs. VPlay's own: on Apple's systems the user alone can.
  ///
  /// 0 to 1, as mixers show it; what is beyond is clamped, NaN does nothing. Nothing without a sound server.
  public func setOutputVolume(_ volume: Float) {
    guard !volume.isNaN, let output = serverState().route else { return }
    sink().setVolume(volume, ofOutput: output.name)
  }

  /// What the server has; the first time it is asked, and nothing without one.
  private func serverState() -> PulseServerState {
    followServer()
    let known = state.withLock { $0.hasServerState ? $0.server : nil }
    return known ?? (try? sink().serverState(cancellation: SinkCancellation())) ?? PulseServerState()
  }

  /// From now on the session keeps up with the server.
  func followServer() {
    let isFollowed = state.withLock { $0.serverObservation != nil }
    guard !isFollowed else { return }
    // No lock held: it may call the handler at once.
    let observation = sink().observe { [weak self] in self?.serverChanged($0) }
    state.withLock { state in
      if state.serverObservation == nil { state.serverObservation = observation }
    }
  }

  /// On the sink's thread, its lock held: nobody is called from here.
  private func serverChanged(_ new: PulseServerState) {
    let (change, old) = state.withLock { state in
      let change = ServerChange(from: state.server, to: new, routed: state.routed, hasLost: state.hasLostServer)
      let old = state.routed
      state.routed = new.isConnected ? (new.route == nil ? old : new) : nil
      state.server = new
      state.hasServerState = new.isConnected
      if change.isLost { state.hasLostServer = true }
      if change.isReset { state.hasLostServer = false }
      return (change, old)
    }
    if change.isLost { post(Self.mediaServicesWereLostNotification, [:]) }
    if change.isReset { post(Self.mediaServicesWereResetNotification, [:]) }
    if let route = change.route { postRouteChange(RouteChangeReason(route), from: old) }
    if change.volumeChanged { CallbackQueue.seal().async { self.observations.report(.outputVolume) } }
  }

  func postRouteChange(_ reason: RouteChangeReason, from old: PulseServerState?) {
    let previous = (old ?? state.withLock { $0.server }).route
    post(
      Self.routeChangeNotification,
      [
        AVAudioSessionRouteChangeReasonKey: reason.rawValue,
        AVAudioSessionRouteChangePreviousRouteKey: AVAudioSessionRouteDescription(previous),
      ])
  }
}

extension AVAudioSession.RouteChangeReason {
  init(_ route: ServerChange.Route) {
    self =
      switch route {
      case .newDeviceAvailable: .newDeviceAvailable
      case .oldDeviceUnavailable: .oldDeviceUnavailable
      case .override: .override
      case .configuration: .routeConfigurationChange
      }
  }
}

/// The key of an `AVAudioSession.RouteChangeReason`'s raw value (`UInt`) in a route change's notification.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
/// The key of the ``AVAudioSessionRouteDescription`` before a route change, in its notification.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
