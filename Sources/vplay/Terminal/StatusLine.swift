/// What a terminal shows of the playback: one line, never wider than asked.
struct StatusLine: Equatable {
  var state: Progress.State
  /// Seconds, not negative; whole ones are shown.
  var position: Double
  /// Seconds; nil when unknown.
  var length: Double?
  var volume: Double
  /// Shown where it is not 1.
  var rate = 1.0
  var isMuted: Bool
  var isLooping = false
  var name: String

  /// How text becomes columns: UTF-8 with the C library's widths, or plain ASCII.
  struct Charset: Sendable {
    var isUnicode: Bool
    /// Columns of a scalar; negative when it cannot be shown.
    var width: @Sendable (Unicode.Scalar) -> Int

    static let ascii = Charset(isUnicode: false) { $0.isASCII ? 1 : -1 }
  }

  /// The line for a terminal of `columns`, which it does not fill: the last one is left free, lest the line wrap.
  /// What does not fit goes in this order: the bar, the name, the volume, the length, the position. Numbers are never cut.
  func rendered(columns: Int, charset: Charset) -> String {
    let room = max(0, columns - 1)
    let time = "\(StatusLine.clock(position)) / \(length.map(StatusLine.clock) ?? "?")"
    let word = StatusLine.padded(state.rawValue, 7)
    let head = "\(word)  \(time)"
    let level = isMuted ? "muted" : "\(Int((min(max(volume, 0), 1) * 100).rounded()))%"
    let withLevel = "\(head)  \(StatusLine.padded(level, 5))"
    guard withLevel.utf8.count <= room else {
      let shorter = [head, "\(word)  \(StatusLine.clock(position))"]
      return shorter.first { $0.utf8.count <= room } ?? String(state.rawValue.prefix(room))
    }

    let barWidth = min(30, room - withLevel.utf8.count - 2 - 12)
    let front: String
    if let length, length > 0, barWidth >= 8 {
      front = "\(head)  \(bar(width: barWidth, of: length, charset))  \(StatusLine.padded(level, 5))"
    } else {
      front = withLevel
    }
    let frontWidth = front.unicodeScalars.count
    let nameRoom = room - frontWidth - 2
    guard nameRoom >= 4 else { return front }
    let notes = [rate == 1 ? nil : "x\(StatusLine.decimal(rate))", isLooping ? "loop" : nil].compactMap { $0 }
    return "\(front)  \(StatusLine.fitted((notes + [name]).joined(separator: "  "), nameRoom, charset))"
  }

  /// With up to two decimals.
  private static func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = (hundredths / 100, hundredths % 100)
    return rest == 0 ? "\(whole)" : rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(two(rest))"
  }

  private func bar(width: Int, of length: Double, _ charset: Charset) -> String {
    let share = min(max(position / length, 0), 1)
    let filled = Int((share.isNaN ? 0 : share) * Double(width))
    let (done, left) = charset.isUnicode ? ("━", "─") : ("=", "-")
    return String(repeating: done, count: filled) + String(repeating: left, count: width - filled)
  }

  /// `m:ss` or `h:mm:ss`, by integers: Foundation's formatting would load its tables at the start.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e9 else { return "?" }
    let whole = Int(max(0, seconds))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  private static func two(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.utf8.count))
  }

  /// The text, cut to `room` columns with a mark where it was cut.
  private static func fitted(_ text: String, _ room: Int, _ charset: Charset) -> String {
    let mark = charset.isUnicode ? "…" : "~"
    var kept = text.unicodeScalars.map { scalar -> (scalar: Unicode.Scalar, width: Int) in
      let width = charset.width(scalar)
      return width < 0 ? ("?", 1) : (scalar, width)
    }
    var used = kept.reduce(0) { $0 + $1.width }
    guard used > room else { return string(kept.map(\.scalar)) }
    while used > room - 1, let last = kept.popLast() { used -= last.width }
    return string(kept.map(\.scalar)) + mark
  }

  private static func string(_ scalars: [Unicode.Scalar]) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: scalars)
    return String(result)
  }
}
