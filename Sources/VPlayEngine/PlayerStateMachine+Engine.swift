import VPlayModel

/// What the reports of the engine do.
extension PlayerStateMachine {
  mutating func handle(_ event: EngineEvent) {
    switch event {
    case .entryReady(let id, let description): ready(id, description)
    case .entryFailed(let id, let error): failed(id, error)
    case .durationChanged(let id, let duration): setDuration(of: id, to: duration)
    case .bufferChanged(let id, let status):
      guard let index = index(of: id), queue[index].buffer != status else { return }
      queue[index].buffer = status
      effects.append(.changed(.itemBuffer(id, status)))
    case .tagsChanged(let id, let tags, let time):
      if index(of: id) != nil { effects.append(.tagsChanged(id, tags, time)) }
    case .seekFinished(let id, let success): seekFinished(id, success)
    case .advancing:
      isAdvancing = rate != 0
      stall = nil
    case .stalled(let reason): stalled(reason)
    case .passEnded(let id, let pass): passEnded(id, pass)
    case .entryEnded(let id): ended(id)
    case .outputFailed(let error):
      status = .failed(error)
      stop()
    case .outputLost: stalled(.output)
    case .outputRestored: if status.isFailure { status = current?.status == .ready ? .ready : .unknown }
    case .interrupted(let began):
      effects.append(.interrupted(began))
      if began { stop() }
    }
  }

  private mutating func stop() {
    rate = 0
    isAdvancing = false
    stall = nil
  }

  private mutating func ready(_ id: EntryID, _ description: MediaDescription) {
    guard let index = index(of: id), queue[index].status == .unknown else { return }
    queue[index].status = .ready
    queue[index].isSeekable = description.isSeekable
    if index == 0, status == .unknown { status = .ready }
    if let title = description.tags["title"], !title.isEmpty { effects.append(.changed(.itemTitle(id, title))) }
    effects.append(
      .changed(.itemSeekability(id, isSeekable: description.isSeekable, isRemote: description.isRemote)))
    effects.append(.changed(.itemStatus(id, .ready)))
    if let duration = description.duration { setDuration(of: id, to: duration) }
  }

  private mutating func setDuration(of id: EntryID, to duration: MediaTime) {
    guard let index = index(of: id), queue[index].duration != duration else { return }
    queue[index].duration = duration
    effects.append(.changed(.itemDuration(id, duration)))
  }

  private mutating func failed(_ id: EntryID, _ error: MediaError) {
    guard let index = index(of: id), !queue[index].hasFailed else { return }
    let wasPlayable = queue[index].status == .ready && !queue[index].hasEnded
    if index == 0 {
      queue[0].anchor = currentTime
      endSeek(false)
    }
    queue[index].status = .failed(error)
    effects.append(.changed(.itemStatus(id, .failed(error))))
    if index > 0 {
      effects.append(.released(id, queue.remove(at: index).anchor))
      return
    }
    if wasPlayable { effects.append(.failedToPlayToEnd(id, error)) }
    if actionAtItemEnd == .advance {
      dropCurrent()
    } else {
      stop()
    }
  }

  private mutating func seekFinished(_ id: SeekID, _ success: Bool) {
    guard let seek = pendingSeek, seek.id == id, let current else { return }
    let endsNow = hasEndWaiting && !success
    endSeek(success)
    if endsNow { ended(current.id) }
    let target = current.clamped(seek.target)
    jump = success ? target : time(of: position)
    if success {
      queue[0].anchor = target
      effects.append(.timeJumped(current.id))
    }
  }

  private mutating func stalled(_ reason: StallReason) {
    if timeControl == .playing, reason == .data, pendingSeek == nil, let current {
      effects.append(.playbackStalled(current.id))
    }
    isAdvancing = false
    stall = reason
  }

  private mutating func passEnded(_ id: EntryID, _ pass: Int) {
    guard let current, current.id == id, pass >= current.passesDone, !current.isOver else { return }
    queue[0].passesDone = pass + 1
    jump = current.start
    effects.append(.playedToEnd(id, pass: pass))
    effects.append(.changed(.loopCount(id, pass + 1)))
  }

  private mutating func ended(_ id: EntryID) {
    guard let current, current.id == id, !current.isOver else { return }
    if pendingSeek != nil, actionAtItemEnd != .advance {
      // The seek was asked before this end was known here: it wins, if it succeeds.
      hasEndWaiting = true
      return
    }
    let pass = current.passesDone
    queue[0].passesDone += 1
    effects.append(.playedToEnd(id, pass: pass))
    effects.append(.changed(.loopCount(id, pass + 1)))
    switch actionAtItemEnd {
    case .advance:
      endSeek(false)
      queue.removeFirst()
      effects.append(.released(id, current.limit ?? currentTime))
      currentChanged(keepsAdvancing: !queue.isEmpty)
    case .pause:
      queue[0].hasEnded = true
      hasStopped = true
      stop()
    case .none:
      queue[0].hasEnded = true
      hasStopped = true
    }
  }
}
