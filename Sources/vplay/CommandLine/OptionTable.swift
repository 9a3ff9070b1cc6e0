/// One option: what parsing, `--help` and the usage errors know of it.
struct OptionRow: Sendable {
  enum Value: Equatable {
    case none
    case optional(String)
    case required(String)
  }

  var name: String
  var value: Value
  /// Lines of help.
  var help: [String]
  /// Takes the value over; nil when none was given.
  var apply: @Sendable (inout Options, [UInt8]?) throws(UsageError) -> Void

  var flag: String { "--\(name)" }

  var usage: String {
    switch value {
    case .none: flag
    case .optional(let placeholder): "\(flag)[=\(placeholder)]"
    case .required(let placeholder): "\(flag) \(placeholder)"
    }
  }
}

/// Every option of the command line, by section of the help.
enum OptionTable {
  struct Section: Sendable {
    var title: String
    var rows: [OptionRow]
  }

  static let sections = [
    Section(title: "sound", rows: [mute, volume, device, listDevices, output]),
    Section(title: "time", rows: [start, end, duration, loop]),
    Section(title: "list", rows: [shuffle]),
    Section(title: "picture", rows: [noVideo]),
    Section(title: "report", rows: [json, quiet, stats, version, help]),
  ]

  static let rows = sections.flatMap(\.rows)

  private static let mute = OptionRow(
    name: "mute", value: .none, help: ["start with everything muted (key m unmutes)"]
  ) { (options, _) throws(UsageError) in options.isMuted = true }

  private static let volume = OptionRow(
    name: "volume", value: .required("V"), help: ["0 to 1 (linear), or 0% to 100%, or as -6dB"]
  ) { (options, value) throws(UsageError) in
    let text = try text(value, of: "--volume")
    guard let volume = VolumeArgument(text) else {
      throw UsageError(
        "--volume", "\(printable(text)) is not a volume: 0 to 1, 0% to 100%, or a level like -6dB")
    }
    options.volume = volume.linear
  }

  private static let device = OptionRow(
    name: "device", value: .required("NAME"), help: ["play on this device of the sound server"]
  ) { (options, value) throws(UsageError) in
    let name = try text(value, of: "--device")
    guard !name.isEmpty else { throw UsageError("--device", "the name is empty") }
    options.device = name
  }

  private static let listDevices = OptionRow(
    name: "list-devices", value: .none, help: ["name the sound server's devices, and end"]
  ) { (options, _) throws(UsageError) in options.action = .listDevices }

  private static let output = OptionRow(
    name: "output", value: .required("WHERE"),
    help: ["auto, pulse, null (nowhere, on time), or", "wav:PATH (into a file, as fast as it goes)"]
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

  private static let start = OptionRow(
    name: "start", value: .required("T"), help: ["begin here: seconds, mm:ss or hh:mm:ss.fff"]
  ) { (options, value) throws(UsageError) in options.start = try time(value, of: "--start") }

  private static let end = OptionRow(
    name: "end", value: .required("T"), help: ["end here"]
  ) { (options, value) throws(UsageError) in options.end = try time(value, of: "--end") }

  private static let duration = OptionRow(
    name: "duration", value: .required("T"), help: ["play this much of each (and not past --end)"]
  ) { (options, value) throws(UsageError) in options.duration = try time(value, of: "--duration") }

  private static let loop = OptionRow(
    name: "loop", value: .optional("N"), help: ["play all N times; for ever without N"]
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

  private static let shuffle = OptionRow(
    name: "shuffle", value: .none, help: ["in a new order each time; with --loop in each pass"]
  ) { (options, _) throws(UsageError) in options.isShuffled = true }

  private static let noVideo = OptionRow(
    name: "no-video", value: .none, help: ["sound only"]
  ) { (_, _) throws(UsageError) in }

  private static let json = OptionRow(
    name: "json", value: .none, help: ["one JSON object a line on standard output"]
  ) { (options, _) throws(UsageError) in options.isJSON = true }

  private static let quiet = OptionRow(
    name: "quiet", value: .none, help: ["no status line"]
  ) { (options, _) throws(UsageError) in options.isQuiet = true }

  private static let stats = OptionRow(
    name: "stats", value: .none, help: ["at the end say how the output went"]
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
