import VPlayModel

/// What the calls of the user do.
extension PlayerStateMachine {
  mutating func handleCall(_ input: Input) {
    switch input {
    case .setRate(let rate): setRate(rate)
    case .setActionAtItemEnd(let action): actionAtItemEnd = action
    case .replaceCurrent(let entry): replaceCurrent(with: entry)
    case .insert(let entry, let place): insert(entry, place)
    case .remove(let id): remove(id)
    case .removeAll: removeAll()
    case .advance: dropCurrent()
    case .seek(let seek, let id): start(seek, in: id)
    case .refusedSeek(let id): effects.append(.seekCompleted(id, false))
    case .cancelSeeks(let id): if current?.id == id { cancelSeek() }
    case .setEnd(let id, let end): setEnd(of: id, to: end)
    case .stopLooping(let id): stopLooping(id)
    case .engine(let event): handle(event)
    case .shutdown:
      rate = 0
      removeAll()
    }
  }

  private mutating func setRate(_ newRate: Double) {
    guard newRate != rate || status.isFailure else { return }
    if newRate != 0 {
      guard current.map({ !$0.hasFailed }) ?? true else { return }
      if current?.hasEnded == true {
        guard actionAtItemEnd == .advance else { return }
        dropCurrent()
      }
      if status.isFailure { status = .unknown }
      if status == .unknown, current?.status == .ready { status = .ready }
    }
    if rate == 0 || newRate == 0 {
      isAdvancing = false
      stall = nil
    }
    rate = newRate
  }

  private mutating func replaceCurrent(with entry: Entry?) {
    endSeek(false)
    if let old = current {
      queue.removeFirst()
      effects.append(.released(old.id, currentTime))
    }
    if let entry { queue.insert(entry, at: 0) }
    currentChanged()
  }

  private mutating func insert(_ entry: Entry, _ place: Place) {
    var index = queue.endIndex
    switch place {
    case .first: index = 0
    case .last: break
    case .after(let id): index = self.index(of: id).map { $0 + 1 } ?? queue.endIndex
    }
    if index == 0 { endSeek(false) }
    queue.insert(entry, at: index)
    if index == 0 { currentChanged() }
  }

  private mutating func remove(_ id: EntryID) {
    guard let index = index(of: id) else { return }
    if index == 0 { return dropCurrent() }
    effects.append(.released(id, queue.remove(at: index).anchor))
  }

  private mutating func removeAll() {
    guard !queue.isEmpty else { return }
    endSeek(false)
    for (index, entry) in queue.enumerated() {
      effects.append(.released(entry.id, index == 0 ? currentTime : entry.anchor))
    }
    queue = []
    currentChanged()
  }

  private mutating func start(_ seek: Seek, in id: EntryID?) {
    guard let index = id.map(index(of:)) ?? (queue.isEmpty ? nil : 0) else {
      return effects.append(.seekCompleted(seek.id, false))
    }
    guard queue[index].isSeekable, !queue[index].hasFailed else {
      return effects.append(.seekCompleted(seek.id, false))
    }
    let target = queue[index].clamped(seek.target)
    queue[index].anchor = target
    guard index == 0 else {
      queue[index].firstTime = target
      return effects.append(.seekCompleted(seek.id, true))
    }
    endSeek(false)
    begin(
      Seek(
        id: seek.id, target: target, toleranceBefore: seek.toleranceBefore,
        toleranceAfter: seek.toleranceAfter))
    isSeekAsked = true
  }

  private mutating func cancelSeek() {
    guard let seek = pendingSeek, isSeekAsked else { return }
    isSeekAsked = false
    effects.append(.seekCompleted(seek.id, false))
  }

  private mutating func setEnd(of id: EntryID, to end: MediaTime?) {
    guard let index = index(of: id), queue[index].end != end else { return }
    queue[index].end = end
  }

  private mutating func stopLooping(_ id: EntryID) {
    guard let index = index(of: id) else { return }
    let passes = queue[index].passesDone + 1
    guard queue[index].passes.map({ $0 > passes }) ?? true else { return }
    queue[index].passes = passes
  }

  /// Ends the current entry, and the next one is the current.
  mutating func dropCurrent() {
    guard let old = current else { return }
    endSeek(false)
    queue.removeFirst()
    effects.append(.released(old.id, currentTime))
    currentChanged()
  }

  /// To be called when the first entry of the queue is another one.
  ///
  /// Whether time advances stays as it is: the engine goes on from one entry to the next without a report.
  mutating func currentChanged(keepsAdvancing: Bool = false) {
    jump = current?.anchor ?? .zero
    if !keepsAdvancing {
      isAdvancing = false
      stall = nil
    }
    guard let current else { return }
    if status == .unknown, current.status == .ready { status = .ready }
    if let time = current.firstTime {
      queue[0].firstTime = nil
      if time != current.start {
        begin(Seek(id: makeSeekID(), target: time))
        isSeekAsked = false
      }
    }
  }

  private mutating func begin(_ seek: Seek) {
    pendingSeek = seek
    seekCommand = seek
    if queue[0].hasEnded {
      // The pass that was over is heard again.
      queue[0].hasEnded = false
      queue[0].passesDone -= 1
    }
  }

  /// The pending seek, if any, is over.
  mutating func endSeek(_ success: Bool) {
    hasEndWaiting = false
    guard let seek = pendingSeek else { return }
    pendingSeek = nil
    if isSeekAsked { effects.append(.seekCompleted(seek.id, success)) }
    isSeekAsked = false
  }
}

extension PlayerStateMachine.PlayerStatus {
  var isFailure: Bool {
    if case .failed = self { return true }
    return false
  }
}
