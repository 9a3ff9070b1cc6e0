import Glibc

/// One thing to play, as the user named it.
struct Input: Equatable {
  /// The argument's exact bytes.
  var argument: [UInt8]

  var isStandardInput: Bool { argument == [UInt8(ascii: "-")] }

  /// The path of a local file, in its exact bytes; nil for all else. A `file:` URL is not looked into.
  var path: [UInt8]? { isStandardInput || isURL ? nil : argument }

  /// The whole argument, printable: what messages call it.
  var name: String { isStandardInput ? "standard input" : printable(argument) }

  /// The last part of the path, printable: what the status line calls it.
  var shortName: String {
    if isStandardInput { return name }
    let parts = argument.split(separator: UInt8(ascii: "/"))
    return printable(parts.last ?? argument[...])
  }

  /// The address as an ASCII string: a URL as it stands, a path as the `file:` URL of its exact bytes.
  func address(folder: [UInt8] = currentFolder()) -> String {
    if isStandardInput { return "pipe:0" }
    if isURL { return Input.encoded(argument, keeping: Input.urlBytes) }
    return pathAddress(folder: folder)
  }

  /// The address of the argument taken for a path, whatever it looks like.
  func pathAddress(folder: [UInt8] = currentFolder()) -> String {
    let path = argument.first == UInt8(ascii: "/") ? argument : folder + [UInt8(ascii: "/")] + argument
    return "file://" + Input.encoded(path, keeping: Input.pathBytes)
  }

  /// Whether this is a URL of a kind that can be played. All else, `a:b.wav` too, is a path.
  private var isURL: Bool {
    let lowered = argument.prefix(8).map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    return ["http://", "https://", "file://"].contains { lowered.starts(with: Array($0.utf8)) }
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
  private static let pathBytes = unreserved.union("/".utf8)
  /// What a URL may hold, `%` of its own escapes included.
  private static let urlBytes = unreserved.union(":/?#[]@!$&'()*+,;=%".utf8)

  private static func encoded(_ bytes: [UInt8], keeping kept: Set<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 16)
    for byte in bytes {
      if kept.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// The working folder's exact bytes; empty when it has no name any more, so that a path in it is not found.
func currentFolder() -> [UInt8] {
  guard let path = getcwd(nil, 0) else { return [] }
  defer { free(path) }
  return UnsafeBufferPointer(start: path, count: strlen(path)).map(UInt8.init(bitPattern:))
}
