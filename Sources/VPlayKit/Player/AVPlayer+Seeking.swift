extension AVPlayer {
  /// Where the current item is, as heard: 0 to its duration. From a seek's call on its target; at the end of an item its
  /// end. Zero without an item.
  public func currentTime() -> CMTime {
    CMTime(core.currentTime())
  }

  /// ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)`` with infinite tolerances.
  public func seek(to time: CMTime) {
    seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
  }

  /// ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)`` without a handler.
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
    core.seek(SeekTarget(time, toleranceBefore, toleranceAfter), nil)
  }

  /// ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)`` with infinite tolerances.
  public func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
    seek(
      to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
      completionHandler: completionHandler)
  }

  /// Moves the current item to `time`, playing or paused as it is.
  ///
  /// The time is clamped to 0 and the duration, or the item's `forwardPlaybackEndTime`. A time that is no number is
  /// refused, as is any while there is no item, or one that failed or cannot be sought in. Seeks are exact where the
  /// medium allows it, whatever the tolerances; those tell how far from `time` the result may be.
  ///
  /// `completionHandler` is called once: with true when the place is reached, with false when the seek was refused, or
  /// ended by a newer one, by another item, by a failure, or with the player. On the main queue, or the one of
  /// ``setCallbackQueue(_:)``.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: @escaping @Sendable (Bool) -> Void
  ) {
    core.seek(SeekTarget(time, toleranceBefore, toleranceAfter), .queued(completionHandler))
  }

  /// The same with infinite tolerances, telling whether the place was reached. Needs no callback queue.
  @discardableResult
  public func seek(to time: CMTime) async -> Bool {
    await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
  }

  /// The same, telling whether the place was reached. Needs no callback queue.
  @discardableResult
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in
      core.seek(
        SeekTarget(time, toleranceBefore, toleranceAfter), .direct { continuation.resume(returning: $0) })
    }
  }
}
