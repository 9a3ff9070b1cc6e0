/// What the bytes of a list say.
enum PlaylistText: Equatable {
  struct Line: Equatable {
    /// A file or URL, in its exact bytes.
    var address: [UInt8]
    var title: String?
  }

  case list([Line])
  /// An HLS playlist: FFmpeg plays it.
  case medium

  static func parse(_ bytes: [UInt8]) throws(AVError) -> PlaylistText {
    if bytes.contains(0) { throw AVError(.fileFormatNotRecognized, reason: "it is no list in UTF-8 or Latin-1") }
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes[...]
    var lines: [Line] = []
    var title: String?
    for rawLine in text.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let line = trimmed(rawLine)
      guard let first = line.first else { continue }
      guard first == UInt8(ascii: "#") else {
        lines.append(Line(address: Array(line), title: title))
        title = nil
        continue
      }
      if line.starts(with: Array("#EXT-X-".utf8)) { return .medium }
      if line.starts(with: Array("#EXTINF:".utf8)) { title = self.title(of: line) }
    }
    return .list(lines)
  }

  /// What follows the first comma that is not within quotes: attributes may stand before it.
  private static func title(of line: ArraySlice<UInt8>) -> String? {
    var isQuoted = false
    for (index, byte) in zip(line.indices, line) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard byte == UInt8(ascii: ","), !isQuoted else { continue }
      let title = trimmed(line[(index + 1)...])
      return title.isEmpty ? nil : text(title)
    }
    return nil
  }

  /// UTF-8, or else Latin-1.
  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(validating: Array(bytes), as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    var rest = line.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}
