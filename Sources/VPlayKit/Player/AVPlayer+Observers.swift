public import Foundation

extension AVPlayer {
  /// Calls `block` at each multiple of `interval` in the item's time, when it is heard, and whenever playback starts,
  /// stops or jumps.
  ///
  /// The block is given the multiple, or the time of the start, stop or jump. Intervals are 1 ms at least; of one that is
  /// no positive number only starts, stops and jumps are told. A queue that does not run holds 1000 calls at most.
  /// - Parameters:
  ///   - interval: In seconds of the item.
  ///   - queue: Where the block is called; nil is the main queue.
  ///   - block: Called once for each such time.
  /// - Returns: The observer, which lasts until it is given to ``removeTimeObserver(_:)`` or dropped.
  public func addPeriodicTimeObserver(
    forInterval interval: CMTime, queue: DispatchQueue?, using block: @escaping @Sendable (CMTime) -> Void
  ) -> Any {
    let schedule = PeriodicSchedule(interval: interval.mediaTime, at: core.currentTime())
    return core.timeObservers.add(.periodic(schedule), queue: queue ?? .main, block)
  }

  /// Calls `block` each time that playback passes one of `times`, when that is heard.
  ///
  /// A seek passes none of them: one from which playback goes on is not called for. Times that are no numbers are left out; of
  /// none at all, where Apple's player raises, nothing is called. A queue that does not run holds 1000 calls at most.
  /// - Parameters:
  ///   - times: `CMTime`s of the item, in any order.
  ///   - queue: Where the block is called; nil is the main queue.
  ///   - block: Called once for each time that is passed.
  /// - Returns: The observer, which lasts until it is given to ``removeTimeObserver(_:)`` or dropped.
  public func addBoundaryTimeObserver(
    forTimes times: [NSValue], queue: DispatchQueue?, using block: @escaping @Sendable () -> Void
  ) -> Any {
    let schedule = BoundarySchedule(times: times.compactMap { $0.timeValue.mediaTime }, at: core.currentTime())
    return core.timeObservers.add(.boundary(schedule), queue: queue ?? .main) { _ in block() }
  }

  /// Ends a time observer of this player: no call of its block begins after this returns. One that runs on another thread
  /// may still be running.
  ///
  /// What is no observer, or another player's, or removed already, is ignored; Apple's player raises.
  public func removeTimeObserver(_ observer: Any) {
    (observer as? TimeObserverToken)?.end(of: core.timeObservers)
  }
}
