/// The completion for zsh.
enum ZshCompletion {
  static var text: String {
    let specs = OptionTable.sections.flatMap(\.rows).map { "    \(Document.quoted(spec($0))) \\\n" }
    return """
      #compdef vplay
      \(Document.note)
      _vplay_devices() {
        local -a devices
        devices=(${(f)"$(vplay --list-devices 2>/dev/null | cut -c 3- | cut -f 1)"})
        compadd -a devices
      }
      _vplay_output() {
        if compset -P '*:'; then
          _files
        else
          compadd -S '' wav:
          compadd "$@"
        fi
      }
      _arguments -S \\
      \(specs.joined())    '*:file, URL or list:_files'

      """
  }

  private static func spec(_ row: OptionRow) -> String {
    let help = escaped(row.help.joined(separator: " "))
    let action =
      switch row.completion {
      case .nothing: " "
      case .words(let words): "(\(words.joined(separator: " ")))"
      case .devices: "_vplay_devices"
      case .wordsOrFile(let words, _): "_vplay_output \(words.joined(separator: " "))"
      }
    return switch row.value {
    case .none: "\(row.flag)[\(help)]"
    case .optional(let placeholder): "\(row.flag)=-[\(help)]::\(escaped(placeholder)):\(action)"
    case .required(let placeholder): "\(row.flag)=[\(help)]:\(escaped(placeholder)):\(action)"
    }
  }

  private static func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
