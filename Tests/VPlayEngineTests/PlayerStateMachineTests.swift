import Foundation
import Testing
import TestSupport
import VPlayEngine
import VPlayModel

/// The player's state machine as tables: what follows from a call or a report, in each state.
@Suite struct PlayerStateMachineTests {
  typealias Machine = PlayerStateMachine

  static let duration = MediaTime(value: 10, timescale: 1)
  static let a = EntryID(rawValue: 1)
  static let b = EntryID(rawValue: 2)
  static let c = EntryID(rawValue: 3)

  static func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }

  static func description(seekable: Bool = true, duration: MediaTime? = duration) -> MediaDescription {
    MediaDescription(
      duration: duration, isDurationExact: true, audioTracks: [], hasVideo: false, isSeekable: seekable)
  }

  static func seek(_ id: UInt64, to target: Int64, in entry: EntryID? = nil) -> Machine.Input {
    .seek(Machine.Seek(id: SeekID(rawValue: 100 + id), target: seconds(target)), in: entry)
  }

  /// The states, each by the inputs that lead to it.
  static let states: [(name: String, action: Machine.ActionAtItemEnd, inputs: [Machine.Input])] = [
    ("empty", .pause, []),
    ("empty, rate 1", .pause, [.setRate(1)]),
    ("opening", .pause, [.replaceCurrent(.init(id: a))]),
    ("opening, rate 1", .pause, [.replaceCurrent(.init(id: a)), .setRate(1)]),
    ("opening, seeking", .pause, [.replaceCurrent(.init(id: a)), seek(0, to: 4)]),
    ("ready", .pause, [.replaceCurrent(.init(id: a)), .engine(.entryReady(a, description()))]),
    ("starting", .pause, [.replaceCurrent(.init(id: a)), .engine(.entryReady(a, description())), .setRate(1)]),
    ("playing", .pause, playing),
    ("playing, action none", .none, playing),
    ("seeking while playing", .pause, playing + [seek(0, to: 4)]),
    ("stalled", .pause, playing + [.engine(.stalled(.data))]),
    ("output lost", .pause, playing + [.engine(.outputLost)]),
    ("paused", .pause, playing + [.setRate(0)]),
    ("at its end", .pause, playing + [.engine(.entryEnded(a))]),
    ("at its end, action none", .none, playing + [.engine(.entryEnded(a))]),
    ("failed", .pause, playing + [.engine(.entryFailed(a, MediaError(.damaged, "broken")))]),
    ("no output", .pause, playing + [.engine(.outputFailed(SinkError(.unavailable, "no server")))]),
    ("queue playing", .advance, playing + [.insert(.init(id: b), .last), .insert(.init(id: c), .last)]),
    ("queue seeking", .advance, playing + [.insert(.init(id: b), .last), seek(0, to: 4)]),
    ("queue paused at its end", .pause, playing + [.insert(.init(id: b), .last), .engine(.entryEnded(a))]),
    ("queue done", .advance, playing + [.engine(.entryEnded(a))]),
    ("looping", .advance, looping),
    ("looping, last pass", .advance, looping + [.engine(.passEnded(a, pass: 0)), .engine(.passEnded(a, pass: 1))]),
  ]

  private static let playing: [Machine.Input] = [
    .replaceCurrent(.init(id: a)), .engine(.entryReady(a, description())), .setRate(1), .engine(.advancing),
  ]
  private static let looping: [Machine.Input] = [
    .insert(.init(id: a, passes: 3), .last), .engine(.entryReady(a, description())), .setRate(1), .engine(.advancing),
  ]

  static let inputs: [(name: String, input: Machine.Input)] = [
    ("pause", .setRate(0)),
    ("play", .setRate(1)),
    ("action pause", .setActionAtItemEnd(.pause)),
    ("action none", .setActionAtItemEnd(.none)),
    ("replace by c", .replaceCurrent(.init(id: EntryID(rawValue: 9)))),
    ("replace by nothing", .replaceCurrent(nil)),
    ("insert first", .insert(.init(id: EntryID(rawValue: 9)), .first)),
    ("insert after a", .insert(.init(id: EntryID(rawValue: 9)), .after(a))),
    ("insert last", .insert(.init(id: EntryID(rawValue: 9)), .last)),
    ("remove a", .remove(a)),
    ("remove b", .remove(b)),
    ("remove all", .removeAll),
    ("advance", .advance),
    ("seek to 5", seek(1, to: 5)),
    ("seek to 99", seek(1, to: 99)),
    ("seek to -1", seek(1, to: -1)),
    ("seek b to 5", seek(1, to: 5, in: b)),
    ("refused seek", .refusedSeek(SeekID(rawValue: 101))),
    ("cancel seeks", .cancelSeeks(a)),
    ("set end 6", .setEnd(a, seconds(6))),
    ("stop looping", .stopLooping(a)),
    ("ready a", .engine(.entryReady(a, description()))),
    ("ready a, not seekable", .engine(.entryReady(a, description(seekable: false, duration: nil)))),
    ("ready b", .engine(.entryReady(b, description()))),
    ("failed a", .engine(.entryFailed(a, MediaError(.damaged, "broken")))),
    ("failed b", .engine(.entryFailed(b, MediaError(.notFound, "missing")))),
    ("duration a 3", .engine(.durationChanged(a, seconds(3)))),
    ("buffer a", .engine(.bufferChanged(a, .init(isEmpty: false, isLikelyToKeepUp: true)))),
    ("buffer b full", .engine(.bufferChanged(b, .init(isEmpty: false, isLikelyToKeepUp: true, isFull: true)))),
    ("tags a", .engine(.tagsChanged(a, ["title": "now"], seconds(2)))),
    ("seek done", .engine(.seekFinished(SeekID(rawValue: 100), true))),
    ("seek failed", .engine(.seekFinished(SeekID(rawValue: 100), false))),
    ("unknown seek done", .engine(.seekFinished(SeekID(rawValue: 999), true))),
    ("advancing", .engine(.advancing)),
    ("stalled data", .engine(.stalled(.data))),
    ("stalled output", .engine(.stalled(.output))),
    ("pass 0 ended a", .engine(.passEnded(a, pass: 0))),
    ("pass 1 ended a", .engine(.passEnded(a, pass: 1))),
    ("ended a", .engine(.entryEnded(a))),
    ("ended b", .engine(.entryEnded(b))),
    ("output failed", .engine(.outputFailed(SinkError(.unavailable, "no server")))),
    ("output lost", .engine(.outputLost)),
    ("output restored", .engine(.outputRestored)),
    ("interrupted", .engine(.interrupted(true))),
    ("interruption over", .engine(.interrupted(false))),
    ("shutdown", .shutdown),
  ]

  static func machine(_ action: Machine.ActionAtItemEnd, _ inputs: [Machine.Input]) -> Machine {
    var machine = Machine(actionAtItemEnd: action)
    for input in inputs { _ = machine.handle(input) }
    return machine
  }

  /// Every state with every input, against the golden dump; what nothing follows from is left out.
  @Test func everyPair() throws {
    var lines: [String] = []
    for state in Self.states {
      let machine = Self.machine(state.action, state.inputs)
      lines.append("# \(state.name): \(MachineDump.state(machine))")
      for (name, input) in Self.inputs {
        var next = machine
        let effects = next.handle(input, at: MachineDump.position)
        let dump = effects.map(MachineDump.effect).joined(separator: "; ")
        let after = MachineDump.state(next)
        let isSame = after == MachineDump.state(machine)
        if !dump.isEmpty || !isSame { lines.append("  \(name): \(dump)\(isSame ? "" : " -> \(after)")") }
      }
    }
    try Golden.check(lines.joined(separator: "\n") + "\n", "PlayerStateMachine.txt")
  }

  @Test func theTimeIsTheTargetFromTheCallOn() {
    var machine = Self.machine(.pause, Self.playing)
    let position = EnginePosition(entry: Self.a, pass: 0, time: Self.seconds(2), rate: 1)
    #expect(machine.time(of: position) == Self.seconds(2))
    _ = machine.handle(Self.seek(1, to: 7))
    #expect(machine.time(of: position) == Self.seconds(7))
    _ = machine.handle(Self.seek(2, to: 99))
    #expect(machine.time(of: position) == Self.duration)
    _ = machine.handle(.engine(.seekFinished(SeekID(rawValue: 102), true)))
    #expect(machine.time(of: position) == Self.seconds(2))
  }

  @Test func theTimeOfAnEngineAheadOrBehind() {
    let machine = Self.machine(.advance, Self.playing + [.insert(.init(id: Self.b), .last)])
    #expect(machine.time(of: nil) == .zero)
    let ahead = EnginePosition(entry: Self.b, pass: 0, time: Self.seconds(1), rate: 1)
    #expect(machine.time(of: ahead) == Self.duration)
    let behind = EnginePosition(entry: Self.c, pass: 0, time: Self.seconds(1), rate: 1)
    #expect(machine.time(of: behind) == .zero)
    let beyond = EnginePosition(entry: Self.a, pass: 0, time: Self.seconds(11), rate: 1)
    #expect(machine.time(of: beyond) == Self.duration)
  }

  @Test func aSeekBeatsAnEndThatWasUnderWay() {
    var machine = Self.machine(.pause, Self.playing + [Self.seek(1, to: 5)])
    #expect(machine.handle(.engine(.entryEnded(Self.a))) == [])
    var failed = machine
    _ = machine.handle(.engine(.seekFinished(SeekID(rawValue: 101), true)))
    #expect(machine.rate == 1)
    let effects = failed.handle(.engine(.seekFinished(SeekID(rawValue: 101), false)))
    #expect(effects.contains(.playedToEnd(Self.a, pass: 0)))
    #expect(failed.rate == 0)
  }

  @Test func aNewEngineIsToldEverything() {
    var machine = Self.machine(.pause, Self.playing + [Self.seek(1, to: 5)])
    let commands = machine.commandsForNewEngine()
    #expect(commands.count == 3)
    #expect(commands.first == .setQueue)
    #expect(commands.last == .setRate(1))
    #expect(machine.timeControl == .waiting(.evaluating))
  }

  /// Whatever happens: each seek is answered once, an item ends once between two seeks, and what is reported as changed
  /// has changed.
  @Test(arguments: 0..<300)
  func randomSequences(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let actions: [Machine.ActionAtItemEnd] = [.pause, .advance, .none]
    var machine = Machine(actionAtItemEnd: actions.randomElement(using: &random) ?? .pause)
    var asked: [SeekID] = []
    var answered: [SeekID] = []
    var queued: [EntryID] = []
    var released: [EntryID] = []
    /// Ends since the last seek, of items of one pass.
    var ends: [EntryID: Int] = [:]
    var nextID: UInt64 = 1
    for step in 0..<200 {
      let id = machine.queue.randomElement(using: &random)?.id ?? EntryID(rawValue: 0)
      let pending = machine.pendingSeek?.id ?? SeekID(rawValue: 0)
      let input: Machine.Input
      switch step == 199 ? -1 : Int.random(in: 0..<20, using: &random) {
      case -1: input = .shutdown
      case 0: input = .setRate(0)
      case 1, 2: input = .setRate(1)
      case 3, 4:
        let entry = Machine.Entry(id: EntryID(rawValue: 1000 + nextID), passes: Int.random(in: 1...3, using: &random))
        nextID += 1
        queued.append(entry.id)
        input = Bool.random(using: &random) ? .replaceCurrent(entry) : .insert(entry, .last)
      case 5: input = .remove(id)
      case 6: input = .advance
      case 7, 8, 9:
        let seek = machine.makeSeekID()
        asked.append(seek)
        input = .seek(
          .init(id: seek, target: Self.seconds(Int64.random(in: -5...15, using: &random))),
          in: Bool.random(using: &random) ? nil : id)
      case 10: input = .cancelSeeks(id)
      case 11, 12: input = .engine(.entryReady(id, Self.description()))
      case 13: input = .engine(.entryFailed(id, MediaError(.damaged, "broken")))
      case 14: input = .engine(.seekFinished(pending, Bool.random(using: &random)))
      case 15: input = .engine(.advancing)
      case 16: input = .engine(.stalled(.data))
      case 17: input = .engine(.passEnded(id, pass: machine.current?.passesDone ?? 0))
      case 18: input = .engine(.entryEnded(id))
      default: input = .setActionAtItemEnd(actions.randomElement(using: &random) ?? .pause)
      }
      let before = machine
      let effects = machine.handle(input)
      for effect in effects {
        switch effect {
        case .seekCompleted(let id, _): answered.append(id)
        case .released(let id, _): released.append(id)
        case .command(.seek): ends = [:]
        case .playedToEnd(let id, _):
          if case .engine(.passEnded) = input { break }
          ends[id, default: 0] += 1
          #expect(ends[id] == 1)
        case .changed(.rate): #expect(before.rate != machine.rate)
        case .changed(.timeControl): #expect(before.timeControl != machine.timeControl)
        case .changed(.status): #expect(before.status != machine.status)
        default: break
        }
      }
      if before.rate != machine.rate { #expect(effects.contains(.changed(.rate))) }
      if before.timeControl != machine.timeControl {
        #expect(effects.contains(.changed(.timeControl)) || effects.contains(.changed(.waitingReason)))
      }
      if case .fixed(let time) = machine.timeBasis { #expect(time >= .zero && time <= Self.seconds(15)) }
      #expect(machine.queuePlan.count <= machine.queue.count)
    }
    #expect(Set(answered) == Set(asked))
    #expect(answered.count == asked.count)
    #expect(Set(released) == Set(queued))
    #expect(released.count == queued.count)
  }
}
