/// What `--help` and `--version` say.
enum HelpText {
  static let version = "vplay 0.1.0\n"

  static var help: String {
    var text = """
      vplay [options] FILE|URL|- ...
      Plays sound, one input after the other without a gap; - is standard input, and
      what is in an .m3u or .m3u8 list is played in its place.

      """
    for section in OptionTable.sections {
      text += "\n"
      for (index, row) in section.rows.enumerated() {
        let title = padded(index == 0 ? section.title : "", to: 9)
        for (line, help) in row.help.enumerated() {
          text +=
            " \(line == 0 ? title : padded("", to: 9))\(padded(line == 0 ? row.usage : "", to: 19))\(help)\n"
        }
      }
    }
    for (index, line) in KeyTable.lines(width: 72).enumerated() {
      text += (index == 0 ? "\n keys     " : "          ") + line + "\n"
    }
    return text + """
       status   0 all played, 1 something could not be played, 2 usage, 3 no sound output,
                128+n ended by signal n

      """
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
