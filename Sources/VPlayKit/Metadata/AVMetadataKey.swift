/// A key of metadata.
///
/// As Apple's [AVMetadataKey](https://developer.apple.com/documentation/avfoundation/avmetadatakey); those that mean
/// the same in every container are its constants.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.init(rawValue: rawValue)
  }

  public static let commonKeyTitle = AVMetadataKey("title")
  public static let commonKeyCreator = AVMetadataKey("creator")
  public static let commonKeySubject = AVMetadataKey("subject")
  public static let commonKeyDescription = AVMetadataKey("description")
  public static let commonKeyPublisher = AVMetadataKey("publisher")
  public static let commonKeyContributor = AVMetadataKey("contributor")
  public static let commonKeyCreationDate = AVMetadataKey("creationDate")
  public static let commonKeyLastModifiedDate = AVMetadataKey("lastModifiedDate")
  public static let commonKeyType = AVMetadataKey("type")
  public static let commonKeyFormat = AVMetadataKey("format")
  public static let commonKeyIdentifier = AVMetadataKey("identifier")
  public static let commonKeySource = AVMetadataKey("source")
  public static let commonKeyLanguage = AVMetadataKey("language")
  public static let commonKeyRelation = AVMetadataKey("relation")
  public static let commonKeyLocation = AVMetadataKey("location")
  public static let commonKeyCopyrights = AVMetadataKey("copyrights")
  public static let commonKeyAlbumName = AVMetadataKey("albumName")
  public static let commonKeyAuthor = AVMetadataKey("author")
  public static let commonKeyArtist = AVMetadataKey("artist")
  public static let commonKeyArtwork = AVMetadataKey("artwork")
  public static let commonKeyMake = AVMetadataKey("make")
  public static let commonKeyModel = AVMetadataKey("model")
  public static let commonKeySoftware = AVMetadataKey("software")
  public static let commonKeyAccessibilityDescription = AVMetadataKey("accessibilityDescription")
}

/// Where the keys of metadata come from.
///
/// As Apple's [AVMetadataKeySpace](https://developer.apple.com/documentation/avfoundation/avmetadatakeyspace).
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.init(rawValue: rawValue)
  }

  public static let common = AVMetadataKeySpace("comn")
  public static let id3 = AVMetadataKeySpace("org.id3")
  public static let iTunes = AVMetadataKeySpace("itsk")
  public static let quickTimeMetadata = AVMetadataKeySpace("mdta")
  public static let quickTimeUserData = AVMetadataKeySpace("udta")
  public static let icy = AVMetadataKeySpace("icy")
  /// Names that a container's writer was free to choose: Vorbis comments, Matroska tags, RIFF. VPlay's own.
  public static let tags = AVMetadataKeySpace("tags")

  /// What stands before the slash of an identifier.
  var prefix: String { self == .id3 ? "id3" : rawValue }

  init(prefix: some StringProtocol) {
    self = prefix == "id3" ? .id3 : AVMetadataKeySpace(String(prefix))
  }
}

/// A way in which metadata is kept.
///
/// As Apple's [AVMetadataFormat](https://developer.apple.com/documentation/avfoundation/avmetadataformat).
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
  public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
  public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
  public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
  /// None that Apple has a name for.
  public static let unknown = AVMetadataFormat(rawValue: "????")

  init(_ item: AVMetadataItem) {
    switch item.keySpace {
    case .id3: self = .id3Metadata
    case .iTunes: self = .iTunesMetadata
    case .quickTimeMetadata: self = .quickTimeMetadata
    case .quickTimeUserData: self = .quickTimeUserData
    default: self = .unknown
    }
  }

  /// Each that occurs, once.
  static func all(in items: [AVMetadataItem]) -> [AVMetadataFormat] {
    var formats: [AVMetadataFormat] = []
    for format in items.map(AVMetadataFormat.init) where !formats.contains(format) { formats.append(format) }
    return formats
  }
}
