import Foundation
import VPlayModel

/// From FFmpeg's tags to items, by the container that they come from.
struct MetadataMapping {
  private enum Home {
    case id3, iTunes, quickTime, other
  }

  private let home: Home

  init(_ details: MediaDetails) {
    let names = Set(details.formatNames)
    let brand = details.tags.first { $0.key == "major_brand" }?.value
    if names.contains("mov") {
      home = brand == "qt  " || brand == nil ? .quickTime : .iTunes
    } else {
      home = names.isDisjoint(with: ["mp3", "aac", "aiff", "tta"]) ? .other : .id3
    }
  }

  /// The pictures last, the front cover first of these. `range` is when they hold, invalid for always.
  func items(
    _ tags: [MediaTag], _ pictures: [AttachedPicture] = [], range: CMTimeRange = .invalid
  ) -> [AVMetadataItem] {
    let known = Set(tags.map { $0.key.lowercased() })
    let texts = tags.compactMap { tag -> AVMetadataItem? in
      let key = tag.key.lowercased()
      guard !Self.bookkeeping.contains(key), !tag.value.isEmpty else { return nil }
      // FFmpeg repeats some with their language behind.
      var (plain, language): (String, String?) = (key, nil)
      if let dash = key.lastIndex(of: "-"), key.distance(from: dash, to: key.endIndex) == 4 {
        let base = String(key[..<dash])
        if known.contains(base) { return nil }
        (plain, language) = (base, String(key[key.index(after: dash)...]))
      }
      return item(plain, tag, language: language, range)
    }
    let fronts = pictures.filter { $0.title?.lowercased().contains("front") == true }
    let others = pictures.filter { $0.title?.lowercased().contains("front") != true }
    return texts + (fronts + others).map(item)
  }

  private func item(_ key: String, _ tag: MediaTag, language: String?, _ range: CMTimeRange) -> AVMetadataItem {
    let quickTime = "com.apple.quicktime."
    if key.hasPrefix(quickTime) {
      let name = String(key.dropFirst(quickTime.count))
      let common = Self.quickTimeNames[name] ?? Self.meanings[name]?.common
      return AVMetadataItem(
        AVMetadataIdentifier("mdta/\(tag.key)"), common, .text(tag.value), language: language, range: range)
    }
    let meaning = Self.meanings[key]
    let own: String? =
      switch home {
      case .id3: meaning?.id3.map { "id3/\($0)" } ?? (Self.isFrameName(tag.key) ? "id3/\(tag.key)" : nil)
      case .iTunes: meaning?.iTunes.map { "itsk/\($0)" }
      case .quickTime: meaning?.userData.map { "udta/\($0)" }
      case .other: nil
      }
    let identifier = own ?? meaning?.common.map { "comn/\($0.rawValue)" } ?? "tags/\(key)"
    return AVMetadataItem(
      AVMetadataIdentifier(identifier), meaning?.common, .text(tag.value), language: language, range: range)
  }

  private func item(_ picture: AttachedPicture) -> AVMetadataItem {
    let identifier: AVMetadataIdentifier =
      switch home {
      case .id3: .id3MetadataAttachedPicture
      case .iTunes: .iTunesMetadataCoverArt
      case .quickTime: .quickTimeMetadataArtwork
      case .other: .commonIdentifierArtwork
      }
    let types = ["mjpeg": "public.jpeg", "png": "public.png", "bmp": "com.microsoft.bmp", "gif": "com.compuserve.gif"]
    let type = types[picture.codecName] ?? "public.\(picture.codecName)"
    return AVMetadataItem(identifier, .commonKeyArtwork, .picture(Data(picture.bytes), type: type))
  }

  /// A frame of ID3 that FFmpeg left under its own name.
  private static func isFrameName(_ key: String) -> Bool {
    key.utf8.count == 4 && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
  }

  /// What containers need for themselves.
  private static let bookkeeping: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "handler_name", "vendor_id", "itunsmpb", "language",
  ]

  private struct Meaning {
    var common: AVMetadataKey?
    var id3: String?
    var iTunes: String?
    var userData: String?

    init(_ common: AVMetadataKey?, _ id3: String? = nil, _ iTunes: String? = nil, _ userData: String? = nil) {
      (self.common, self.id3, self.iTunes, self.userData) = (common, id3, iTunes, userData)
    }
  }

  /// By FFmpeg's names.
  private static let meanings: [String: Meaning] = [
    "title": Meaning(.commonKeyTitle, "TIT2", "%A9nam", "%A9nam"),
    "artist": Meaning(.commonKeyArtist, "TPE1", "%A9ART", "%A9ART"),
    "album": Meaning(.commonKeyAlbumName, "TALB", "%A9alb", "%A9alb"),
    "album_artist": Meaning(nil, "TPE2", "aART"),
    "author": Meaning(.commonKeyAuthor, nil, "%A9aut", "%A9aut"),
    "composer": Meaning(.commonKeyCreator, "TCOM", "%A9wrt", "%A9com"),
    "performer": Meaning(.commonKeyContributor, "TPE3", nil, "%A9prf"),
    "genre": Meaning(.commonKeyType, "TCON", "%A9gen", "%A9gen"),
    "date": Meaning(.commonKeyCreationDate, "TDRC", "%A9day", "%A9day"),
    "year": Meaning(.commonKeyCreationDate),
    "creation_time": Meaning(.commonKeyCreationDate),
    "track": Meaning(nil, "TRCK", "trkn", "%A9trk"),
    "disc": Meaning(nil, "TPOS", "disk"),
    "comment": Meaning(.commonKeyDescription, "COMM", "%A9cmt", "%A9cmt"),
    "description": Meaning(.commonKeyDescription, nil, "desc", "%A9des"),
    "copyright": Meaning(.commonKeyCopyrights, "TCOP", "cprt", "%A9cpy"),
    "publisher": Meaning(.commonKeyPublisher, "TPUB", "%A9pub"),
    "label": Meaning(.commonKeyPublisher),
    "encoder": Meaning(.commonKeySoftware, "TSSE", "%A9too", "%A9swr"),
    "encoded_by": Meaning(nil, "TENC", "%A9enc"),
    "software": Meaning(.commonKeySoftware),
    "lyrics": Meaning(nil, "USLT", "%A9lyr"),
    "grouping": Meaning(nil, "TIT1", "%A9grp"),
    "compilation": Meaning(nil, "TCMP", "cpil"),
    "language": Meaning(.commonKeyLanguage, "TLAN"),
    "make": Meaning(.commonKeyMake, nil, nil, "%A9mak"),
    "model": Meaning(.commonKeyModel, nil, nil, "%A9mod"),
    "location": Meaning(.commonKeyLocation, nil, nil, "%A9xyz"),
  ]

  /// What stands behind `com.apple.quicktime.`, where it is named otherwise than FFmpeg's tags.
  private static let quickTimeNames: [String: AVMetadataKey] = [
    "creationdate": .commonKeyCreationDate, "location.iso6709": .commonKeyLocation,
    "software": .commonKeySoftware, "artwork": .commonKeyArtwork,
  ]
}
