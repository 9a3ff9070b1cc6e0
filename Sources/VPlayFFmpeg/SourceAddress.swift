internal import VPlayModel

/// Where a medium lies, read from a percent-encoded absolute URL.
enum SourceAddress: Equatable {
  /// A file's path, byte for byte.
  case file([UInt8])
  /// An open file descriptor of this process, such as 0 for standard input.
  case descriptor(Int32)
  /// An `http` or `https` URL.
  case network(String)

  init(url: String) throws(MediaError) {
    guard let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw MediaError(.protocolNotAllowed, "not an absolute URL")
    }
    let rest = Array(url.utf8[url.utf8.index(after: colon)...])
    switch url[..<colon].lowercased() {
    case "file": self = .file(try Self.path(of: rest))
    case "pipe":
      guard let number = Int32(String(decoding: rest, as: UTF8.self)), number >= 0 else {
        throw MediaError(.protocolNotAllowed, "a pipe is named by the number of its descriptor")
      }
      self = .descriptor(number)
    case "http", "https": self = .network(url)
    default: throw MediaError(.protocolNotAllowed, "this kind of address may not be opened")
    }
  }

  /// The URL of what lies at another machine.
  var networkURL: String? {
    if case .network(let url) = self { return url }
    return nil
  }

  /// The protocols that FFmpeg may open on behalf of what lies here (a list, a container with references).
  var allowedProtocols: String {
    switch self {
    case .network: "http,https,httpproxy,tcp,tls,crypto"
    case .file, .descriptor: "file,http,https,httpproxy,tcp,tls,crypto"
    }
  }

  /// The raw path in what follows `file:`: percent-decoded once, the authority left out, query and fragment cut off.
  private static func path(of rest: [UInt8]) throws(MediaError) -> [UInt8] {
    var bytes = rest[...]
    if bytes.starts(with: Array("//".utf8)) {
      let authority = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
      let host = String(decoding: authority, as: UTF8.self).lowercased()
      guard host.isEmpty || host == "localhost" else {
        throw MediaError(.protocolNotAllowed, "a file URL of another machine")
      }
      bytes = bytes[authority.endIndex...]
    }
    bytes = bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let path = percentDecoded(bytes)
    guard !path.isEmpty, !path.contains(0) else { throw MediaError(.notFound, "no such file") }
    return path
  }

  private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
