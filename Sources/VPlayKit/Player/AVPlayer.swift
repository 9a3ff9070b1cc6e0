@_exported import Foundation

open class AVPlayer: NSObject, @unchecked Sendable {
  public override init() {}
  public init(url: URL) {}
  public init(playerItem item: AVPlayerItem?) {}

  public enum Status: Int, Sendable { case unknown, readyToPlay, failed }
  public enum TimeControlStatus: Int, Sendable { case paused, waitingToPlayAtSpecifiedRate, playing }
  public enum ActionAtItemEnd: Int, Sendable { case advance, pause, none }
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    public static let evaluatingBufferingRate = WaitingReason(
      rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    public static let outputUnavailable = WaitingReason(rawValue: "VPlayWaitingForOutputReason")
  }

  /// VPlay's own: false when it is too late (a player exists) or already set.
  @discardableResult public static func setCallbackQueue(_ queue: DispatchQueue) -> Bool { true }
  /// VPlay's own. Settable until the first play.
  public var audioOutput: AudioOutput {
    get { .automatic }
    set {}
  }
  public var audioOutputDeviceUniqueID: String? {
    get { nil }
    set {}
  }

  open var currentItem: AVPlayerItem? { nil }
  open func replaceCurrentItem(with item: AVPlayerItem?) {}
  open var status: Status { .unknown }
  open var error: (any Error)? { nil }
  open var timeControlStatus: TimeControlStatus { .paused }
  open var reasonForWaitingToPlay: WaitingReason? { nil }
  open var actionAtItemEnd: ActionAtItemEnd {
    get { .pause }
    set {}
  }
  open var rate: Float {
    get { 0 }
    set {}
  }
  open var defaultRate: Float {
    get { 1 }
    set {}
  }
  open func play() {}
  open func pause() {}
  open var volume: Float {
    get { 1 }
    set {}
  }
  open var isMuted: Bool {
    get { false }
    set {}
  }

  open func currentTime() -> CMTime { .zero }
  open func seek(to time: CMTime) {}
  open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {}
  open func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {}
  open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {}
  @discardableResult open func seek(to time: CMTime) async -> Bool { false }
  @discardableResult open func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime
  ) async -> Bool { false }

  open func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any { 0 }
  open func removeTimeObserver(_ observer: Any) {}

  public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
}

extension AVPlayer: KeyValueObserving {}
