import VPlayModel

/// What other threads want of the engine's thread, in order.
enum EngineCommand: Sendable {
  case setQueue([QueueEntry])
  case setRate(Double)
  /// The next start from rest is to be heard at this instant.
  case setStart(HostTime)
  case seek(SeekRequest)
  case setGain(Float)
  case setDevice(String?)
  case setBuffer(EntryID, seconds: Double)
  case setWaitsForBuffer(Bool)
  case whenQuiet(@Sendable () -> Void)
  /// `lane` names the stream that it came from; older streams' events are dropped.
  case sink(SinkEvent, lane: Int)
  case outputAvailable
  /// A reader has something new.
  case look
  case shutdown
}

struct SeekRequest: Sendable {
  var id: SeekID
  var time: MediaTime
  var toleranceBefore: MediaTime?
  var toleranceAfter: MediaTime?
  /// The entry that it is meant for; nil for whichever is the first.
  var entry: EntryID?
}

/// The engine's way in: any thread posts, the engine's thread takes.
final class EngineMailbox: Sendable {
  private struct State {
    var commands: [EngineCommand] = []
    /// A `look` is there already; one is enough.
    var hasLook = false
  }
  private let state = Monitor(State())
  private let clock: any HostClock

  init(clock: any HostClock) {
    self.clock = clock
  }

  func post(_ command: EngineCommand) {
    state.withLockAndWake { state in
      if case .look = command {
        if state.hasLook { return }
        state.hasLook = true
      }
      state.commands.append(command)
    }
  }

  /// Takes all that was posted, waiting for something until `deadline`; nil waits without limit.
  func take(until deadline: HostTime?) -> [EngineCommand] {
    let taken: [EngineCommand]? = clock.wait(on: state, until: deadline) { state in
      if state.commands.isEmpty { return nil }
      defer {
        state.commands.removeAll(keepingCapacity: true)
        state.hasLook = false
      }
      return state.commands
    }
    return taken ?? []
  }

  /// Takes what is there, without waiting.
  func takeNow() -> [EngineCommand] {
    state.withLock { state in
      defer {
        state.commands.removeAll(keepingCapacity: true)
        state.hasLook = false
      }
      return state.commands
    }
  }
}
