public import Foundation

/// One thing that a medium says of itself: a title, an artist, a cover, …
///
/// As Apple's [AVMetadataItem](https://developer.apple.com/documentation/avfoundation/avmetadataitem). All of its
/// properties are there from the start, also those that Apple wants to be loaded; both ways work.
// Safe to share: its stored properties are `let`s of Sendable types.
open class AVMetadataItem: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  enum Content: Sendable, Equatable {
    case text(String)
    case picture(Data, type: String)
  }

  let content: Content

  /// Key space and key in one; see ``AVMetadataIdentifier``.
  public let identifier: AVMetadataIdentifier?
  /// What it means in every container, nil where that is not known.
  public let commonKey: AVMetadataKey?
  /// Its language as BCP 47 has it; nil where the container says nothing.
  public let extendedLanguageTag: String?
  private let range: CMTimeRange

  init(
    _ identifier: AVMetadataIdentifier, _ commonKey: AVMetadataKey?, _ content: Content, language: String? = nil,
    range: CMTimeRange = .invalid
  ) {
    self.range = range
    self.identifier = identifier
    self.commonKey = commonKey
    self.content = content
    extendedLanguageTag = language
  }

  /// Where its key comes from.
  open var keySpace: AVMetadataKeySpace? { identifier.flatMap(Self.keySpace(forIdentifier:)) }

  /// Its key within its key space: an `NSString`.
  open var key: (any NSCopying & NSObjectProtocol)? { identifier.flatMap(Self.key(forIdentifier:)) }

  /// The language of ``extendedLanguageTag``.
  open var locale: Locale? { extendedLanguageTag.map { Locale(identifier: $0) } }

  /// When it begins to hold; invalid for what holds for the whole medium.
  open var time: CMTime { range.start }

  /// How long it holds; invalid for what holds for the whole medium.
  open var duration: CMTime { range.duration }

  /// What kind of value it has: Apple's name of a type, such as `public.jpeg`.
  open var dataType: String? {
    switch content {
    case .text: "com.apple.metadata.datatype.UTF-8"
    case .picture(_, let type): type
    }
  }

  /// An `NSString`, or an `NSData`.
  open var value: (any NSCopying & NSObjectProtocol)? {
    switch content {
    case .text(let text): text as NSString
    case .picture(let data, _): data as NSData
    }
  }

  /// The value as text; nil of a picture.
  open var stringValue: String? {
    if case .text(let text) = content { return text }
    return nil
  }

  /// The value as a number, where all of it is one.
  open var numberValue: NSNumber? {
    guard let text = stringValue else { return nil }
    if let whole = Int64(text) { return NSNumber(value: whole) }
    return Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
  }

  /// The value as a point in time, where it is a date of ISO 8601, a year at least; in UTC where it says no zone.
  open var dateValue: Date? { stringValue.flatMap { ISODate.date(of: $0) } }

  /// The value as bytes: an image file, or text in UTF-8.
  open var dataValue: Data? {
    switch content {
    case .text(let text): Data(text.utf8)
    case .picture(let data, _): data
    }
  }

  var isLyrics: Bool {
    [.id3MetadataUnsynchronizedLyric, .iTunesMetadataLyrics, AVMetadataIdentifier("tags/lyrics")].contains(identifier)
  }

  open override var description: String {
    let shown: String =
      switch content {
      case .text(let text): text
      case .picture(let data, let type): "\(data.count) bytes of \(type)"
      }
    return "\(identifier?.rawValue ?? "?"): \(shown)"
  }
}

/// The values of an item, for who loads them.
extension AVPartialAsyncProperty where Root: AVMetadataItem {
  /// See ``AVMetadataItem/value``.
  public static var value: AVAsyncProperty<Root, (any NSCopying & NSObjectProtocol)?> {
    AVAsyncProperty { $0.value }
  }
  /// See ``AVMetadataItem/stringValue``.
  public static var stringValue: AVAsyncProperty<Root, String?> { AVAsyncProperty { $0.stringValue } }
  /// See ``AVMetadataItem/numberValue``.
  public static var numberValue: AVAsyncProperty<Root, NSNumber?> { AVAsyncProperty { $0.numberValue } }
  /// See ``AVMetadataItem/dateValue``.
  public static var dateValue: AVAsyncProperty<Root, Date?> { AVAsyncProperty { $0.dateValue } }
  /// See ``AVMetadataItem/dataValue``.
  public static var dataValue: AVAsyncProperty<Root, Data?> { AVAsyncProperty { $0.dataValue } }
}

extension AVMetadataItem {
  // MARK: - Choosing

  /// Those of an identifier; a common one also finds what means the same in its container's own way.
  public class func metadataItems(
    from items: [AVMetadataItem], filteredByIdentifier identifier: AVMetadataIdentifier
  ) -> [AVMetadataItem] {
    items.filter { item in
      item.identifier == identifier || item.commonKey.map { "comn/\($0.rawValue)" == identifier.rawValue } ?? false
    }
  }

  /// Those of a key (a `String` or an ``AVMetadataKey``) and a key space, nil for any. In the common key space a common
  /// key also finds what means the same in its container's own way.
  public class func metadataItems(
    from items: [AVMetadataItem], withKey key: Any?, keySpace: AVMetadataKeySpace?
  ) -> [AVMetadataItem] {
    let name = (key as? AVMetadataKey)?.rawValue ?? key as? String
    guard key == nil || name != nil else { return [] }
    return items.filter { item in
      if keySpace == .common { return name == nil ? item.commonKey != nil : item.commonKey?.rawValue == name }
      let hasKey = name == nil || (item.key as? NSString).map { String($0) == name } ?? false
      return hasKey && (keySpace == nil || item.keySpace == keySpace)
    }
  }

  /// Those of a language.
  public class func metadataItems(from items: [AVMetadataItem], with locale: Locale) -> [AVMetadataItem] {
    items.filter { $0.locale?.identifier == locale.identifier }
  }

  // MARK: - Identifiers

  /// Key space and key in one; nil when `key` is no `String`.
  public class func identifier(forKey key: Any, keySpace: AVMetadataKeySpace) -> AVMetadataIdentifier? {
    guard let name = (key as? AVMetadataKey)?.rawValue ?? key as? String else { return nil }
    let escaped = name.replacingOccurrences(of: "©", with: "%A9")
    return AVMetadataIdentifier("\(keySpace.prefix)/\(escaped)")
  }

  /// What stands before the slash.
  public class func keySpace(forIdentifier identifier: AVMetadataIdentifier) -> AVMetadataKeySpace? {
    identifier.rawValue.firstIndex(of: "/").map { AVMetadataKeySpace(prefix: identifier.rawValue[..<$0]) }
  }

  /// What stands behind the slash: an `NSString`.
  public class func key(forIdentifier identifier: AVMetadataIdentifier) -> (any NSCopying & NSObjectProtocol)? {
    guard let slash = identifier.rawValue.firstIndex(of: "/") else { return nil }
    let escaped = identifier.rawValue[identifier.rawValue.index(after: slash)...]
    return escaped.replacingOccurrences(of: "%A9", with: "©") as NSString
  }
}
