@_exported public import Foundation
package import VPlayEngine
package import VPlayModel

/// Plays one item at a time.
///
/// As Apple's [AVPlayer](https://developer.apple.com/documentation/avfoundation/avplayer).
///
/// All calls may come from any thread, and none waits for the medium, the network or the sound server. What a call
/// changes is visible, and reported to observations, before it returns. Changes during playback are reported in order
/// on the main queue, or the one of ``setCallbackQueue(_:)``; notifications are posted on a thread of VPlay's. Handlers
/// may call anything, and may drop the last reference to the player. Playback never waits for a handler.
///
/// A player that is dropped stops: its sound ends within 200 ms, and no handler begins any more but those of pending
/// seeks, which get false.
///
/// Observable: `currentItem`, `rate`, `timeControlStatus`, `reasonForWaitingToPlay`, `status`, `error`, `volume`,
/// `isMuted`, `defaultRate`, `actionAtItemEnd`.
// Safe to share: its one stored property is a `let` of a Sendable type.
open class AVPlayer: NSObject, KeyValueObserving, @unchecked Sendable {
  let core: PlayerCore

  /// A player without an item.
  public override init() {
    core = PlayerCore(environment: .system, actionAtItemEnd: .pause)
    super.init()
    core.attach(self)
  }

  /// A player of the medium at `url`, which begins to be opened at once.
  public init(url: URL) {
    core = PlayerCore(environment: .system, actionAtItemEnd: .pause)
    super.init()
    core.attach(self, playing: AVPlayerItem(url: url))
  }

  /// A player of `item`, which begins to be opened at once. Without one when another player has the item.
  public init(playerItem item: AVPlayerItem?) {
    core = PlayerCore(environment: .system, actionAtItemEnd: .pause)
    super.init()
    core.attach(self, playing: item)
  }

  /// A player on clock, outputs and sources of one's own.
  package init(environment: PlayerEnvironment) {
    core = PlayerCore(environment: environment, actionAtItemEnd: .pause)
    super.init()
    core.attach(self)
  }

  /// A player on an engine's environment, for tests.
  package convenience init(
    environment: EngineEnvironment, makeSource: @escaping @Sendable (URL) -> any MediaSource
  ) {
    self.init(environment: PlayerEnvironment(environment: environment, makeSource: makeSource))
  }

  /// For players of another kind.
  init(core: PlayerCore) {
    self.core = core
    super.init()
    core.attach(self)
  }

  deinit {
    core.shutdown()
  }

  // MARK: - Item

  /// What is played; of a looper, the item that stands for the present pass.
  open var currentItem: AVPlayerItem? {
    core.observations.access(.currentItem)
    return core.currentItem()
  }

  /// Plays `item` instead, at the same rate, from where it stands; nil for nothing.
  ///
  /// The old item's source is closed, and its pending seeks get false. Where Apple's player raises, for an item that
  /// has a player already, nothing happens.
  open func replaceCurrentItem(with item: AVPlayerItem?) {
    if item != nil { core.prepareOutput() }
    core.replaceCurrentItem(with: item)
  }

  /// What the player does when its item has ended. `.pause` at first, `.advance` for an ``AVQueuePlayer``; a plain
  /// player ignores `.advance`, where Apple's raises.
  open var actionAtItemEnd: ActionAtItemEnd {
    get {
      core.observations.access(.actionAtItemEnd)
      return ActionAtItemEnd(core.read { $0.machine.actionAtItemEnd })
    }
    set {
      guard newValue != .advance || self is AVQueuePlayer else { return }
      core.perform { _ in .setActionAtItemEnd(newValue.action) }
      core.observations.report(.actionAtItemEnd)
    }
  }

  // MARK: - Rate

  /// Sets the rate to ``defaultRate``.
  ///
  /// At the end of an item nothing happens until a seek, or another item. After the sound output failed this tries it
  /// anew.
  open func play() {
    rate = defaultRate
  }

  /// Sets the rate to 0. Heard within 45 ms, as a fade of 5 ms.
  open func pause() {
    rate = 0
  }

  /// ``pause()``, and calls `completionHandler`, once, when the last of its fade has been heard: then the program can end,
  /// or be stopped, without a click. VPlay's own.
  ///
  /// On the main queue, or the one of ``setCallbackQueue(_:)``. It is called, too, when there is nothing to fade, when
  /// playing goes on meanwhile, and when the player goes.
  open func pause(completionHandler: @escaping @Sendable () -> Void) {
    pause()
    core.whenQuiet(completionHandler)
  }

  /// Media seconds a second: 0 is paused, 1 plays. From 1/32 to 32, to which others are clamped; below 0, which no item
  /// here can play, is 0, and NaN is ignored. The rate stays what it is while the player waits for data, output or an item; at an item's end
  /// `actionAtItemEnd` rules.
  ///
  /// The pitch is kept, or goes with the rate, by the item's ``AVPlayerItem/audioTimePitchAlgorithm``. A change in mid-play is heard
  /// within 100 ms where the medium is at hand, without a gap; in a medium that cannot be sought in, with what is decoded next.
  open var rate: Float {
    get {
      core.observations.access(.rate)
      return Float(core.read { $0.machine.rate })
    }
    set { core.setRate(newValue) }
  }

  /// Sets the rate so that `itemTime` is heard at `hostClockTime`: players that are given the same host time begin together, within
  /// 5 ms on PulseAudio, on PipeWire within the length of its quantum.
  ///
  /// Without a sound server's help nothing can begin at once: give it 0.3 s or more to open its stream, and have the item
  /// ready. What is asked for too late is begun where it would be by then, had it begun in time; at first a part of it is not
  /// heard. It holds for sound servers and for no output; a file begins at its beginning.
  /// - Parameters:
  ///   - rate: As ``rate``; 0 pauses.
  ///   - itemTime: Where to begin; invalid for where the item stands.
  ///   - hostClockTime: Of ``CMClock/hostTimeClock``; invalid for as soon as can be.
  open func setRate(_ rate: Float, time itemTime: CMTime, atHostTime hostClockTime: CMTime) {
    let time = itemTime.mediaTime
    guard rate > 0, hostClockTime.isNumeric else {
      if let time { core.seek(SeekTarget(CMTime(time), .zero, .zero), nil) }
      self.rate = rate
      return
    }
    let host = HostTime(nanoseconds: hostClockTime.convertScale(1_000_000_000).value)
    core.setRate(rate, time: time, at: host)
  }

  /// The rate of ``play()``. 1 at first; clamped like ``rate``.
  open var defaultRate: Float {
    get {
      core.observations.access(.defaultRate)
      return core.read { $0.defaultRate }
    }
    set {
      core.state.withLock { $0.defaultRate = PlayableRate.rate(newValue, from: $0.defaultRate) }
      core.observations.report(.defaultRate)
    }
  }

  /// Whether the player plays, waits or is paused.
  open var timeControlStatus: TimeControlStatus {
    core.observations.access(.timeControlStatus)
    switch core.read({ $0.machine.timeControl }) {
    case .paused: return .paused
    case .waiting: return .waitingToPlayAtSpecifiedRate
    case .playing: return .playing
    }
  }

  /// Why the player waits, nil when it does not.
  open var reasonForWaitingToPlay: WaitingReason? {
    core.observations.access(.reasonForWaitingToPlay)
    if case .waiting(let reason) = core.read({ $0.machine.timeControl }) { return WaitingReason(reason) }
    return nil
  }

  // MARK: - Status

  /// `readyToPlay` once an item was opened; `failed` when there is no sound output, until ``play()`` tries again or the
  /// sound server is back.
  open var status: Status {
    core.observations.access(.status)
    switch core.read({ $0.machine.status }) {
    case .unknown: return .unknown
    case .ready: return .readyToPlay
    case .failed: return .failed
    }
  }

  /// Why the status is `failed`: an ``AVError``; else nil. An item's own failure is in its own `error`.
  open var error: (any Error)? {
    core.observations.access(.error)
    if case .failed(let error) = core.read({ $0.machine.status }) { return AVError(error) }
    return nil
  }

  /// Why the rate changed, as Apple's
  /// [RateDidChangeReason](https://developer.apple.com/documentation/avfoundation/avplayer/ratedidchangereason).
  public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A call, or the end of an item.
    public static let setRateCalled = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
    /// A call began that others than this program take part in.
    public static let audioSessionInterrupted = RateDidChangeReason(
      rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
  }

  /// The key of a ``RateDidChangeReason`` in ``rateDidChangeNotification``.
  public static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReasonKey"

  /// Posted after the rate changed, on a thread of VPlay's.
  public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")

  /// Where changes during playback are reported: the main queue, unless this is called, once, before the first player is
  /// made. For programs whose main thread runs no main queue. VPlay's own.
  ///
  /// Reports come one after the other even if `queue` is concurrent. Returns whether the choice was taken.
  @discardableResult
  public static func setCallbackQueue(_ queue: DispatchQueue) -> Bool {
    CallbackQueue.choose(queue)
  }
}
