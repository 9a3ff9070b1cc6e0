/// What the keys do, for the help and the manual page.
enum KeyTable {
  struct Row: Sendable {
    /// In the help.
    var keys: String
    var does: String
    /// In the manual page: each key by its name.
    var names: [String]
    var meaning: String
  }

  static let rows = [
    Row(keys: "space", does: "pause", names: ["space"], meaning: "Pause, and go on."),
    Row(keys: "← →", does: "5 s", names: ["left", "right"], meaning: "Five seconds back or on."),
    Row(keys: "⇧← ⇧→", does: "1 s", names: ["shift-left", "shift-right"], meaning: "One second back or on."),
    Row(keys: "↑ ↓", does: "volume", names: ["up", "down"], meaning: "The volume, by 5 percent."),
    Row(keys: "[ ]", does: "rate", names: [#"\&["#, #"\&]"#], meaning: "Slower or faster, by a tenth, from 0.5 to 2."),
    Row(keys: "m", does: "mute", names: ["m"], meaning: "Mute, and unmute."),
    Row(keys: "l", does: "loop", names: ["l"], meaning: "Loop for ever, or end with this pass."),
    Row(keys: "n", does: "next", names: ["n"], meaning: "The next input, if there is one."),
    Row(
      keys: "p", does: "previous", names: ["p"],
      meaning: "The input before; three seconds or more into one, its beginning."),
    Row(keys: "q Esc", does: "quit", names: ["q", "Esc"], meaning: "Quit."),
  ]

  /// In lines of at most `width` columns.
  static func lines(width: Int) -> [String] {
    var lines = [""]
    for (index, row) in rows.enumerated() {
      let text = "\(row.keys) \(row.does)" + (index + 1 < rows.count ? "," : "")
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = text
      } else if last.count + 1 + text.count <= width {
        lines[lines.count - 1] += " " + text
      } else {
        lines.append(text)
      }
    }
    return lines
  }
}
