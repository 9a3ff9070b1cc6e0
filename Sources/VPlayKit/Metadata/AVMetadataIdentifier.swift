/// The name of a kind of metadata within its key space, such as `id3/TIT2`.
///
/// As Apple's [AVMetadataIdentifier](https://developer.apple.com/documentation/avfoundation/avmetadataidentifier).
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.init(rawValue: rawValue)
  }
}

/// What means the same in every container.
extension AVMetadataIdentifier {
  public static let commonIdentifierTitle = AVMetadataIdentifier("comn/title")
  public static let commonIdentifierCreator = AVMetadataIdentifier("comn/creator")
  public static let commonIdentifierSubject = AVMetadataIdentifier("comn/subject")
  public static let commonIdentifierDescription = AVMetadataIdentifier("comn/description")
  public static let commonIdentifierPublisher = AVMetadataIdentifier("comn/publisher")
  public static let commonIdentifierContributor = AVMetadataIdentifier("comn/contributor")
  public static let commonIdentifierCreationDate = AVMetadataIdentifier("comn/creationDate")
  public static let commonIdentifierLastModifiedDate = AVMetadataIdentifier("comn/lastModifiedDate")
  public static let commonIdentifierType = AVMetadataIdentifier("comn/type")
  public static let commonIdentifierFormat = AVMetadataIdentifier("comn/format")
  public static let commonIdentifierAssetIdentifier = AVMetadataIdentifier("comn/identifier")
  public static let commonIdentifierSource = AVMetadataIdentifier("comn/source")
  public static let commonIdentifierLanguage = AVMetadataIdentifier("comn/language")
  public static let commonIdentifierRelation = AVMetadataIdentifier("comn/relation")
  public static let commonIdentifierLocation = AVMetadataIdentifier("comn/location")
  public static let commonIdentifierCopyrights = AVMetadataIdentifier("comn/copyrights")
  public static let commonIdentifierAlbumName = AVMetadataIdentifier("comn/albumName")
  public static let commonIdentifierAuthor = AVMetadataIdentifier("comn/author")
  public static let commonIdentifierArtist = AVMetadataIdentifier("comn/artist")
  public static let commonIdentifierArtwork = AVMetadataIdentifier("comn/artwork")
  public static let commonIdentifierMake = AVMetadataIdentifier("comn/make")
  public static let commonIdentifierModel = AVMetadataIdentifier("comn/model")
  public static let commonIdentifierSoftware = AVMetadataIdentifier("comn/software")
  public static let commonIdentifierAccessibilityDescription = AVMetadataIdentifier("comn/accessibilityDescription")
}

/// ID3.
extension AVMetadataIdentifier {
  public static let id3MetadataTitleDescription = AVMetadataIdentifier("id3/TIT2")
  public static let id3MetadataLeadPerformer = AVMetadataIdentifier("id3/TPE1")
  public static let id3MetadataAlbumTitle = AVMetadataIdentifier("id3/TALB")
  public static let id3MetadataBand = AVMetadataIdentifier("id3/TPE2")
  public static let id3MetadataConductor = AVMetadataIdentifier("id3/TPE3")
  public static let id3MetadataComposer = AVMetadataIdentifier("id3/TCOM")
  public static let id3MetadataContentType = AVMetadataIdentifier("id3/TCON")
  public static let id3MetadataContentGroupDescription = AVMetadataIdentifier("id3/TIT1")
  public static let id3MetadataRecordingTime = AVMetadataIdentifier("id3/TDRC")
  public static let id3MetadataTrackNumber = AVMetadataIdentifier("id3/TRCK")
  public static let id3MetadataPartOfASet = AVMetadataIdentifier("id3/TPOS")
  public static let id3MetadataAttachedPicture = AVMetadataIdentifier("id3/APIC")
  public static let id3MetadataCopyright = AVMetadataIdentifier("id3/TCOP")
  public static let id3MetadataUnsynchronizedLyric = AVMetadataIdentifier("id3/USLT")
  public static let id3MetadataComments = AVMetadataIdentifier("id3/COMM")
  public static let id3MetadataPublisher = AVMetadataIdentifier("id3/TPUB")
  public static let id3MetadataEncodedBy = AVMetadataIdentifier("id3/TENC")
  public static let id3MetadataEncodedWith = AVMetadataIdentifier("id3/TSSE")
  public static let id3MetadataLanguage = AVMetadataIdentifier("id3/TLAN")
  public static let id3MetadataInternationalStandardRecordingCode = AVMetadataIdentifier("id3/TSRC")
  public static let id3MetadataBeatsPerMinute = AVMetadataIdentifier("id3/TBPM")
}

/// iTunes, in MPEG-4 files.
extension AVMetadataIdentifier {
  public static let iTunesMetadataSongName = AVMetadataIdentifier("itsk/%A9nam")
  public static let iTunesMetadataArtist = AVMetadataIdentifier("itsk/%A9ART")
  public static let iTunesMetadataAlbum = AVMetadataIdentifier("itsk/%A9alb")
  public static let iTunesMetadataAlbumArtist = AVMetadataIdentifier("itsk/aART")
  public static let iTunesMetadataComposer = AVMetadataIdentifier("itsk/%A9wrt")
  public static let iTunesMetadataUserGenre = AVMetadataIdentifier("itsk/%A9gen")
  public static let iTunesMetadataReleaseDate = AVMetadataIdentifier("itsk/%A9day")
  public static let iTunesMetadataTrackNumber = AVMetadataIdentifier("itsk/trkn")
  public static let iTunesMetadataDiscNumber = AVMetadataIdentifier("itsk/disk")
  public static let iTunesMetadataCoverArt = AVMetadataIdentifier("itsk/covr")
  public static let iTunesMetadataLyrics = AVMetadataIdentifier("itsk/%A9lyr")
  public static let iTunesMetadataUserComment = AVMetadataIdentifier("itsk/%A9cmt")
  public static let iTunesMetadataCopyright = AVMetadataIdentifier("itsk/cprt")
  public static let iTunesMetadataEncodingTool = AVMetadataIdentifier("itsk/%A9too")
  public static let iTunesMetadataEncodedBy = AVMetadataIdentifier("itsk/%A9enc")
  public static let iTunesMetadataGrouping = AVMetadataIdentifier("itsk/%A9grp")
  public static let iTunesMetadataDescription = AVMetadataIdentifier("itsk/desc")
  public static let iTunesMetadataPublisher = AVMetadataIdentifier("itsk/%A9pub")
  public static let iTunesMetadataDiscCompilation = AVMetadataIdentifier("itsk/cpil")
}

/// QuickTime metadata.
extension AVMetadataIdentifier {
  public static let quickTimeMetadataTitle = AVMetadataIdentifier("mdta/com.apple.quicktime.title")
  public static let quickTimeMetadataArtist = AVMetadataIdentifier("mdta/com.apple.quicktime.artist")
  public static let quickTimeMetadataAlbum = AVMetadataIdentifier("mdta/com.apple.quicktime.album")
  public static let quickTimeMetadataAuthor = AVMetadataIdentifier("mdta/com.apple.quicktime.author")
  public static let quickTimeMetadataCreationDate = AVMetadataIdentifier("mdta/com.apple.quicktime.creationdate")
  public static let quickTimeMetadataLocationISO6709 = AVMetadataIdentifier("mdta/com.apple.quicktime.location.ISO6709")
  public static let quickTimeMetadataMake = AVMetadataIdentifier("mdta/com.apple.quicktime.make")
  public static let quickTimeMetadataModel = AVMetadataIdentifier("mdta/com.apple.quicktime.model")
  public static let quickTimeMetadataSoftware = AVMetadataIdentifier("mdta/com.apple.quicktime.software")
  public static let quickTimeMetadataDescription = AVMetadataIdentifier("mdta/com.apple.quicktime.description")
  public static let quickTimeMetadataCopyright = AVMetadataIdentifier("mdta/com.apple.quicktime.copyright")
  public static let quickTimeMetadataComment = AVMetadataIdentifier("mdta/com.apple.quicktime.comment")
  public static let quickTimeMetadataGenre = AVMetadataIdentifier("mdta/com.apple.quicktime.genre")
  public static let quickTimeMetadataArtwork = AVMetadataIdentifier("mdta/com.apple.quicktime.artwork")
  public static let quickTimeMetadataKeywords = AVMetadataIdentifier("mdta/com.apple.quicktime.keywords")
  public static let quickTimeMetadataPublisher = AVMetadataIdentifier("mdta/com.apple.quicktime.publisher")
  public static let quickTimeMetadataComposer = AVMetadataIdentifier("mdta/com.apple.quicktime.composer")
  public static let quickTimeMetadataInformation = AVMetadataIdentifier("mdta/com.apple.quicktime.information")
}

/// QuickTime user data.
extension AVMetadataIdentifier {
  public static let quickTimeUserDataFullName = AVMetadataIdentifier("udta/%A9nam")
  public static let quickTimeUserDataArtist = AVMetadataIdentifier("udta/%A9ART")
  public static let quickTimeUserDataAlbum = AVMetadataIdentifier("udta/%A9alb")
  public static let quickTimeUserDataAuthor = AVMetadataIdentifier("udta/%A9aut")
  public static let quickTimeUserDataComposer = AVMetadataIdentifier("udta/%A9com")
  public static let quickTimeUserDataCreationDate = AVMetadataIdentifier("udta/%A9day")
  public static let quickTimeUserDataComment = AVMetadataIdentifier("udta/%A9cmt")
  public static let quickTimeUserDataCopyright = AVMetadataIdentifier("udta/%A9cpy")
  public static let quickTimeUserDataDescription = AVMetadataIdentifier("udta/%A9des")
  public static let quickTimeUserDataGenre = AVMetadataIdentifier("udta/%A9gen")
  public static let quickTimeUserDataMake = AVMetadataIdentifier("udta/%A9mak")
  public static let quickTimeUserDataModel = AVMetadataIdentifier("udta/%A9mod")
  public static let quickTimeUserDataSoftware = AVMetadataIdentifier("udta/%A9swr")
  public static let quickTimeUserDataLocationISO6709 = AVMetadataIdentifier("udta/%A9xyz")
  public static let quickTimeUserDataTrack = AVMetadataIdentifier("udta/%A9trk")
}
