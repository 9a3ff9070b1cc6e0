/// The completion for fish.
enum FishCompletion {
  static var text: String {
    "# fish completion for vplay\n\(Document.note)\n"
      + OptionTable.sections.flatMap(\.rows).map { "\(line($0))\n" }.joined()
  }

  private static func line(_ row: OptionRow) -> String {
    var words = ["complete", "-c", "vplay", "-l", row.name]
    if case .required = row.value { words.append("-x") }
    if let values = values(row.completion) { words += ["-a", Document.quoted(values)] }
    return (words + ["-d", Document.quoted(row.help.joined(separator: " "))]).joined(separator: " ")
  }

  private static func values(_ completion: OptionRow.Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .words(let words): words.joined(separator: " ")
    case .devices: "(vplay --list-devices 2>/dev/null | string sub -s 3)"
    case .wordsOrFile(let words, let prefix):
      // What stands before the parentheses is put before each path.
      (words + [prefix, "\(prefix)(__fish_complete_path (string replace -r '^.*:' '' -- (commandline -ct)))"])
        .joined(separator: " ")
    }
  }
}
