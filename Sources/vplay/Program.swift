import CVPlayCLI
import Glibc
import VPlayKit

/// The program, from its arguments to its exit status. Main thread.
final class Program {
  private enum Status {
    static let success: Int32 = 0
    static let notAllPlayed: Int32 = 1
    static let usage: Int32 = 2
    static let noOutput: Int32 = 3
  }

  /// A player that does not end by itself in this time after an ending signal is ended.
  private static let graceMilliseconds: Int32 = 1500
  /// How long a fade may take to be heard before the program stops or ends: longer than any output takes, but for one
  /// that does not answer.
  private static let fadeMilliseconds = 500
  /// How long a reader of the report may pause at the end before the rest of it is dropped.
  private static let patienceMilliseconds: Int32 = 1000
  /// The status line's period, and how often a background job looks whether it is in front again. Without a terminal
  /// nothing happens by time.
  private static let lookMilliseconds: Int32 = 250

  private let playback: Playback
  private let console: Console
  /// Of the report for machines, if there is one.
  private let lines: LineWriter?
  private let wake: Wake
  private let signals: Int32
  private let showsStatistics: Bool

  static func run(_ arguments: [[UInt8]]) -> Int32 {
    openStandardDescriptors()
    let options: Options
    do {
      options = try CommandLineParser.parse(arguments)
      if options.action == .play { try OutputCheck.check(options) }
    } catch {
      Console.writeError("\(error.line)\n")
      return Status.usage
    }
    switch options.action {
    case .showHelp: return say(HelpText.help)
    case .showVersion: return say(HelpText.version)
    case .listDevices: return listDevices()
    case .showInfo:
      let isWhole = InfoCommand(options: options).run { Console.writeError("vplay: \($0)\n") }
      return isWhole ? Status.success : Status.notAllPlayed
    case .generate(let document): return say(document.text)
    case .play: break
    }
    let signals = cvplay_catch_signals(graceMilliseconds)
    guard signals >= 0, let wake = Wake() else {
      Console.writeError("vplay: \(String(cString: strerror(errno)))\n")
      return Status.notAllPlayed
    }
    return Program(options, wake: wake, signals: signals).play()
  }

  private init(_ options: Options, wake: Wake, signals: Int32) {
    self.wake = wake
    self.signals = signals
    showsStatistics = options.showsStatistics
    lines = options.isJSON ? LineWriter(descriptor: 1) : nil
    playback = Playback(
      options: options, wake: wake, report: lines.map { JSONReport(output: $0, wake: wake) })
    console = Console(isQuiet: options.isQuiet || options.isJSON)
  }

  private func play() -> Int32 {
    do {
      try playback.start()
    } catch {
      console.note(printable(error.localizedDescription))
      return Status.noOutput
    }
    while true {
      console.take()
      switch playback.step() {
      case .goesOn: break
      case .ended: return end(with: playback.isWhole ? Status.success : Status.notAllPlayed)
      case .quit:
        fadeOut()
        return end(with: playback.isWhole ? Status.success : Status.notAllPlayed)
      case .noOutput(let reason):
        console.note("no sound output: \(reason)")
        return end(with: Status.noOutput)
      case .refused(let error):
        let status = end(with: Status.usage)
        Console.writeError("\(error.line)\n")
        return status
      }
      noteFailures()
      console.show(playback.status)
      if let status = wait() { return status }
    }
  }

  /// Waits for the next thing to do and does it. A status when that is to end.
  private func wait() -> Int32? {
    var descriptors = [
      pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
      // Negative descriptors are passed over.
      pollfd(fd: console.keyDescriptor ?? -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: lines?.isBehind == true ? 1 : -1, events: Int16(POLLOUT), revents: 0),
    ]
    let looksUp = console.isInBackground || (console.isShowing && playback.isPlaying)
    let timeouts = [looksUp ? Program.lookMilliseconds : nil, playback.stepTimeout].compactMap(\.self)
    let timeout = console.keyTimeout ?? timeouts.min() ?? -1
    let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
    if descriptors[0].revents != 0, let status = takeSignals() { return status }
    if descriptors[1].revents != 0 { wake.drain() }
    if descriptors[3].revents != 0 { lines?.flush() }
    if descriptors[2].revents != 0 {
      if let status = obey(console.readKeys()) { return status }
    } else if count == 0, let key = console.keysTimedOut() {
      return obey([key])
    }
    return nil
  }

  // MARK: Keys

  private func obey(_ keys: [Key]) -> Int32? {
    for key in keys {
      switch key {
      case .space: playback.togglePause()
      case .left: playback.seek(bySeconds: -5)
      case .right: playback.seek(bySeconds: 5)
      case .shiftLeft: playback.seek(bySeconds: -1)
      case .shiftRight: playback.seek(bySeconds: 1)
      case .up: playback.changeVolume(byPercent: 5)
      case .down: playback.changeVolume(byPercent: -5)
      case .character("m"): toggleMute()
      case .character("["): playback.changeRate(byTenths: -1)
      case .character("]"): playback.changeRate(byTenths: 1)
      case .character("l"): playback.toggleLoop()
      case .character("n"): playback.skip()
      case .character("p"): playback.goBack()
      case .character("q"), .escape:
        fadeOut()
        return end(with: playback.isWhole ? Status.success : Status.notAllPlayed)
      case .character: break
      }
    }
    return nil
  }

  private func toggleMute() {
    do {
      try playback.toggleMute()
    } catch {
      console.note(printable(error.localizedDescription))
    }
  }

  // MARK: Signals

  private func takeSignals() -> Int32? {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = max(0, read(signals, &bytes, bytes.count))
    for signal in bytes[..<count].map(Int32.init) {
      switch signal {
      case SIGTSTP: stop()
      case SIGCONT: console.continued()
      case SIGWINCH: console.resized()
      default:
        console.giveBack()
        fadeOut()
        playback.endSession()
        tellStatistics()
        cvplay_die_by_signal(signal)
      }
    }
    return nil
  }

  /// Silent first, then really stopped; afterwards as it was before. The loop's next turn takes the terminal again.
  private func stop() {
    let wasPlaying = playback.isPlaying
    fadeOut()
    console.giveBack()
    raise(SIGSTOP)
    if wasPlaying { playback.resume() }
  }

  // MARK: Ends

  private func fadeOut() { playback.fadeOut(withinMilliseconds: Program.fadeMilliseconds) }

  private func noteFailures() {
    if let trouble = lines?.takeTrouble() { console.note("standard output: \(trouble)") }
    playback.takeNotes().forEach(console.note)
    for failure in playback.takeFailures() { console.note("\(failure.track.name): \(failure.reason)") }
  }

  private func tellStatistics() {
    guard showsStatistics else { return }
    if let lines {
      lines.write(playback.statistics.json.text)
    } else {
      Console.writeError("vplay: stats: \(playback.statistics.text)\n")
    }
  }

  private func end(with status: Int32) -> Int32 {
    noteFailures()
    console.giveBack()
    playback.endSession()
    tellStatistics()
    lines?.flush(withinMilliseconds: Program.patienceMilliseconds)
    return status
  }

  // MARK: Words

  private static func say(_ text: String) -> Int32 {
    if Output.write(text, to: 1) { return Status.success }
    let reason = String(cString: strerror(errno))
    Console.writeError("vplay: standard output: \(reason)\n")
    return Status.notAllPlayed
  }

  private static func listDevices() -> Int32 {
    do {
      let lines = try AudioOutput.devices().map { device in
        "\(device.isDefault ? "*" : " ") \(printable(device.uniqueID))\t\(printable(device.localizedName))\n"
      }
      return say(lines.joined())
    } catch {
      Console.writeError("vplay: --list-devices: \(printable(error.localizedDescription))\n")
      return Status.noOutput
    }
  }

  /// With one of them closed, the first file opened would take its place, and be read or written as it.
  private static func openStandardDescriptors() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
  }
}
