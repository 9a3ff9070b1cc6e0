import VPlayModel

extension AVPlayerItem {
  /// Where the item is, as heard: 0 to `duration`. From a seek's call on its target.
  ///
  /// An item that no player has stays where it was left, or sought.
  public func currentTime() -> CMTime {
    let (owner, entry, time) = state.withLock { ($0.owner, $0.entry, $0.time) }
    guard let owner, let entry else { return CMTime(time) }
    return CMTime(owner.time(of: self, entry: entry) ?? time)
  }

  /// ``seek(to:toleranceBefore:toleranceAfter:completionHandler:)`` with infinite tolerances.
  public func seek(to time: CMTime, completionHandler: (@Sendable (Bool) -> Void)?) {
    seek(
      to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity,
      completionHandler: completionHandler)
  }

  /// Moves to `time`; see ``AVPlayer/seek(to:toleranceBefore:toleranceAfter:completionHandler:)``.
  ///
  /// An item that is not its player's current one, or has no player, will begin there.
  public func seek(
    to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
    completionHandler: (@Sendable (Bool) -> Void)?
  ) {
    seek(SeekTarget(time, toleranceBefore, toleranceAfter), completionHandler.map { .queued($0) })
  }

  /// The same, telling whether it was completed.
  @discardableResult
  public func seek(to time: CMTime) async -> Bool {
    await seek(to: time, toleranceBefore: .positiveInfinity, toleranceAfter: .positiveInfinity)
  }

  /// The same, telling whether it was completed.
  @discardableResult
  public func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
    await withCheckedContinuation { continuation in
      seek(SeekTarget(time, toleranceBefore, toleranceAfter), .direct { continuation.resume(returning: $0) })
    }
  }

  /// Ends the seek under way, if there is one, for who waits for it: with false. Where it leads to stays.
  public func cancelPendingSeeks() {
    state.withLock { $0.owner }?.cancelSeeks(of: self)
  }

  private func seek(_ target: SeekTarget?, _ completion: SeekCompletion?) {
    let owner: PlayerCore? = state.withLock { state in
      if let owner = state.owner { return owner }
      if let target { state.time = max(target.time, .zero) }
      return nil
    }
    if let owner {
      owner.seek(target, in: self, completion)
    } else {
      completion?.call(target != nil, on: CallbackQueue.seal())
    }
  }
}
