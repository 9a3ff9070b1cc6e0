public import Foundation
import VPlayModel
package import VPlayPulse

/// What the whole process agrees on about its sound.
///
/// As Apple's [AVAudioSession](https://developer.apple.com/documentation/avfaudio/avaudiosession), of which this is the
/// part that concerns playback. All calls may come from any thread. What is said of the route, of the volume and of
/// other programs' sound is the sound server's; the first such question waits for its answer, two seconds at most.
///
/// Observable: `outputVolume`.
// Safe to share: what is mutable is behind `state`'s lock.
open class AVAudioSession: NSObject, KeyValueObserving, @unchecked Sendable {
  struct State {
    var isOutputMuted = false
    var players: [ObjectIdentifier: WeakCore] = [:]
    /// The players that the server has asked to make way.
    var interrupted: Set<ObjectIdentifier> = []
    var configuration = SessionConfiguration()
    /// What the sound server has, while it is followed.
    var server = PulseServerState()
    var hasServerState = false
    /// The last state of this connection that had a route.
    var routed: PulseServerState?
    var serverObservation: AnyObject?
    /// The server was there once, and is gone.
    var hasLostServer = false
  }

  struct WeakCore {
    weak var core: PlayerCore?
  }

  private static let shared = AVAudioSession()
  let state = Monitor(State())
  let observations = ObservationList()
  private let notifications = DispatchQueue(label: "vplay.session-notifications")

  let sink: @Sendable () -> PulseSink

  override convenience init() {
    self.init(sink: { Outputs.pulse() })
  }

  /// A session of its own, for tests.
  package init(sink: @escaping @Sendable () -> PulseSink) {
    self.sink = sink
  }

  /// The one session of the process.
  open class func sharedInstance() -> AVAudioSession { shared }

  /// Mutes all players of the process, or lets them be heard again; their own volumes and mutes stay as they are.
  ///
  /// Posts ``outputMuteStateChangeNotification`` when it is a change. Never throws here; on Apple's systems it can.
  open func setOutputMuted(_ muted: Bool) throws {
    let players: [WeakCore]? = state.withLock { state in
      guard state.isOutputMuted != muted else { return nil }
      state.isOutputMuted = muted
      return Array(state.players.values)
    }
    guard let players else { return }
    for player in players { player.core?.gainChanged() }
    post(Self.outputMuteStateChangeNotification, [Self.muteStateKey: muted])
  }

  /// Whether all players of the process are muted. False at first.
  open var isOutputMuted: Bool { state.withLock { $0.isOutputMuted } }

  /// Posted, on a thread of VPlay's, after the process was muted or unmuted; `muteStateKey` tells which.
  public static let outputMuteStateChangeNotification = Notification.Name(
    "AVAudioSessionOutputMuteStateChangeNotification")

  /// The key of a Boolean in `outputMuteStateChangeNotification`: true when muted.
  public static let muteStateKey = "AVAudioSessionMuteStateKey"

  /// Posted, on a thread of VPlay's, when the sound server asks the process to make way for a call, and when that is
  /// over; the players have been paused. They do not resume by themselves.
  public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")

  /// Whether an interruption began or ended.
  public enum InterruptionType: UInt, Sendable {
    case ended = 0
    case began = 1
  }

  /// What goes with the end of an interruption.
  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// The sound may go on now.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  func add(_ core: PlayerCore) {
    state.withLock { $0.players[ObjectIdentifier(core)] = WeakCore(core: core) }
  }

  func remove(_ core: PlayerCore) {
    interrupted(core, false)
    state.withLock { _ = $0.players.removeValue(forKey: ObjectIdentifier(core)) }
  }

  func interrupted(_ core: PlayerCore, _ began: Bool) {
    let isChange = state.withLock { state in
      let wasInterrupted = !state.interrupted.isEmpty
      if began {
        state.interrupted.insert(ObjectIdentifier(core))
      } else {
        state.interrupted.remove(ObjectIdentifier(core))
      }
      return wasInterrupted == state.interrupted.isEmpty
    }
    guard isChange else { return }
    var info: [String: any Sendable] = [
      AVAudioSessionInterruptionTypeKey: (began ? InterruptionType.began : .ended).rawValue
    ]
    if !began { info[AVAudioSessionInterruptionOptionKey] = InterruptionOptions.shouldResume.rawValue }
    post(Self.interruptionNotification, info)
  }

  func post(_ name: Notification.Name, _ info: [String: any Sendable]) {
    notifications.async { NotificationCenter.default.post(name: name, object: self, userInfo: info) }
  }
}

/// The key of an `AVAudioSession.InterruptionType`'s raw value (`UInt`) in an interruption notification.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of `AVAudioSession.InterruptionOptions`' raw value (`UInt`) in the notification of an interruption's end.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
