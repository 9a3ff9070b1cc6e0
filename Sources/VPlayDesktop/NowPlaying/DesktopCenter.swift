import Foundation
import Glibc
import VPlayKit
import VPlayModel

/// What both centres share: what is playing, the commands, and the bus that tells of them.
///
/// Any thread. A command's lock may be taken inside the state's, never the other way round.
final class DesktopCenter: Sendable {
  struct Snapshot {
    var properties: MPRISProperties
    /// Seconds from the item's start, now.
    var position: Double
  }

  private struct State {
    var values: [String: Any]?
    var info: NowPlayingInfo?
    var playbackState = MPNowPlayingPlaybackState.unknown
    var position = PlaybackPosition(elapsed: 0, rate: 0, told: HostTime(nanoseconds: 0), duration: nil)
    var trackNumber = 0
    var identity: String
    var desktopEntry: String?
    /// Something was told: the process is to be seen on the bus.
    var isActive = false
  }

  static let shared = DesktopCenter(name: ProcessInfo.processInfo.processName)

  let commands: MPRemoteCommandCenter
  /// Where handlers are called.
  let callbackQueue: @Sendable () -> DispatchQueue
  private let clock: any HostClock
  private let state: Monitor<State>
  private let service: BusService

  init(
    name: String, clock: any HostClock = SystemClock(),
    callbackQueue: @escaping @Sendable () -> DispatchQueue = { CallbackQueue.seal() }
  ) {
    self.clock = clock
    self.callbackQueue = callbackQueue
    state = Monitor(State(identity: name))
    service = BusService(names: Self.busNames(name))
    let relay = ChangeRelay()
    commands = MPRemoteCommandCenter(changed: { relay.center.withLock { $0.center }?.publish() })
    relay.center.withLock { $0.center = self }
  }

  // MARK: - What the application says

  var nowPlayingInfo: [String: Any]? {
    // The dictionary is a copy; what is in it is the application's.
    nonisolated(unsafe) var values: [String: Any]?
    state.withLock { values = $0.values }
    return values
  }

  func setNowPlayingInfo(_ values: [String: Any]?) {
    let info = values.map(NowPlayingInfo.init)
    // As above.
    nonisolated(unsafe) let values = values
    publish { state, now in
      let isSame = info?.identity == state.info?.identity
      if !isSame { state.trackNumber += 1 }
      state.values = values
      state.info = info
      let old = state.position
      let isPlaying = Self.properties(state, self.commands).isPlaying
      state.position = PlaybackPosition(
        elapsed: info?.elapsed ?? 0, rate: isPlaying ? (info?.rate ?? 0) : 0, told: now, duration: info?.duration)
      return isSame && info != nil && state.position.isJump(from: old)
    }
  }

  var playbackState: MPNowPlayingPlaybackState { state.withLock { $0.playbackState } }

  func setPlaybackState(_ playbackState: MPNowPlayingPlaybackState) {
    publish { state, now in
      state.playbackState = playbackState
      let isPlaying = Self.properties(state, self.commands).isPlaying
      state.position.elapsed = state.position.seconds(at: now)
      state.position.told = now
      state.position.rate = isPlaying ? (state.info.map { $0.rate == 0 ? $0.defaultRate : $0.rate } ?? 0) : 0
      return false
    }
  }

  func setApplication(identity: String, desktopEntry: String?) {
    state.withLock { state in
      state.identity = identity
      state.desktopEntry = desktopEntry
    }
    publish()
  }

  // MARK: - What the bus is told

  func snapshot() -> Snapshot {
    let now = clock.now
    return state.withLock { state in
      Snapshot(properties: Self.properties(state, commands), position: state.position.seconds(at: now))
    }
  }

  /// A command changed: tells the bus, if the process is on it.
  fileprivate func publish() {
    state.withLock { state in
      if state.isActive { service.publish(Self.properties(state, commands).values, object: makeObject) }
    }
  }

  /// `change` tells whether the position jumped. Published under the lock, so that the newest state is told last.
  private func publish(_ change: (inout State, HostTime) -> Bool) {
    let now = clock.now
    state.withLock { state in
      let hasJumped = change(&state, now)
      state.isActive = true
      service.publish(
        Self.properties(state, commands).values,
        seeked: hasJumped ? PlaybackPosition.microseconds(state.position.seconds(at: now)) : nil,
        object: makeObject)
    }
  }

  private func makeObject() -> any BusObject { MPRISObject(center: self) }

  private static func properties(_ state: State, _ commands: MPRemoteCommandCenter) -> MPRISProperties {
    MPRISProperties(
      identity: state.identity, desktopEntry: state.desktopEntry, info: state.info,
      trackNumber: state.trackNumber, playbackState: state.playbackState, offers: CommandOffers(commands))
  }

  /// `org.mpris.MediaPlayer2.NAME.instancePID` (specification, "Bus Name Policy"); numbered ones for another process of
  /// the same id in a container.
  static func busNames(_ name: String) -> [String] {
    var element = String(name.unicodeScalars.map { $0.properties.isAlphabetic && $0.isASCII ? Character($0) : "_" })
    if element.isEmpty { element = "player" }
    let first = "\(MPRISProperties.root).\(element.prefix(64)).instance\(getpid())"
    return [first] + (2...4).map { "\(first)_\($0)" }
  }
}

/// Lets the commands, which the centre owns, tell it of a change.
private final class ChangeRelay: Sendable {
  struct Target {
    weak var center: DesktopCenter?
  }

  let center = Monitor<Target>(Target())
}
