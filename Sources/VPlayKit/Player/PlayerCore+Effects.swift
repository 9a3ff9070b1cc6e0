import Foundation
import VPlayEngine
import VPlayModel

extension PlayerCore {
  /// What is to be reported once the lock is free.
  struct Outcome: Sendable {
    struct Change: Sendable {
      var list: ObservationList
      var property: ObservedProperty
    }

    var changes: [Change] = []
    /// Held until then: the last reference to a user's object must not go under the lock.
    var released: [AVPlayerItem] = []

    var isEmpty: Bool { changes.isEmpty && released.isEmpty }

    mutating func add(_ list: ObservationList, _ properties: ObservedProperty...) {
      changes += properties.map { Change(list: list, property: $0) }
    }
  }

  /// Gives an input to the machine and does what follows. With the lock held.
  func take(_ input: PlayerStateMachine.Input, at position: EnginePosition?, _ state: inout State) -> Outcome {
    let effects = state.machine.handle(input, at: position)
    var commands: [PlayerStateMachine.Command] = []
    for case .command(let command) in effects { commands.append(command) }
    if !commands.isEmpty { carryOut(commands, &state) }
    var outcome = Outcome()
    for effect in effects { apply(effect, &state, &outcome) }
    var isInterrupted = false
    for case .interrupted(true) in effects { isInterrupted = true }
    for case .changed(.rate) in effects { postRateChange(isInterrupted ? .audioSessionInterrupted : .setRateCalled) }
    return outcome
  }

  private func apply(_ effect: PlayerStateMachine.Effect, _ state: inout State, _ outcome: inout Outcome) {
    switch effect {
    case .command: break
    case .changed(let property): apply(property, state, &outcome)
    case .seekCompleted(let id, let success): complete(id, success, &state)
    case .playedToEnd(let id, let pass):
      guard let item = state.slots[id]?.item(ofPass: pass) else { return }
      post(AVPlayerItem.didPlayToEndTimeNotification, item)
    case .failedToPlayToEnd(let id, let error):
      guard let item = state.slots[id]?.items.first else { return }
      post(
        AVPlayerItem.failedToPlayToEndTimeNotification, item,
        [AVPlayerItemFailedToPlayToEndTimeErrorKey: AVError(error)])
    case .playbackStalled(let id):
      if let item = currentItem(id, state) { post(AVPlayerItem.playbackStalledNotification, item) }
    case .tagsChanged(let id, let tags, let time):
      currentItem(id, state)?.state.withLock { $0.streamTags = (tags, time) }
    case .timeJumped(let id):
      if let item = currentItem(id, state) { post(AVPlayerItem.timeJumpedNotification, item) }
    case .timeMoved(let move): timeObservers.timeMoved(move)
    case .released(let id, let time): release(id, time, &state, &outcome)
    case .interrupted(let began): AVAudioSession.sharedInstance().interrupted(self, began)
    }
  }

  private func apply(_ property: PlayerStateMachine.Property, _ state: State, _ outcome: inout Outcome) {
    switch property {
    case .currentItem: outcome.add(observations, .currentItem)
    case .rate: outcome.add(observations, .rate)
    case .timeControl: outcome.add(observations, .timeControlStatus)
    case .waitingReason: outcome.add(observations, .reasonForWaitingToPlay)
    case .status: outcome.add(observations, .status, .error)
    case .itemStatus(let id, let status):
      guard let slot = state.slots[id] else { return }
      var error: AVError?
      if case .failed(let reason) = status { error = AVError(reason) }
      for item in slot.items {
        item.state.withLock { state in
          state.status = error == nil ? .readyToPlay : .failed
          state.error = error
        }
        outcome.add(item.observations, .status, .error)
      }
      if case .looper(let looper) = slot {
        looper.opened(error)
        outcome.add(looper.observations, .status, .error)
      }
    case .itemTitle(let id, let title):
      for item in state.slots[id]?.items ?? [] { item.state.withLock { $0.title = title } }
    case .itemDuration(let id, let duration):
      for item in state.slots[id]?.items ?? [] {
        item.state.withLock { $0.duration = duration }
        outcome.add(item.observations, .duration, .loadedTimeRanges, .seekableTimeRanges)
      }
    case .itemBuffer(let id, let status):
      for item in state.slots[id]?.items ?? [] {
        item.state.withLock { $0.buffer = status }
        outcome.add(
          item.observations, .isPlaybackLikelyToKeepUp, .isPlaybackBufferEmpty, .isPlaybackBufferFull, .loadedTimeRanges
        )
      }
    case .itemSeekability(let id, let isSeekable, let isRemote):
      for item in state.slots[id]?.items ?? [] {
        item.state.withLock { state in
          state.isSeekable = isSeekable
          state.isRemote = isRemote
        }
        outcome.add(item.observations, .seekableTimeRanges)
      }
    case .loopCount(let id, let count):
      guard case .looper(let looper)? = state.slots[id] else { return }
      looper.setLoopCount(count)
      outcome.add(looper.observations, .loopCount)
    }
  }

  private func release(_ id: EntryID, _ time: MediaTime, _ state: inout State, _ outcome: inout Outcome) {
    guard let slot = state.slots.removeValue(forKey: id) else { return }
    for item in slot.items {
      item.state.withLock { state in
        state.owner = nil
        state.entry = nil
        if case .item = slot { state.time = time }
      }
    }
    outcome.released += slot.items
  }

  // MARK: - Seeks

  private func complete(_ id: SeekID, _ success: Bool, _ state: inout State) {
    switch state.completions.removeValue(forKey: id) {
    case .queued(let handler):
      state.told.append(ToldSeek(success: success, handler: handler))
      callbacks.async { [weak self] in self?.tellNext() }
    case .direct(let resume):
      // Resuming may run a user's executor: not under the lock.
      DispatchQueue.global().async { resume(success) }
    case nil: break
    }
  }

  /// One of the seeks that are over is told; `shutdown` tells those that are left.
  private func tellNext() {
    let seek = state.withLock { $0.told.isEmpty ? nil : $0.told.removeFirst() }
    if let seek { seek.handler(seek.success) }
  }

  // MARK: - Notifications

  private func post(_ name: Notification.Name, _ item: AVPlayerItem, _ info: [String: any Sendable]? = nil) {
    notifications.async { [weak self] in
      guard let self, !self.read({ $0.isOver }) else { return }
      NotificationCenter.default.post(name: name, object: item, userInfo: info)
    }
  }

  private func postRateChange(_ reason: AVPlayer.RateDidChangeReason) {
    notifications.async { [weak self] in
      guard let player = self?.player else { return }
      NotificationCenter.default.post(
        name: AVPlayer.rateDidChangeNotification, object: player, userInfo: [AVPlayer.rateDidChangeReasonKey: reason])
    }
  }
}
