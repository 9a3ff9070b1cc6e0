/// One option: what parsing, `--help`, the manual page, the shells' completions and the usage errors know of it.
struct OptionRow: Sendable {
  enum Value: Equatable {
    case none
    case optional(String)
    case required(String)

    /// What stands for it in texts.
    var placeholder: String? {
      switch self {
      case .none: nil
      case .optional(let placeholder), .required(let placeholder): placeholder
      }
    }
  }

  /// What a shell can offer for the value.
  enum Completion: Equatable {
    case nothing
    case words([String])
    case devices
    /// Words, or a file behind a word's beginning, such as `wav:`.
    case wordsOrFile([String], prefix: String)
  }

  var name: String
  var value: Value
  /// Lines of help.
  var help: [String]
  /// Its paragraph of the manual page, in mdoc; nil when the help says all.
  var manual: String?
  var completion = Completion.nothing
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
