import Foundation
import Glibc

/// What a line of a list leads to, seen from where the list lies.
enum PlaylistAddress {
  static func entry(for line: PlaylistText.Line, in list: URL) -> MediaPlaylist.Entry {
    list.isFileURL ? local(line, list) : remote(line, list)
  }

  private static func local(_ line: PlaylistText.Line, _ list: URL) -> MediaPlaylist.Entry {
    if hasScheme(line.address), let url = URL(string: encoded(line.address, keeping: urlBytes)) {
      return MediaPlaylist.Entry(url: url, title: line.title)
    }
    let folder = list.absoluteString.prefix { $0 != "?" && $0 != "#" }
    let base = folder[...(folder.lastIndex(of: "/") ?? folder.startIndex)]
    var first: URL?
    for path in spellings(of: line.address) {
      let start = path.first == UInt8(ascii: "/") ? "file://" : String(base)
      guard let url = URL(string: start + encoded(path, keeping: pathBytes)) else { continue }
      if url.withPathBytes({ access($0, F_OK) }) == 0 { return MediaPlaylist.Entry(url: url, title: line.title) }
      first = first ?? url
    }
    return MediaPlaylist.Entry(
      url: first ?? list, title: line.title,
      error: first == nil ? AVError(.contentIsUnavailable, reason: "the list names no file here") : nil)
  }

  /// A file's name as it stands; then as Latin-1, and with the folders as other systems write them.
  private static func spellings(of name: [UInt8]) -> [[UInt8]] {
    var result = [name]
    if String(validating: name, as: UTF8.self) == nil { result.append(Array(PlaylistText.text(name).utf8)) }
    if name.contains(UInt8(ascii: "\\")) {
      result += result.map { $0.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } }
    }
    return result
  }

  private static func remote(_ line: PlaylistText.Line, _ list: URL) -> MediaPlaylist.Entry {
    let kept = hasScheme(line.address) ? urlBytes : urlBytes.subtracting("[]".utf8)
    guard let url = URL(string: encoded(line.address, keeping: kept), relativeTo: list)?.absoluteURL else {
      return MediaPlaylist.Entry(
        url: list, title: line.title, error: AVError(.contentIsUnavailable, reason: "the list names no address here"))
    }
    var entry = MediaPlaylist.Entry(url: url, title: line.title)
    if !["http", "https"].contains(url.scheme?.lowercased()) {
      entry.error = AVError(.operationNotAllowed, reason: "a list from the network may name http and https only")
    }
    return entry
  }

  /// Whether it begins like `http://`.
  private static func hasScheme(_ address: [UInt8]) -> Bool {
    let scheme = address.prefix { $0 != UInt8(ascii: ":") }
    guard let first = scheme.first, isLetter(first), address.dropFirst(scheme.count).starts(with: Array("://".utf8))
    else { return false }
    return scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || Array("+-.".utf8).contains($0) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5a).contains(byte & 0xdf)
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
  private static let pathBytes = unreserved.union("/".utf8)
  /// What a URL may hold, `%` of its own escapes included.
  private static let urlBytes = unreserved.union(":/?#[]@!$&'()*+,;=%".utf8)

  private static func encoded(_ bytes: [UInt8], keeping kept: Set<UInt8>) -> String {
    bytes.map { byte in
      kept.contains(byte)
        ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
