package import VPlayModel

/// What a player is, between the calls of its user and the reports of its engine. A value: inputs in, effects out.
///
/// Commands to the engine come first in the effects and are to be given in that order; nothing else is ordered with
/// them. All times are item times.
package struct PlayerStateMachine: Sendable {
  package enum ItemStatus: Sendable, Equatable {
    case unknown, ready
    case failed(MediaError)
  }

  package enum ActionAtItemEnd: Sendable, Equatable {
    case advance, pause, none
  }

  package enum WaitingReason: Sendable, Equatable {
    case noItem, evaluating, data, output
  }

  package enum TimeControl: Sendable, Equatable {
    case paused, playing
    case waiting(WaitingReason)
  }

  package enum PlayerStatus: Sendable, Equatable {
    case unknown, ready
    case failed(SinkError)
  }

  /// One item of the queue; a looper's item is one entry of many passes.
  package struct Entry: Sendable, Equatable {
    package let id: EntryID
    /// Where each pass begins. An item of one pass can be sought to before it.
    package let start: MediaTime
    package internal(set) var end: MediaTime?
    /// How often it is played in all; nil for ever.
    package internal(set) var passes: Int?
    package internal(set) var status = ItemStatus.unknown
    package internal(set) var duration: MediaTime?
    package internal(set) var isSeekable = true
    package internal(set) var buffer = BufferStatus()
    /// Passes over, as heard.
    package internal(set) var passesDone = 0
    /// Rests at its end.
    package internal(set) var hasEnded = false
    /// Where it begins once it is current, if it was sought in before.
    package internal(set) var firstTime: MediaTime?
    /// Where it is while the engine cannot tell.
    package internal(set) var anchor: MediaTime

    package init(id: EntryID, start: MediaTime = .zero, end: MediaTime? = nil, passes: Int? = 1) {
      self.id = id
      self.start = start
      self.end = end
      self.passes = passes
      anchor = start
    }

    /// The latest time that it can be at, as far as known.
    package var limit: MediaTime? {
      guard let end else { return duration }
      guard let duration else { return end }
      return min(end, duration)
    }

    var hasFailed: Bool {
      if case .failed = status { return true }
      return false
    }

    var isOver: Bool { hasEnded || hasFailed }

    func clamped(_ time: MediaTime) -> MediaTime {
      let first = passes == 1 ? .zero : start
      guard let limit else { return max(time, first) }
      return max(first, min(time, limit))
    }
  }

  /// Where an entry is put into the queue.
  package enum Place: Sendable, Equatable {
    case first, last
    case after(EntryID)
  }

  package struct Seek: Sendable, Equatable {
    package var id: SeekID
    package var target: MediaTime
    package var toleranceBefore: MediaTime?
    package var toleranceAfter: MediaTime?

    package init(
      id: SeekID, target: MediaTime, toleranceBefore: MediaTime? = .zero, toleranceAfter: MediaTime? = .zero
    ) {
      self.id = id
      self.target = target
      self.toleranceBefore = toleranceBefore
      self.toleranceAfter = toleranceAfter
    }
  }

  package enum Input: Sendable {
    /// 0 pauses.
    case setRate(Double)
    case setActionAtItemEnd(ActionAtItemEnd)
    case replaceCurrent(Entry?)
    case insert(Entry, Place)
    case remove(EntryID)
    case removeAll
    case advance
    /// Of the given entry, or of the current one.
    case seek(Seek, in: EntryID?)
    /// The time of the seek was no number.
    case refusedSeek(SeekID)
    case cancelSeeks(EntryID)
    case setEnd(EntryID, MediaTime?)
    /// The pass now heard is the last.
    case stopLooping(EntryID)
    case engine(EngineEvent)
    /// The player is going away.
    case shutdown
  }

  package enum Command: Sendable, Equatable {
    /// `queuePlan` is to be the engine's queue.
    case setQueue
    case seek(Seek)
    case setRate(Double)
  }

  package enum Property: Sendable, Equatable {
    case currentItem, rate, timeControl, waitingReason, status
    case itemStatus(EntryID, ItemStatus), itemDuration(EntryID, MediaTime), itemBuffer(EntryID, BufferStatus)
    /// What can be sought in is known.
    case itemSeekability(EntryID, isSeekable: Bool, isRemote: Bool)
    /// What the medium calls itself; before the status that goes with it.
    case itemTitle(EntryID, String)
    /// Passes over.
    case loopCount(EntryID, Int)
  }

  package enum Effect: Sendable, Equatable {
    case command(Command)
    case changed(Property)
    /// Once for each seek that was asked.
    case seekCompleted(SeekID, Bool)
    /// The last frame of a pass was heard.
    case playedToEnd(EntryID, pass: Int)
    case failedToPlayToEnd(EntryID, MediaError)
    case playbackStalled(EntryID)
    case tagsChanged(EntryID, [String: String], MediaTime)
    case timeJumped(EntryID)
    /// Playback started or stopped, or the time jumped: who watches the time must look.
    case timeMoved(Move)
    /// The entry has left the queue, being at the time given.
    case released(EntryID, MediaTime)
    case interrupted(Bool)
  }

  /// How the time went on otherwise than by itself.
  package enum Move: Sendable, Equatable {
    case startOrStop(at: MediaTime)
    case jump(to: MediaTime)
  }

  /// What the engine's queue is made from.
  package struct Planned: Sendable, Equatable {
    package var id: EntryID
    package var start: MediaTime
    package var end: MediaTime?
    package var passes: Int?
  }

  /// How to tell the current time.
  package enum TimeBasis: Sendable, Equatable {
    case fixed(MediaTime)
    /// The engine's position, as `time(of:)` reads it.
    case live
  }

  package internal(set) var queue: [Entry] = []
  package internal(set) var rate = 0.0
  package internal(set) var actionAtItemEnd: ActionAtItemEnd
  package internal(set) var status = PlayerStatus.unknown
  package internal(set) var pendingSeek: Seek?
  /// Whether someone waits for the pending seek; false for the machine's own.
  var isSeekAsked = false
  /// The current entry ended before the engine came to the pending seek.
  var hasEndWaiting = false
  var isAdvancing = false
  var stall: StallReason?
  /// What the engine was told last.
  package private(set) var queuePlan: [Planned] = []
  private var engineRate = 0.0
  private var lastSeekID: UInt64 = 0
  /// What the input being handled has caused so far.
  var effects: [Effect] = []
  var seekCommand: Seek?
  /// The engine's, as the input came.
  var position: EnginePosition?
  /// Of the current entry, before the input.
  var currentTime = MediaTime.zero
  /// Where the time jumped to.
  var jump: MediaTime?
  /// Time stands still at the end of the item.
  var hasStopped = false

  package init(actionAtItemEnd: ActionAtItemEnd = .pause) {
    self.actionAtItemEnd = actionAtItemEnd
  }

  package var current: Entry? { queue.first }

  package var timeControl: TimeControl {
    guard rate != 0 else { return .paused }
    guard let current else { return .waiting(.noItem) }
    if current.status == .unknown { return .waiting(.evaluating) }
    if isAdvancing { return .playing }
    switch stall {
    case .data: return .waiting(.data)
    case .output: return .waiting(.output)
    case nil: return .waiting(.evaluating)
    }
  }

  package mutating func makeSeekID() -> SeekID {
    lastSeekID += 1
    return SeekID(rawValue: lastSeekID)
  }

  /// Takes an input and says what follows from it. `position` is the engine's at this moment, where it is known.
  package mutating func handle(_ input: Input, at position: EnginePosition? = nil) -> [Effect] {
    self.position = position
    currentTime = time(of: position)
    let before = (current?.id, loopingPass, rate, timeControl, status)
    switch input {
    case .engine(let event): handle(event)
    default: handleCall(input)
    }
    let after = (current?.id, loopingPass, rate, timeControl, status)

    var result = pendingCommands().map(Effect.command)
    result += effects
    effects = []
    if before.0 != after.0 || before.1 != after.1 { result.append(.changed(.currentItem)) }
    if before.2 != after.2 { result.append(.changed(.rate)) }
    if before.3 != after.3 { result += Self.changes(from: before.3, to: after.3) }
    if before.4 != after.4 { result.append(.changed(.status)) }
    if let jump {
      result.append(.timeMoved(.jump(to: jump)))
    } else if hasStopped || (before.3 == .playing) != (after.3 == .playing) {
      result.append(.timeMoved(.startOrStop(at: time(of: position))))
    }
    jump = nil
    hasStopped = false
    return result
  }

  /// All that an engine new to this player must be told.
  package mutating func commandsForNewEngine() -> [Command] {
    engineRate = rate
    queuePlan = plannedQueue()
    var commands = [Command.setQueue]
    if let pendingSeek { commands.append(.seek(pendingSeek)) }
    if rate != 0 { commands.append(.setRate(rate)) }
    isAdvancing = false
    stall = nil
    return commands
  }

  package var timeBasis: TimeBasis {
    guard let current else { return .fixed(.zero) }
    if let pendingSeek { return .fixed(current.clamped(pendingSeek.target)) }
    if current.hasEnded { return .fixed(current.limit ?? current.anchor) }
    return current.hasFailed ? .fixed(current.anchor) : .live
  }

  /// The current time, the engine being at `position`.
  package func time(of position: EnginePosition?) -> MediaTime {
    if case .fixed(let time) = timeBasis { return time }
    guard let current else { return .zero }
    guard let position else { return current.clamped(current.anchor) }
    if position.entry == current.id {
      return current.clamped(position.pass < current.passesDone ? current.start : position.time)
    }
    // The engine is ahead by an end that is still to be reported, or behind by a queue still to be taken over.
    let isAhead = queue.contains { $0.id == position.entry }
    return isAhead ? current.limit ?? current.anchor : current.clamped(current.anchor)
  }

  func index(of id: EntryID) -> Int? {
    queue.firstIndex { $0.id == id }
  }

  /// Which of a looper's items is current, nil for a plain item.
  private var loopingPass: Int? {
    guard let current, current.passes != 1 else { return nil }
    return current.passesDone
  }

  private mutating func pendingCommands() -> [Command] {
    var commands: [Command] = []
    let plan = plannedQueue()
    if plan != queuePlan {
      queuePlan = plan
      commands.append(.setQueue)
    }
    if let seekCommand { commands.append(.seek(seekCommand)) }
    seekCommand = nil
    if engineRate != rate {
      engineRate = rate
      commands.append(.setRate(rate))
    }
    return commands
  }

  /// Only the current entry unless the player goes on by itself: so the engine stops at its end.
  private func plannedQueue() -> [Planned] {
    let entries = actionAtItemEnd == .advance ? queue[...] : queue.prefix(1)
    return entries.filter { !$0.hasFailed }.map {
      Planned(id: $0.id, start: $0.start, end: $0.end, passes: $0.passes)
    }
  }

  private static func changes(from old: TimeControl, to new: TimeControl) -> [Effect] {
    func kind(_ control: TimeControl) -> Int {
      switch control {
      case .paused: 0
      case .waiting: 1
      case .playing: 2
      }
    }
    var result: [Effect] = []
    if case .waiting = old { result = [.changed(.waitingReason)] }
    if case .waiting = new { result = [.changed(.waitingReason)] }
    return kind(old) == kind(new) ? result : [.changed(.timeControl)] + result
  }
}
