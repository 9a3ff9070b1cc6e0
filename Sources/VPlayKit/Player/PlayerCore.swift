import Foundation
import Synchronization
import VPlayEngine
import VPlayModel
import VPlayPulse

/// A player's inside: the state machine, its engine, and the wiring of both to the player's items.
///
/// Owned by its player, which it knows weakly; the engine knows it weakly. `state` is the player's one lock: commands
/// reach the engine while it is held, so that their order is that of the calls. The locks of items, observations, time
/// observers and the session are taken within it; nobody is called while it is held.
final class PlayerCore: Sendable {
  /// What an entry of the queue stands for.
  enum Slot {
    case item(AVPlayerItem)
    case looper(LooperState)

    var items: [AVPlayerItem] {
      switch self {
      case .item(let item): [item]
      case .looper(let looper): looper.items
      }
    }

    /// The item that plays a pass.
    func item(ofPass pass: Int) -> AVPlayerItem {
      switch self {
      case .item(let item): item
      case .looper(let looper): looper.items[pass % looper.items.count]
      }
    }
  }

  struct State {
    var machine: PlayerStateMachine
    var slots: [EntryID: Slot] = [:]
    var completions: [SeekID: SeekCompletion] = [:]
    /// Seeks that are over, to be told on the callback queue.
    var told: [ToldSeek] = []
    var engine: PlaybackEngine?
    /// Tells the events of the present engine from those of one that was replaced.
    var engineNumber = 0
    var engineGain: Float = 1
    var volume: Float = 1
    var isMuted = false
    var waitsToMinimizeStalling = true
    /// Until the rate is set again, playback goes on with the first data.
    var playsImmediately = false
    var defaultRate: Float = 1
    var output = AudioOutput.automatic
    var deviceID: String?
    var hasPlayed = false
    var isOver = false
  }

  /// A seek that is over; until its handler is called a newer one still makes it a superseded one.
  struct ToldSeek: Sendable {
    var success: Bool
    var handler: @Sendable (Bool) -> Void
  }

  struct WeakPlayer {
    weak var player: AVPlayer?
  }

  let environment: PlayerEnvironment
  let state: Monitor<State>
  let owner = Monitor(WeakPlayer())
  let observations = ObservationList()
  let timeObservers: TimeObservers
  let counters = EngineCounters()
  let callbacks = CallbackQueue.seal()
  /// Notifications are posted here: an observer may make its poster wait.
  let notifications = DispatchQueue(label: "vplay.notifications")
  private static let lastEntryID = Atomic<UInt64>(0)

  init(environment: PlayerEnvironment, actionAtItemEnd: PlayerStateMachine.ActionAtItemEnd) {
    self.environment = environment
    state = Monitor(State(machine: PlayerStateMachine(actionAtItemEnd: actionAtItemEnd)))
    timeObservers = TimeObservers(clock: environment.clock)
    timeObservers.attach(self)
    AVAudioSession.sharedInstance().add(self)
  }

  /// To be called once, by the player when it is made.
  func attach(_ player: AVPlayer, playing item: AVPlayerItem? = nil) {
    owner.withLock { $0.player = player }
    guard let item else { return }
    prepareOutput()
    replaceCurrentItem(with: item)
  }

  var player: AVPlayer? { owner.withLock { $0.player } }

  static func makeEntryID() -> EntryID {
    EntryID(rawValue: lastEntryID.add(1, ordering: .relaxed).newValue)
  }

  func read<Result>(_ body: (State) -> Result) -> Result {
    state.withLock { body($0) }
  }

  /// Carries out a call: what it changes is reported before this returns. No lock may be held.
  ///
  /// `position` is `enginePosition()` for calls that stop playback or end an item: it is noted where that was.
  func perform(at position: EnginePosition? = nil, _ body: (inout State) -> PlayerStateMachine.Input?) {
    let outcome = state.withLock { state in
      guard !state.isOver, let input = body(&state) else { return Outcome() }
      return take(input, at: position, &state)
    }
    report(outcome)
  }

  /// On the engine's thread.
  private func handle(_ event: EngineEvent, fromEngine number: Int) {
    let position = enginePosition()
    if case .advancing = event { followServer() }
    state.withLock { state in
      guard !state.isOver, state.engineNumber == number else { return }
      let outcome = take(.engine(event), at: position, &state)
      // In the lock, for the order; dispatching calls nobody.
      if !outcome.isEmpty { callbacks.async { [weak self] in self?.report(outcome) } }
    }
  }

  func report(_ outcome: Outcome) {
    for change in outcome.changes { change.list.report(change.property) }
  }

  // MARK: - Engine

  /// Makes the engine do what the machine wants.
  func carryOut(_ commands: [PlayerStateMachine.Command], _ state: inout State) {
    if state.engine == nil {
      guard !state.machine.queuePlan.isEmpty else { return }
      makeEngine(&state)
      return
    }
    for command in commands { send(command, state) }
  }

  private func makeEngine(_ state: inout State) {
    state.engineNumber += 1
    let number = state.engineNumber
    let engine = PlaybackEngine(
      environment: EngineEnvironment(
        clock: environment.clock, sink: environment.sink(state.output), makeStretcher: environment.makeStretcher,
        role: { AVAudioSession.sharedInstance().role(hasVideo: $0) }, makeConverter: environment.makeConverter),
      counters: counters
    ) { [weak self] event in
      self?.handle(event, fromEngine: number)
    }
    state.engine = engine
    if let device = state.deviceID ?? state.output.device { engine.setDevice(device) }
    state.engineGain = heardGain(state)
    engine.setGain(state.engineGain)
    engine.setWaitsForBuffer(state.waitsToMinimizeStalling)
    for command in state.machine.commandsForNewEngine() { send(command, state) }
  }

  func send(_ command: PlayerStateMachine.Command, _ state: State) {
    switch command {
    case .setQueue:
      state.engine?.setQueue(state.machine.queuePlan.compactMap { entry(for: $0, state) })
    case .seek(let seek):
      state.engine?.seek(
        seek.id, to: seek.target, toleranceBefore: seek.toleranceBefore, toleranceAfter: seek.toleranceAfter,
        in: state.machine.current?.id)
    case .setRate(let rate):
      state.engine?.setRate(rate)
    }
  }

  private func entry(for planned: PlayerStateMachine.Planned, _ state: State) -> QueueEntry? {
    guard let item = state.slots[planned.id]?.items.first else { return nil }
    let (asset, makeSource) = (item.asset, environment.makeSource)
    let (bufferSeconds, algorithm) = item.state.withLock { ($0.bufferSeconds, $0.pitchAlgorithm.rateAlgorithm) }
    return QueueEntry(
      id: planned.id, start: planned.start, end: planned.end, passes: planned.passes, bufferSeconds: bufferSeconds,
      rateAlgorithm: algorithm
    ) {
      if let source = asset.loader.takeSource() { return source }
      let source = makeSource(asset.location)
      source.configure(asset.sourceOptions)
      return source
    }
  }

  /// Where the engine is. No lock may be held.
  func enginePosition() -> EnginePosition? {
    read { $0.engine }?.position(at: environment.clock.now)
  }

  /// Does nothing once the player has played.
  func setOutput(_ output: AudioOutput) {
    state.withLock { state in
      guard !state.isOver, !state.hasPlayed, state.output != output else { return }
      state.output = output
      // An engine that opens the first item already is made anew.
      state.engine?.shutdown()
      state.engine = nil
      carryOut([], &state)
    }
  }

  /// Nil is the output's own.
  func setDevice(_ deviceID: String?) {
    state.withLock { state in
      guard !state.isOver, state.deviceID != deviceID else { return }
      state.deviceID = deviceID
      state.engine?.setDevice(deviceID ?? state.output.device)
    }
  }

  func setRate(_ rate: Float) {
    if rate > 0 { prepareOutput() }
    perform(at: enginePosition()) { state in
      if state.playsImmediately {
        state.playsImmediately = false
        state.engine?.setWaitsForBuffer(state.waitsToMinimizeStalling)
      }
      let rate = PlayableRate.rate(rate, from: Float(state.machine.rate))
      if rate != 0 { state.hasPlayed = true }
      return .setRate(Double(rate))
    }
  }

  /// Sets the rate so that `time` (nil for where the item stands) is heard at an instant of the host's clock.
  func setRate(_ rate: Float, time: MediaTime?, at host: HostTime) {
    setRate(0)
    if let time { seek(SeekTarget(CMTime(time), .zero, .zero), nil) }
    state.withLock { $0.engine?.setStart(at: host) }
    setRate(rate)
  }

  /// Calls `action` on the callback queue once the fade of a pause has been heard, at once when there is none.
  func whenQuiet(_ action: @escaping @Sendable () -> Void) {
    let callbacks = callbacks
    let report: @Sendable () -> Void = { callbacks.async { action() } }
    state.withLock { state in
      if let engine = state.engine { engine.whenQuiet(report) } else { report() }
    }
  }

  // MARK: - Gain

  func heardGain(_ state: State) -> Float {
    HeardGain.gain(
      volume: state.volume, isMuted: state.isMuted,
      isOutputMuted: AVAudioSession.sharedInstance().isOutputMuted)
  }

  /// The volume or a mute has changed.
  func gainChanged() {
    state.withLock { pushGain(&$0) }
  }

  func pushGain(_ state: inout State) {
    let gain = heardGain(state)
    guard gain != state.engineGain else { return }
    state.engineGain = gain
    state.engine?.setGain(gain)
  }

  /// Lets the output connect in good time, unless nothing is to be heard.
  func prepareOutput() {
    let output: AudioOutput? = state.withLock { heardGain($0) > 0 ? $0.output : nil }
    if let output { environment.sink(output).prepare() }
  }

  /// Once this player is heard, the session keeps up with the server: not before, so that the start is quick.
  private func followServer() {
    let output: AudioOutput? = state.withLock { $0.engineGain > 0 ? $0.output : nil }
    guard let output, environment.sink(output) is PulseSink else { return }
    notifications.async { AVAudioSession.sharedInstance().followServer() }
  }

  // MARK: - End

  /// The player is going away: the sound ends, and nobody is called any more but who waits for a seek, now.
  func shutdown() {
    AVAudioSession.sharedInstance().remove(self)
    timeObservers.shutdown()
    let (outcome, told) = state.withLock { state in
      let outcome = take(.shutdown, at: nil, &state)
      state.isOver = true
      state.engine?.shutdown()
      state.engine = nil
      defer { state.told = [] }
      return (outcome, state.told)
    }
    for seek in told { seek.handler(seek.success) }
    // The items may go from here on, the lock being free.
    withExtendedLifetime(outcome) {}
  }
}
