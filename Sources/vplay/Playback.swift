import VPlayKit

/// What the options ask for, as players and items. Main thread; `wake` is signalled whenever `step` has something to do.
final class Playback {
  /// What became of it.
  enum Outcome: Equatable {
    case goesOn
    case ended
    /// There is no sound output, and nothing to show instead.
    case noOutput(String)
  }

  private struct Entry {
    var item: AVPlayerItem
    var index: Int
    var observation: NSKeyValueObservation
  }

  private let options: Options
  private let wake: Wake
  private let player: AVQueuePlayer
  private var looper: AVPlayerLooper?
  private var plan: PlayPlan
  /// What is in the player's queue, in its order.
  private var entries: [Entry] = []
  private var observations: [NSKeyValueObservation] = []
  private var tokens: [any NSObjectProtocol] = []
  private var outputWatch = OutputWatch()
  private let resumeRequest = ResumeRequest()
  /// What the user wants; a call may have made the player pause meanwhile.
  private var isPlayWanted = true
  /// Inputs that could not be played.
  private var failed: Set<Int> = []
  /// Lines about what could not be played, not yet shown.
  private var notes: [String] = []

  /// Items that wait behind the playing one: enough to open the next in time, few enough for any list.
  private static let queueDepth = 4

  init(options: Options, wake: Wake) {
    self.options = options
    self.wake = wake
    // This program has no main run loop: its main thread waits in one poll.
    AVPlayer.setCallbackQueue(DispatchQueue(label: "vplay.callbacks"))
    player = AVQueuePlayer()
    plan = PlayPlan(count: options.inputs.count, passes: options.passes)
    player.audioOutput = Playback.output(options)
    player.volume = Float(options.volume)
  }

  /// Begins to play. Returns at once.
  func start() throws {
    if options.isMuted { try AVAudioSession.sharedInstance().setOutputMuted(true) }
    if options.inputs.count == 1, options.passes != .times(1) {
      startLooper()
    } else {
      fill()
    }
    player.play()
    observe()
  }

  private func startLooper() {
    let item = AVPlayerItem(url: Playback.url(options.inputs[0].address()))
    let range = CMTimeRange(
      start: options.start.map(CMTime.init) ?? .zero, end: options.end.map(CMTime.init) ?? .positiveInfinity)
    let passes: Int? =
      switch options.passes {
      case .times(let count): count
      case .forever: nil
      }
    looper = AVPlayerLooper(player: player, templateItem: item, timeRange: range, passes: passes)
  }

  private func fill() {
    while entries.count < Playback.queueDepth, let index = plan.next() {
      let input = options.inputs[index]
      if input.isStandardInput { plan.drop(index) }
      let item = AVPlayerItem(url: Playback.url(input.address()))
      if let start = options.start {
        item.seek(to: CMTime(start), toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
      }
      if let end = options.end { item.forwardPlaybackEndTime = CMTime(end) }
      let wake = wake
      let observation = item.observe(\.status) { _, _ in wake.signal() }
      entries.append(Entry(item: item, index: index, observation: observation))
      player.insert(item, after: nil)
    }
  }

  private func observe() {
    let wake = wake
    observations = [
      player.observe(\.timeControlStatus) { _, _ in wake.signal() },
      player.observe(\.currentItem) { _, _ in wake.signal() },
      player.observe(\.status) { _, _ in wake.signal() },
    ]
    if let looper { observations.append(looper.observe(\.status) { _, _ in wake.signal() }) }
    let names: [Notification.Name] = [
      .AVPlayerItemDidPlayToEndTime, .AVPlayerItemFailedToPlayToEndTime,
      AVAudioSession.outputMuteStateChangeNotification,
    ]
    tokens = names.map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in wake.signal() }
    }
    let request = resumeRequest
    tokens.append(
      NotificationCenter.default.addObserver(
        forName: AVAudioSession.interruptionNotification, object: nil, queue: nil
      ) {
        request.note($0)
        wake.signal()
      })
    // What happened before the observers stood is looked at in the first step.
    wake.signal()
  }

  // MARK: What happened

  /// Looks at what happened since the last step, and keeps the queue filled.
  func step() -> Outcome {
    if resumeRequest.take(), isPlayWanted { player.play() }
    if let error = player.error, player.status == .failed { return .noOutput(outputReason(error)) }
    if outputWatch.look(isMissing: player.reasonForWaitingToPlay == .outputUnavailable, at: .now) {
      notes.append("the sound output has stopped: waiting for it")
    }
    if let looper {
      if let error = looper.error, looper.status == .failed {
        fail(0, error)
        return .ended
      }
      return player.items().isEmpty ? .ended : .goesOn
    }
    let queued = player.items()
    for entry in entries where entry.item.status == .failed && !failed.contains(entry.index) {
      plan.drop(entry.index)
      fail(entry.index, entry.item.error)
      // Its later passes would only fail again.
      for other in entries where other.index == entry.index { player.remove(other.item) }
    }
    // What had nothing to be heard would be played again and again in no time.
    for entry in entries where isEmpty(entry.item) && !queued.contains(where: { $0 === entry.item }) {
      plan.drop(entry.index)
    }
    entries.removeAll { entry in failed.contains(entry.index) || !queued.contains { $0 === entry.item } }
    fill()
    return entries.isEmpty ? .ended : .goesOn
  }

  private func isEmpty(_ item: AVPlayerItem) -> Bool {
    let start = options.start.map(CMTime.init) ?? .zero
    return item.duration.isNumeric && CMTimeCompare(item.duration, start) <= 0
  }

  /// In how many milliseconds `step` is to be called though nothing happened; nil when not.
  var stepTimeout: Int32? {
    outputWatch.pause(at: .now).map { Int32($0 / .milliseconds(1)) + 1 }
  }

  /// Whether nothing failed so far.
  var isWhole: Bool { failed.isEmpty }

  /// Takes the lines that are to be shown.
  func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  private func fail(_ index: Int, _ error: (any Error)?) {
    failed.insert(index)
    let reason = error.map(Playback.reason) ?? "it cannot be played"
    notes.append("\(options.inputs[index].name): \(reason)")
  }

  private func outputReason(_ error: any Error) -> String {
    guard case .wav(let path) = options.output else { return Playback.reason(error) }
    return "\(printable(path)): \(Playback.reason(error))"
  }

  private static func reason(_ error: any Error) -> String {
    printable((error as? AVError)?.reason ?? error.localizedDescription)
  }

  // MARK: What the user does

  var isPlaying: Bool { player.rate != 0 }

  func togglePause() {
    isPlayWanted = !isPlaying
    if isPlayWanted { player.play() } else { player.pause() }
  }

  func pause() { player.pause() }

  func resume() { player.play() }

  func seek(bySeconds seconds: Int64) {
    guard let item = player.currentItem else { return }
    var target = CMTimeAdd(player.currentTime(), CMTime(value: seconds, timescale: 1))
    let end = options.end.map(CMTime.init) ?? item.duration
    if end.isNumeric, CMTimeCompare(target, end) > 0 { target = end }
    let start = options.start.map(CMTime.init) ?? .zero
    if CMTimeCompare(target, start) < 0 { target = start }
    player.seek(to: target, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  /// In hundredths, to the next whole one.
  func changeVolume(byPercent percent: Int) {
    let now = Int((player.volume * 100).rounded())
    player.volume = Float(min(max(now + percent, 0), 100)) / 100
  }

  func toggleMute() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setOutputMuted(!session.isOutputMuted)
  }

  // MARK: What is shown

  var status: StatusLine {
    let item = player.currentItem
    let duration = item?.duration ?? .indefinite
    let index = entries.first { $0.item === item }?.index ?? 0
    return StatusLine(
      state: state, position: max(0, player.currentTime().seconds),
      length: duration.isNumeric ? duration.seconds : nil, volume: Double(player.volume),
      isMuted: AVAudioSession.sharedInstance().isOutputMuted, name: options.inputs[index].shortName)
  }

  private var state: StatusLine.State {
    switch player.timeControlStatus {
    case .playing: .playing
    case .paused: .paused
    case .waitingToPlayAtSpecifiedRate: .waiting
    }
  }

  // MARK: Words of the command line in the library's

  private static func output(_ options: Options) -> AudioOutput {
    switch options.output {
    case .auto: options.device.map { .pulse(device: $0) } ?? .automatic
    case .pulse: .pulse(device: options.device)
    case .null: .null
    case .wav(let path): .waveFile(url(Input(argument: path).pathAddress()))
    }
  }

  /// Of an address that is ASCII, and escaped where it must be.
  private static func url(_ address: String) -> URL {
    URL(string: address) ?? URL(fileURLWithPath: address)
  }
}

extension CMTime {
  fileprivate init(_ argument: TimeArgument) {
    self.init(value: argument.value, timescale: argument.timescale)
  }
}
