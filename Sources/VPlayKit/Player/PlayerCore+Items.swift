import Foundation
import VPlayEngine
import VPlayModel

/// The queue, item by item.
extension PlayerCore {
  /// The item that is current while `id` is.
  func currentItem(_ id: EntryID, _ state: State) -> AVPlayerItem? {
    guard let entry = state.machine.queue.first(where: { $0.id == id }) else { return nil }
    return state.slots[id]?.item(ofPass: shownPass(of: entry))
  }

  private func shownPass(of entry: PlayerStateMachine.Entry) -> Int {
    min(entry.passesDone, max(0, (entry.passes ?? .max) - 1))
  }

  func currentItem() -> AVPlayerItem? {
    read { state in state.machine.current.flatMap { currentItem($0.id, state) } }
  }

  /// All items from the current one on. A looper's are those that come next, each once.
  func items() -> [AVPlayerItem] {
    read { state in
      state.machine.queue.flatMap { entry -> [AVPlayerItem] in
        guard let slot = state.slots[entry.id] else { return [] }
        let first = shownPass(of: entry)
        let left = min(slot.items.count, max(1, (entry.passes ?? .max) - first))
        return (first..<first + left).map { slot.item(ofPass: $0) }
      }
    }
  }

  /// Does nothing when another player has the item, or this one already.
  func replaceCurrentItem(with item: AVPlayerItem?) {
    perform(at: enginePosition()) { state in
      guard let item else { return state.machine.current == nil ? nil : .replaceCurrent(nil) }
      return claim(item, &state).map { .replaceCurrent($0) }
    }
  }

  func insert(_ item: AVPlayerItem, after other: AVPlayerItem?) {
    perform { state in
      guard let place = place(after: other, state) else { return nil }
      return claim(item, &state).map { .insert($0, place) }
    }
  }

  func canInsert(_ item: AVPlayerItem, after other: AVPlayerItem?) -> Bool {
    read { place(after: other, $0) != nil } && item.state.withLock { $0.owner == nil }
  }

  func remove(_ item: AVPlayerItem) {
    perform(at: enginePosition()) { state in
      guard let identity = identity(of: item) else { return nil }
      return .remove(identity.id)
    }
  }

  func insertLooper(
    _ looper: LooperState, start: MediaTime, end: MediaTime?, passes: Int?, place: PlayerStateMachine.Place
  ) {
    perform { state in
      for item in looper.items {
        item.state.withLock { state in
          state.owner = self
          state.entry = EntryIdentity(id: looper.entry, isLooping: true)
        }
      }
      state.slots[looper.entry] = .looper(looper)
      return .insert(
        PlayerStateMachine.Entry(id: looper.entry, start: start, end: end, passes: passes), place)
    }
  }

  /// Nil when `other` is not in the queue.
  private func place(after other: AVPlayerItem?, _ state: State) -> PlayerStateMachine.Place? {
    guard let other else { return .last }
    guard let identity = identity(of: other) else { return nil }
    return .after(identity.id)
  }

  /// The entry of an item that this player has.
  private func identity(of item: AVPlayerItem) -> EntryIdentity? {
    item.state.withLock { $0.owner === self ? $0.entry : nil }
  }

  /// Makes the item this player's; nil when it has a player.
  private func claim(_ item: AVPlayerItem, _ state: inout State) -> PlayerStateMachine.Entry? {
    let id = Self.makeEntryID()
    let entry: PlayerStateMachine.Entry? = item.state.withLock { state in
      guard state.owner == nil else { return nil }
      state.owner = self
      state.entry = EntryIdentity(id: id, isLooping: false)
      state.status = .unknown
      state.error = nil
      state.buffer = BufferStatus()
      state.streamTags = nil
      return PlayerStateMachine.Entry(id: id, start: state.time, end: state.end)
    }
    if entry != nil { state.slots[id] = .item(item) }
    return entry
  }

  // MARK: - Time

  /// The current item's time.
  func currentTime() -> MediaTime {
    let (basis, engine) = read { ($0.machine.timeBasis, $0.engine) }
    if case .fixed(let time) = basis { return time }
    let position = engine?.position(at: environment.clock.now)
    return read { $0.machine.time(of: position) }
  }

  /// The time of an item of this player; nil when it has left meanwhile.
  func time(of item: AVPlayerItem, entry identity: EntryIdentity) -> MediaTime? {
    let (isCurrent, anchor): (Bool, MediaTime?) = read { state in
      guard let entry = state.machine.queue.first(where: { $0.id == identity.id }) else { return (false, nil) }
      let isCurrent = entry.id == state.machine.current?.id && currentItem(entry.id, state) === item
      return (isCurrent, identity.isLooping ? entry.start : entry.anchor)
    }
    return isCurrent ? currentTime() : anchor
  }

  /// Moves the current item, or the one given. A nil target is refused.
  func seek(_ target: SeekTarget?, in item: AVPlayerItem? = nil, _ completion: SeekCompletion?) {
    perform { state in
      let id = state.machine.makeSeekID()
      if let completion { state.completions[id] = completion }
      guard let target else { return .refusedSeek(id) }
      let seek = PlayerStateMachine.Seek(
        id: id, target: target.time, toleranceBefore: target.toleranceBefore,
        toleranceAfter: target.toleranceAfter)
      var entry: EntryID?
      if let item {
        guard let identity = identity(of: item), !identity.isLooping || currentItem(identity.id, state) === item
        else { return .refusedSeek(id) }
        entry = identity.id
      }
      if entry == nil || entry == state.machine.current?.id {
        for index in state.told.indices { state.told[index].success = false }
      }
      return .seek(seek, in: entry)
    }
  }

  func cancelSeeks(of item: AVPlayerItem) {
    perform { _ in identity(of: item).map { .cancelSeeks($0.id) } }
  }

  func setEnd(of item: AVPlayerItem, to end: MediaTime?) {
    perform { _ in
      guard let identity = identity(of: item), !identity.isLooping else { return nil }
      return .setEnd(identity.id, end)
    }
  }
}

/// For who watches the time.
extension PlayerCore {
  struct HeardTime {
    var time: MediaTime
    /// 0 while time stands still.
    var rate: Double
    /// Also while time stands for a moment, the first sound being on its way.
    var isPlaying: Bool
  }

  /// Nil while a seek is under way.
  func heardTime() -> HeardTime? {
    let (machine, engine) = read { ($0.machine, $0.engine) }
    if machine.pendingSeek != nil { return nil }
    if case .fixed(let time) = machine.timeBasis { return HeardTime(time: time, rate: 0, isPlaying: false) }
    let position = engine?.position(at: environment.clock.now)
    let isPlaying = machine.timeControl == .playing
    return HeardTime(
      time: machine.time(of: position), rate: isPlaying ? position?.rate ?? 0 : 0, isPlaying: isPlaying)
  }

  /// When an item time will be heard, as far as that is known.
  func hostTime(of time: MediaTime) -> HostTime? {
    read { $0.engine }?.hostTime(of: time)
  }
}
