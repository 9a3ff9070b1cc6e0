import CVPlayCLI
import Glibc

/// Arguments, in their exact bytes, to `Options`. getopt_long's state is global: one thread at a time.
enum CommandLineParser {
  /// `arguments` are those after the program's name.
  static func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Options {
    let vector = CStrings([Array("vplay".utf8)] + arguments)
    let names = CStrings(OptionTable.rows.map { Array($0.name.utf8) })
    let descriptions = OptionTable.rows.indices.map { index in
      option(
        name: names.pointers[index], has_arg: OptionTable.rows[index].value.getoptValue, flag: nil, val: 0)
    }
    return try withExtendedLifetime((vector, names)) { () throws(UsageError) -> Options in
      try parse(vector, descriptions + [option()])
    }
  }

  private static func parse(_ vector: CStrings, _ descriptions: [option]) throws(UsageError) -> Options {
    var options = Options()
    // getopt_long moves the inputs behind the options.
    var pointers = vector.pointers
    let count = vector.count
    var restart: Int32 = 1
    while true {
      let found = cvplay_next_option(Int32(count), &pointers, descriptions, restart)
      restart = 0
      let argument = found.argument.map(bytes)
      let isKnown = found.result == 0 && OptionTable.rows.indices.contains(Int(found.index))
      if isKnown {
        try OptionTable.rows[Int(found.index)].apply(&options, argument)
        // Asked for help, one gets it, whatever follows.
        if options.action == .showHelp || options.action == .showVersion { return options }
        continue
      }
      if found.result == -1 {
        options.inputs = pointers[Int(found.next)..<count].compactMap {
          $0.map { Input(argument: bytes($0)) }
        }
        break
      }
      throw error(found, pointers)
    }
    try check(options)
    return options
  }

  private static func error(_ found: cvplay_option, _ pointers: [UnsafeMutablePointer<CChar>?]) -> UsageError {
    let previous = Int(found.next) - 1
    let word = pointers.indices.contains(previous) ? pointers[previous].map { bytes($0) } ?? [] : []
    let name = printable(word.prefix { $0 != UInt8(ascii: "=") })
    if found.result == Int32(UInt8(ascii: ":")) { return UsageError(name, "needs a value") }
    if found.character != 0, !word.starts(with: Array("--".utf8)) {
      return UsageError("-\(printable([UInt8(truncatingIfNeeded: found.character)]))", "unknown option")
    }
    let matches = OptionTable.rows.filter {
      Array($0.flag.utf8).starts(with: word.prefix { $0 != UInt8(ascii: "=") })
    }
    if matches.count > 1, !matches.contains(where: { $0.flag == name }) {
      return UsageError(name, "may mean \(matches.map(\.flag).joined(separator: " or "))")
    }
    if word.contains(UInt8(ascii: "=")), matches.count == 1 {
      return UsageError(matches[0].flag, "takes no value")
    }
    return UsageError(name, "unknown option")
  }

  private static func check(_ options: Options) throws(UsageError) {
    if let start = options.start, let end = options.end, !(start < end) {
      throw UsageError("--end", "it is not after --start")
    }
    if let duration = options.duration, duration.isZero {
      throw UsageError("--duration", "nothing would be played")
    }
    if options.device != nil {
      switch options.output {
      case .auto, .pulse: break
      case .null, .wav: throw UsageError("--device", "it goes with the sound server's output only")
      }
    }
    guard options.action == .play || options.action == .showInfo else { return }
    if options.inputs.isEmpty {
      throw UsageError(nil, "nothing to play: name a file, a URL or - (--help says more)")
    }
    if let fault = options.session.fault { throw fault }
    if options.inputs.contains(where: \.argument.isEmpty) {
      throw UsageError(nil, "nothing to play: the name of an input is empty")
    }
    if options.action == .showInfo { return }
    if case .wav = options.output, options.passes == .forever {
      throw UsageError("--loop", "a WAV file would have no end: give a count")
    }
    if options.inputs.count(where: { $0.isStandardInput }) > 1 {
      throw UsageError("-", "standard input can be played once")
    }
    if options.inputs.count == 1, options.inputs[0].isStandardInput, options.passes != .times(1) {
      throw UsageError("--loop", "standard input can be played once")
    }
  }

  private static func bytes(_ pointer: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: pointer, count: strlen(pointer)).map(UInt8.init(bitPattern:))
  }

  private static func bytes(_ pointer: UnsafeMutablePointer<CChar>) -> [UInt8] {
    bytes(UnsafePointer(pointer))
  }
}

extension OptionRow.Value {
  fileprivate var getoptValue: Int32 {
    switch self {
    case .none: no_argument
    case .required: required_argument
    case .optional: optional_argument
    }
  }
}

/// A C vector of C strings, ended by nil, freed with its owner.
private final class CStrings {
  let pointers: [UnsafeMutablePointer<CChar>?]
  let count: Int

  init(_ strings: [[UInt8]]) {
    count = strings.count
    pointers =
      strings.map { string in
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: string.count + 1)
        _ = copy.initialize(from: string.map(CChar.init(bitPattern:)) + [0])
        return copy.baseAddress
      } + [nil]
  }

  deinit {
    for pointer in pointers { pointer?.deallocate() }
  }
}
