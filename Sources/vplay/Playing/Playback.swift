import VPlayKit

/// What the options ask for, as players and items. Main thread; `wake` is signalled whenever `step` has something to do.
final class Playback {
  /// What became of it.
  enum Outcome: Equatable {
    case goesOn
    case ended
    /// The desktop asks for the end.
    case quit
    /// There is no sound output, and nothing to show instead.
    case noOutput(String)
    /// The command line asks for what must not be.
    case refused(UsageError)
  }

  /// Something that could not be played.
  struct Failure: Equatable {
    var track: Track
    /// Printable.
    var reason: String

    init(track: Track, reason: String) {
      self.track = track
      self.reason = reason
    }

    init(track: Track, error: (any Error)?) {
      self.init(track: track, reason: error.map(Playback.reason) ?? "it cannot be played")
    }
  }

  private var options: Options
  private let wake: Wake
  private let player: AVQueuePlayer
  private var tracks: [Track] = []
  /// Nil until the tracks are known.
  private var queue: PlayQueue?
  /// The list, once it was read on another thread.
  private let lists: Inbox<TrackList>
  private let desktop: DesktopLink
  private var observations: [NSKeyValueObservation] = []
  private var tokens: [any NSObjectProtocol] = []
  private var seconds: Any?
  private var outputWatch = OutputWatch()
  private let resumeRequest = ResumeRequest()
  /// What the user wants; a call may have made the player pause meanwhile.
  private var isPlayWanted = true
  private var refusal: UsageError?
  /// Not yet shown.
  private var failures: [Failure] = []
  /// Lines about the output, not yet shown.
  private var notes: [String] = []
  /// Whether nothing failed so far.
  private(set) var isWhole = true

  /// For machines; nil when none is wanted.
  private let report: JSONReport?

  init(options: Options, wake: Wake, report: JSONReport?) {
    self.options = options
    self.report = report
    self.wake = wake
    lists = Inbox(wake: wake)
    desktop = DesktopLink(wake: wake)
    // This program has no main run loop: its main thread waits in one poll.
    AVPlayer.setCallbackQueue(DispatchQueue(label: "vplay.callbacks"))
    player = AVQueuePlayer()
    player.audioOutput = Playback.output(options)
    player.volume = Float(options.volume)
    player.defaultRate = Float(options.rate)
  }

  /// Begins to play. Returns at once.
  func start() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setCategory(options.session.category, mode: options.session.mode, options: options.session.options)
    if options.isMuted { try session.setOutputMuted(true) }
    if let list = TrackList(options.inputs) {
      begin(list)
    } else {
      let (inputs, lists) = (options.inputs, lists)
      Task.detached { await lists.post(TrackList(reading: inputs)) }
    }
    player.play()
    observe()
  }

  private func begin(_ list: TrackList) {
    if let track = list.track(under: options.output) {
      refusal = UsageError.overwritten(track.name)
      return
    }
    list.failures.forEach(fail)
    tracks = list.tracks
    let seed: UInt64? = options.isShuffled ? .random(in: .min ... .max) : nil
    queue = PlayQueue(
      tracks, plan: PlayPlan(count: tracks.count, passes: options.passes, seed: seed), start: startTime, end: endTime,
      player: player, wake: wake)
  }

  private var startTime: CMTime { options.start.map(CMTime.init) ?? .zero }

  private var endTime: CMTime? { options.range.end.map(CMTime.init) }

  private func observe() {
    let wake = wake
    observations = [
      player.observe(\.timeControlStatus) { _, _ in wake.signal() },
      player.observe(\.currentItem) { _, _ in wake.signal() },
      player.observe(\.status) { _, _ in wake.signal() },
    ]
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
    if let report {
      seconds = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 1), queue: DispatchQueue(label: "vplay.seconds")
      ) { _ in report.secondPassed() }
    }
    // What happened before the observers stood is looked at in the first step.
    wake.signal()
  }

  // MARK: What happened

  /// Looks at what happened since the last step, and keeps the queue filled.
  func step() -> Outcome {
    if resumeRequest.take(), isPlayWanted { player.play() }
    if let error = player.error, player.status == .failed { return noOutput(outputReason(error)) }
    if outputWatch.look(isMissing: player.reasonForWaitingToPlay == .outputUnavailable, at: .now) {
      notes.append("the sound output has stopped: waiting for it")
    }
    if queue == nil, let list = lists.take().first { begin(list) }
    if let refusal { return .refused(refusal) }
    for request in desktop.take() {
      if case .quit = request { return .quit }
      obey(request)
    }
    update()
    return queue?.isOver == true ? .ended : .goesOn
  }

  private func noOutput(_ reason: String) -> Outcome {
    report?.failed("no sound output: \(reason)")
    return .noOutput(reason)
  }

  private func update() {
    for event in queue?.update() ?? [] {
      switch event {
      case .ended(let track): report?.ended(tracks[track], index: track)
      case .failed(let track, let error): fail(Failure(track: tracks[track], error: error))
      }
    }
    guard queue?.isOver != true else { return }
    report?.show(progress, of: tracks)
    desktop.show(progress, of: tracks, rates: Playback.rates)
  }

  private func fail(_ failure: Failure) {
    isWhole = false
    failures.append(failure)
    report?.failed(failure)
  }

  /// In how many milliseconds `step` is to be called though nothing happened; nil when not.
  var stepTimeout: Int32? {
    outputWatch.pause(at: .now).map { Int32($0 / .milliseconds(1)) + 1 }
  }

  /// Takes the lines about the output.
  func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
  }

  /// Takes what is to be shown of what could not be played.
  func takeFailures() -> [Failure] {
    defer { failures = [] }
    return failures
  }

  private func outputReason(_ error: any Error) -> String {
    guard case .wav(let path) = options.output else { return Playback.reason(error) }
    return "\(printable(path)): \(Playback.reason(error))"
  }

  fileprivate static func reason(_ error: any Error) -> String {
    printable((error as? AVError)?.reason ?? error.localizedDescription)
  }

  var statistics: OutputStatistics { player.outputStatistics }

  // MARK: What the user does

  var isPlaying: Bool { player.rate != 0 }

  func togglePause() {
    isPlayWanted = !isPlaying
    if isPlayWanted { player.play() } else { player.pause() }
  }

  private func obey(_ request: DesktopLink.Request) {
    switch request {
    case .play, .pause:
      isPlayWanted = if case .play = request { true } else { false }
      if isPlayWanted { player.play() } else { player.pause() }
    case .toggle: togglePause()
    case .stop:
      isPlayWanted = false
      player.pause()
      player.seekExactly(to: startTime)
    case .next: skip()
    case .previous: goBack()
    case .seek(let seconds): player.seekExactly(to: CMTime(seconds: max(0, seconds), preferredTimescale: 1_000_000))
    case .rate(let rate): changeRate(to: rate)
    case .volume(let volume): player.volume = Float(volume)
    case .loop(let loops): if loops != progress.isLooping { toggleLoop() }
    case .quit: break
    }
  }

  /// Pauses, and waits until the last of the sound has been heard, so that the program can stop or end without a click.
  func fadeOut(withinMilliseconds limit: Int) {
    let silent = DispatchSemaphore(value: 0)
    player.pause { silent.signal() }
    _ = silent.wait(timeout: .now() + .milliseconds(limit))
  }

  /// The desktop is told, and others' sound is what it was when this returns; half a second at most.
  func endSession() {
    desktop.end()
    guard !options.session.options.isEmpty else { return }
    player.pause()
    do {
      try AVAudioSession.sharedInstance().setActive(false)
    } catch {
      // That something played is no fault here.
    }
  }

  func resume() { player.play() }

  func seek(bySeconds seconds: Int64) {
    guard let item = player.currentItem else { return }
    var target = CMTimeAdd(player.currentTime(), CMTime(value: seconds, timescale: 1))
    let end = endTime ?? item.duration
    if end.isNumeric, target > end { target = end }
    player.seekExactly(to: max(target, startTime))
  }

  /// In hundredths, to the next whole one.
  func changeVolume(byPercent percent: Int) {
    let now = Int((player.volume * 100).rounded())
    player.volume = Float(min(max(now + percent, 0), 100)) / 100
  }

  /// As fast as `--rate` and the keys go.
  static let rates = 0.5...2.0

  /// In tenths, to the next whole one.
  func changeRate(byTenths tenths: Int) {
    changeRate(to: ((Double(player.defaultRate) * 10).rounded() + Double(tenths)) / 10)
  }

  private func changeRate(to wanted: Double) {
    player.defaultRate = Float(min(max(wanted, Playback.rates.lowerBound), Playback.rates.upperBound))
    if isPlaying { player.play() }
  }

  func toggleMute() throws {
    let session = AVAudioSession.sharedInstance()
    try session.setOutputMuted(!session.isOutputMuted)
  }

  func skip() {
    queue?.skip()
    // The next key may come before the next step.
    update()
  }

  func goBack() { queue?.goBack() }

  func toggleLoop() {
    if let queue { return queue.toggleLoop() }
    options.passes = options.passes == .times(1) ? .forever : .times(1)
  }

  // MARK: What is shown

  var progress: Progress {
    let item = player.currentItem
    let duration = item?.duration ?? .indefinite
    let track = queue?.currentTrack
    return Progress(
      state: state, track: track, title: item?.mediumTitle ?? track.flatMap { tracks[$0].title },
      time: max(0, player.currentTime().seconds), duration: duration.isNumeric ? duration.seconds : nil,
      volume: Double(player.volume), rate: Double(player.defaultRate),
      isMuted: AVAudioSession.sharedInstance().isOutputMuted,
      isLooping: queue?.isLooping ?? (options.passes != .times(1)))
  }

  var status: StatusLine {
    let progress = progress
    let name = progress.track.map { tracks[$0].shortName } ?? options.inputs.first?.shortName ?? ""
    return StatusLine(
      state: progress.state, position: progress.time, length: progress.duration, volume: progress.volume,
      rate: progress.rate, isMuted: progress.isMuted, isLooping: progress.isLooping,
      name: progress.title.map { printable($0) } ?? name)
  }

  private var state: Progress.State {
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
    case .wav(let path): .waveFile(URL(encoded: Input(argument: path).pathAddress()))
    }
  }
}

extension CMTime {
  fileprivate init(_ argument: TimeArgument) {
    self.init(value: argument.value, timescale: argument.timescale)
  }
}
