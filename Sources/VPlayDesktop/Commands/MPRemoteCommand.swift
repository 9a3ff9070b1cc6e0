public import Foundation
import VPlayModel

/// What a handler says of a command. Desktops on Linux are not told.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
  case success = 0
  case noSuchContent = 100
  case noActionableNowPlayingItem = 110
  case deviceNotFound = 120
  case commandFailed = 200
}

/// One thing that the desktop may ask for.
///
/// As Apple's [MPRemoteCommand](https://developer.apple.com/documentation/mediaplayer/mpremotecommand). It is offered to
/// the desktop while it is enabled and has a target. All calls may come from any thread; handlers are called on the main
/// queue, or the one of `AVPlayer.setCallbackQueue(_:)`.
// Safe to share: what is mutable is behind `state`'s lock.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
  /// A block that answers a command.
  public typealias Handler = @Sendable (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus

  private final class Target: NSObject, Sendable {
    let handler: Handler
    init(_ handler: @escaping Handler) { self.handler = handler }
  }

  private struct State {
    var isEnabled = true
    var targets: [Target] = []
  }

  private let state = Monitor(State())
  /// Called after something that the desktop sees has changed, outside the lock.
  let changed: @Sendable () -> Void

  init(changed: @escaping @Sendable () -> Void) {
    self.changed = changed
  }

  /// Whether the desktop may ask for it. True at first.
  open var isEnabled: Bool {
    get { state.withLock { $0.isEnabled } }
    set {
      state.withLock { $0.isEnabled = newValue }
      changed()
    }
  }

  /// Adds a block that answers, after those that were added before. The result ends it, by ``removeTarget(_:)``.
  @discardableResult
  open func addTarget(handler: @escaping Handler) -> Any {
    let target = Target(handler)
    state.withLock { $0.targets.append(target) }
    changed()
    return target
  }

  /// Takes a block back; nil takes all. What is no target of this command is ignored.
  open func removeTarget(_ target: Any?) {
    state.withLock { state in
      if let target {
        state.targets.removeAll { $0 === target as AnyObject }
      } else {
        state.targets = []
      }
    }
    changed()
  }

  /// Enabled, with a target.
  var isOffered: Bool { state.withLock { $0.isEnabled && !$0.targets.isEmpty } }

  /// Calls the targets in order, while the command is enabled.
  func perform(_ event: MPRemoteCommandEvent) {
    for target in state.withLock({ $0.isEnabled ? $0.targets : [] }) { _ = target.handler(event) }
  }
}

/// As Apple's
/// [MPSkipIntervalCommand](https://developer.apple.com/documentation/mediaplayer/mpskipintervalcommand).
// Safe to share: as its parent.
open class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
  private let intervals = Monitor<[NSNumber]>([])

  /// Seconds that a skip may have; the desktop's own wish when empty.
  open var preferredIntervals: [NSNumber] {
    get { intervals.withLock { $0 } }
    set { intervals.withLock { $0 = newValue } }
  }
}

/// As Apple's
/// [MPChangePlaybackPositionCommand](https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackpositioncommand).
// Safe to share: as its parent.
open class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

/// As Apple's
/// [MPChangePlaybackRateCommand](https://developer.apple.com/documentation/mediaplayer/mpchangeplaybackratecommand).
// Safe to share: as its parent.
open class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
  private let rates = Monitor<[NSNumber]>([])

  /// The rates to offer; 1 alone when empty. The desktop is told the least and the greatest above 0.
  open var supportedPlaybackRates: [NSNumber] {
    get { rates.withLock { $0 } }
    set {
      rates.withLock { $0 = newValue }
      changed()
    }
  }
}

/// What is repeated, as Apple's [MPRepeatType](https://developer.apple.com/documentation/mediaplayer/mprepeattype).
public enum MPRepeatType: Int, Sendable {
  case off = 0
  case one = 1
  case all = 2
}

/// What is shuffled, as Apple's [MPShuffleType](https://developer.apple.com/documentation/mediaplayer/mpshuffletype).
public enum MPShuffleType: Int, Sendable {
  case off = 0
  case items = 1
  case collections = 2
}

/// As Apple's
/// [MPChangeRepeatModeCommand](https://developer.apple.com/documentation/mediaplayer/mpchangerepeatmodecommand).
// Safe to share: as its parent.
open class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
  private let current = Monitor(MPRepeatType.off)

  /// What is repeated now.
  open var currentRepeatType: MPRepeatType {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      changed()
    }
  }
}

/// As Apple's
/// [MPChangeShuffleModeCommand](https://developer.apple.com/documentation/mediaplayer/mpchangeshufflemodecommand).
// Safe to share: as its parent.
open class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
  private let current = Monitor(MPShuffleType.off)

  /// What is shuffled now.
  open var currentShuffleType: MPShuffleType {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      changed()
    }
  }
}

/// The desktop moves the player's own volume. VPlay's own: Apple's systems have no such command.
// Safe to share: as its parent.
open class MPChangeVolumeCommand: MPRemoteCommand, @unchecked Sendable {
  private let current = Monitor<Float>(1)

  /// The volume now, a linear factor from 0 to 1.
  open var currentVolume: Float {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue.isNaN ? $0 : min(max(newValue, 0), 1) }
      changed()
    }
  }
}
