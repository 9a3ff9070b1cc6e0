import VPlayKit

/// Every option of the command line, by section of the help.
enum OptionTable {
  struct Section: Sendable {
    var title: String
    var rows: [OptionRow]
  }

  static let sections = [
    Section(
      title: "sound", rows: [mute, volume, device, listDevices, output, category, mode, mixWithOthers, duckOthers]),
    Section(title: "time", rows: [start, end, duration, loop, rate]),
    Section(title: "list", rows: [shuffle]),
    Section(title: "picture", rows: [noVideo]),
    Section(title: "report", rows: [info, json, quiet, stats, version, help]),
  ]

  /// Those of the sections, and one that only this program's makers need.
  static let rows = sections.flatMap(\.rows) + [generate]

  private static let generate = OptionRow(
    name: "generate", value: .required("DOCUMENT"), help: []
  ) { (options, value) throws(UsageError) in
    let name = try text(value, of: "--generate")
    guard let document = Document(rawValue: name) else {
      let names = Document.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--generate", "\(printable(name)) is none of \(names)")
    }
    options.action = .generate(document)
  }

  private static let mute = OptionRow(
    name: "mute", value: .none, help: ["start with everything muted (key m unmutes)"],
    manual: """
      Start with everything muted.
      No stream is opened on the sound server, and none needed, until the key
      .Cm m
      unmutes.
      """
  ) { (options, _) throws(UsageError) in options.isMuted = true }

  private static let volume = OptionRow(
    name: "volume", value: .required("V"), help: ["0 to 1 (linear), or 0% to 100%, or as -6dB"],
    manual: """
      How loud, from 0 to 1 as a linear factor, in percent
      .Pq Cm 50% ,
      or as a level
      .Pq Cm -6dB .
      Anything else is refused.
      """
  ) { (options, value) throws(UsageError) in
    let text = try text(value, of: "--volume")
    guard let volume = VolumeArgument(text) else {
      throw UsageError(
        "--volume", "\(printable(text)) is not a volume: 0 to 1, 0% to 100%, or a level like -6dB")
    }
    options.volume = volume.linear
  }

  private static let device = OptionRow(
    name: "device", value: .required("NAME"), help: ["play on this device of the sound server"],
    manual: """
      Play on this device of the sound server, one that
      .Fl -list-devices
      names.
      """,
    completion: .devices
  ) { (options, value) throws(UsageError) in
    let name = try text(value, of: "--device")
    guard !name.isEmpty else { throw UsageError("--device", "the name is empty") }
    options.device = name
  }

  private static let listDevices = OptionRow(
    name: "list-devices", value: .none, help: ["name the sound server's devices, and end"],
    manual: """
      Name the devices of the sound server, a line each, the default one marked with an asterisk, and end.
      """
  ) { (options, _) throws(UsageError) in options.action = .listDevices }

  private static let output = OptionRow(
    name: "output", value: .required("WHERE"),
    help: ["auto, pulse, null (nowhere, on time), or", "wav:PATH (into a file, as fast as it goes)"],
    manual: """
      Where the sound goes:
      .Cm auto
      is the sound server,
      .Cm pulse
      says so outright,
      .Cm null
      is nowhere, at the pace of the clock, and
      .Cm wav : Ns Ar PATH
      writes a WAV file, as fast as it goes.
      A file that is to be played is not written over.
      """,
    completion: .wordsOrFile(["auto", "pulse", "null"], prefix: "wav:")
  ) { (options, value) throws(UsageError) in
    let bytes = value ?? []
    let wav = Array("wav:".utf8)
    switch bytes {
    case Array("auto".utf8): options.output = .auto
    case Array("pulse".utf8): options.output = .pulse
    case Array("null".utf8): options.output = .null
    case _ where bytes.starts(with: wav) && bytes.count > wav.count:
      options.output = .wav(Array(bytes.dropFirst(wav.count)))
    default:
      throw UsageError("--output", "\(printable(bytes)) is none of auto, pulse, null, wav:PATH")
    }
  }

  private static let category = OptionRow(
    name: "category", value: .required("NAME"), help: ["playback, ambient or soloAmbient"],
    manual: """
      What the sound is:
      .Cm playback
      goes on whatever is in front,
      .Cm ambient
      and
      .Cm soloAmbient
      are an addition.
      """,
    completion: .words(SessionWish.categories.map(\.name))
  ) { (options, value) throws(UsageError) in
    let name = try text(value, of: "--category")
    guard let known = SessionWish.categories.first(where: { $0.name == name }) else {
      throw UsageError("--category", "\(printable(name)) is none of playback, ambient, soloAmbient")
    }
    options.session.category = known.category
  }

  private static let mode = OptionRow(
    name: "mode", value: .required("NAME"), help: ["default, moviePlayback or spokenAudio"],
    manual: """
      What kind of sound it is:
      .Cm default ,
      .Cm moviePlayback
      .Pq the role video for the sound server, as a film has in any case
      or
      .Cm spokenAudio .
      """,
    completion: .words(SessionWish.modes.map(\.name))
  ) { (options, value) throws(UsageError) in
    let name = try text(value, of: "--mode")
    guard let known = SessionWish.modes.first(where: { $0.name == name }) else {
      throw UsageError("--mode", "\(printable(name)) is none of default, moviePlayback, spokenAudio")
    }
    options.session.mode = known.mode
  }

  private static let mixWithOthers = OptionRow(
    name: "mix-with-others", value: .none, help: ["other programs' sound goes on"],
    manual: """
      Other programs' sound goes on beside this one's, as it does unless one of them makes way by itself.
      """
  ) { (options, _) throws(UsageError) in options.session.options.insert(.mixWithOthers) }

  private static let duckOthers = OptionRow(
    name: "duck-others", value: .none, help: ["other programs' sound is lowered meanwhile"],
    manual: """
      Other programs' streams, but for calls, are lowered by 14 dB while this program is heard, and given back as they were.
      """
  ) { (options, _) throws(UsageError) in options.session.options.formUnion([.mixWithOthers, .duckOthers]) }

  private static let start = OptionRow(
    name: "start", value: .required("T"), help: ["begin here: seconds, mm:ss or hh:mm:ss.fff"],
    manual: """
      Begin each input here: seconds,
      .Ar mm : Ns Ar ss
      or
      .Ar hh : Ns Ar mm : Ns Ar ss ,
      with a fraction if wanted.
      """
  ) { (options, value) throws(UsageError) in options.start = try time(value, of: "--start") }

  private static let end = OptionRow(
    name: "end", value: .required("T"), help: ["end here"],
    manual: """
      End each input here, counted from the input's own beginning.
      """
  ) { (options, value) throws(UsageError) in options.end = try time(value, of: "--end") }

  private static let duration = OptionRow(
    name: "duration", value: .required("T"), help: ["play this much of each (and not past --end)"],
    manual: """
      Play this much of each input.
      With
      .Fl -end
      too, it ends at the earlier of the two.
      """
  ) { (options, value) throws(UsageError) in options.duration = try time(value, of: "--duration") }

  private static let loop = OptionRow(
    name: "loop", value: .optional("N"), help: ["play all N times; for ever without N"],
    manual: """
      Play all inputs
      .Ar N
      times, or for ever, without a gap.
      The count needs the equals sign.
      """
  ) { (options, value) throws(UsageError) in
    guard let value else {
      options.passes = .forever
      return
    }
    guard value.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(String(decoding: value, as: UTF8.self)),
      (1...Int(Int32.max)).contains(count)
    else { throw UsageError("--loop", "\(printable(value)) is not a count of 1 or more") }
    options.passes = .times(count)
  }

  private static let rate = OptionRow(
    name: "rate", value: .required("R"), help: ["0.5 to 2 times as fast, at the same pitch"],
    manual: """
      How fast, from 0.5 to 2, at the same pitch; 1 is as recorded.
      The keys
      .Cm \\&[
      and
      .Cm \\&]
      change it.
      """
  ) { (options, value) throws(UsageError) in
    let text = try text(value, of: "--rate")
    guard let rate = Decimal.parse(text[...]), Playback.rates.contains(rate) else {
      throw UsageError("--rate", "\(printable(text)) is not a rate: 0.5 to 2")
    }
    options.rate = rate
  }

  private static let shuffle = OptionRow(
    name: "shuffle", value: .none, help: ["in a new order each time; with --loop in each pass"],
    manual: """
      Play the inputs, and what the lists among them hold, in a new order each time, each once.
      With
      .Fl -loop
      each pass has an order of its own.
      """
  ) { (options, _) throws(UsageError) in options.isShuffled = true }

  private static let noVideo = OptionRow(
    name: "no-video", value: .none, help: ["sound only"],
    manual: """
      Sound only.
      """
  ) { (_, _) throws(UsageError) in }

  private static let info = OptionRow(
    name: "info", value: .none, help: ["say what the inputs hold, and end"],
    manual: """
      Say what the inputs hold, and end: the container, the duration
      .Pq Dq about , where it is an estimate ,
      each track with its codec and format, and the tags.
      With
      .Fl -json
      an object for each input.
      """
  ) { (options, _) throws(UsageError) in options.action = .showInfo }

  private static let json = OptionRow(
    name: "json", value: .none, help: ["one JSON object a line on standard output"],
    manual: """
      Say what happens on standard output, one JSON object a line, instead of the status line;
      see
      .Sx JSON .
      """
  ) { (options, _) throws(UsageError) in options.isJSON = true }

  private static let quiet = OptionRow(
    name: "quiet", value: .none, help: ["no status line"],
    manual: """
      Show no status line.
      Errors are still told.
      """
  ) { (options, _) throws(UsageError) in options.isQuiet = true }

  private static let stats = OptionRow(
    name: "stats", value: .none, help: ["at the end say how the output went"],
    manual: """
      At the end say on standard error, or with
      .Fl -json
      as an object, how the output went: how often it ran dry (underruns), how often data came too late (stalls), how often
      what was written ahead was written anew (rewrites), how many streams were opened, and how far the clock was off at most.
      """
  ) { (options, _) throws(UsageError) in options.showsStatistics = true }

  private static let version = OptionRow(
    name: "version", value: .none, help: ["name the version, and end"]
  ) { (options, _) throws(UsageError) in options.action = .showVersion }

  private static let help = OptionRow(
    name: "help", value: .none, help: ["this text, and end"]
  ) { (options, _) throws(UsageError) in options.action = .showHelp }

  private static func text(_ value: [UInt8]?, of option: String) throws(UsageError) -> String {
    guard let text = String(validating: value ?? [], as: UTF8.self) else {
      throw UsageError(option, "\(printable(value ?? [])) is not UTF-8")
    }
    return text
  }

  private static func time(_ value: [UInt8]?, of option: String) throws(UsageError) -> TimeArgument {
    let text = try text(value, of: option)
    guard let time = TimeArgument(text) else {
      throw UsageError(option, "\(printable(text)) is not a time: seconds, mm:ss or hh:mm:ss.fff")
    }
    return time
  }
}
