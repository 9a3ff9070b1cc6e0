public import Foundation
import VPlayModel

/// One track of an asset, as its container describes it.
///
/// As Apple's [AVAssetTrack](https://developer.apple.com/documentation/avfoundation/avassettrack). All of its properties
/// are there from the start, also those that Apple wants to be loaded; both ways work.
// Safe to share: its stored properties are `let`s of Sendable types, but for one weak reference, which is a `let` too.
open class AVAssetTrack: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  let details: TrackDetails
  private let medium: MediaDetails

  /// The asset that it is a track of, while that exists.
  public weak let asset: AVAsset?

  init(_ details: TrackDetails, of asset: AVAsset, _ medium: MediaDetails) {
    self.details = details
    self.medium = medium
    self.asset = asset
  }

  /// Names the track within its asset.
  open var trackID: CMPersistentTrackID { details.id }

  /// What it holds.
  open var mediaType: AVMediaType {
    switch details.kind {
    case .audio: .audio
    case .video: .video
    case .subtitle: .subtitle
    case .closedCaption: .closedCaption
    case .timecode: .timecode
    case .metadata, .other: .metadata
    }
  }

  /// How it is coded: one description.
  open var formatDescriptions: [CMFormatDescription] { [CMFormatDescription(details)] }

  /// Whether it can be decoded here.
  open var isDecodable: Bool { details.isDecodable }

  /// Whether it can be played here.
  open var isPlayable: Bool { details.isDecodable && (details.sound != nil || details.picture != nil) }

  /// Whether it is one that is played where nobody chooses.
  open var isEnabled: Bool { details.isDefault || !medium.tracks.contains { $0.kind == details.kind && $0.isDefault } }

  /// True: its data are in the medium itself.
  open var isSelfContained: Bool { true }

  /// Where it lies in its asset; of a duration that is not known, indefinite.
  open var timeRange: CMTimeRange {
    CMTimeRange(start: CMTime(details.start), duration: details.duration.map { CMTime($0) } ?? .indefinite)
  }

  /// Units a second of the container's clock for this track.
  open var naturalTimeScale: CMTimeScale { details.timescale }

  /// Bits a second; 0 when not known.
  open var estimatedDataRate: Float { Float(details.bitsPerSecond ?? 0) }

  /// Its language as ISO 639-2/T has it, such as `eng`, or as the container writes it; nil where it says nothing.
  open var languageCode: String? {
    guard let primary = details.language?.prefix(while: { $0 != "-" && $0 != "_" }) else { return nil }
    return Self.terminological[String(primary)] ?? String(primary)
  }

  /// The codes of ISO 639-2/T for those of ISO 639-2/B, which Matroska has.
  private static let terminological = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces", "dut": "nld", "fre": "fra",
    "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl", "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas",
    "rum": "ron", "slo": "slk", "tib": "bod", "wel": "cym",
  ]

  /// Its language as BCP 47 has it, where the container writes it so; else nil.
  open var extendedLanguageTag: String? {
    details.language.flatMap { $0.contains("-") || $0.count == 2 ? $0 : nil }
  }

  /// The size of its picture as it is meant to be seen, before ``preferredTransform``; zero of what has none.
  open var naturalSize: CGSize {
    guard let picture = details.picture else { return .zero }
    let aspect = Double(picture.sampleAspectWidth) / Double(picture.sampleAspectHeight)
    return CGSize(width: (Double(picture.widthPixels) * aspect).rounded(), height: Double(picture.heightPixels))
  }

  /// How its picture is to be turned or mirrored; the result lies right of and below the origin.
  open var preferredTransform: CGAffineTransform {
    guard let matrix = details.picture?.displayMatrix, matrix.count == 9 else { return .identity }
    let (a, b, c, d) = (Self.fixed(matrix[0]), Self.fixed(matrix[1]), Self.fixed(matrix[3]), Self.fixed(matrix[4]))
    var transform = CGAffineTransform(a: a, b: b, c: c, d: d, tx: 0, ty: 0)
    let size = naturalSize
    // Containers other than movies, and some of these, leave the shift out.
    transform.tx = 0 - min(0, a * size.width) - min(0, c * size.height)
    transform.ty = 0 - min(0, b * size.width) - min(0, d * size.height)
    return transform
  }

  private static func fixed(_ value: Int32) -> CGFloat { CGFloat(value) / 65536 }

  /// The volume at which it is meant to be played: 1 of sound, 0 of all else.
  open var preferredVolume: Float { details.sound == nil ? 0 : 1 }

  /// Pictures a second; 0 when not known.
  open var nominalFrameRate: Float {
    guard let picture = details.picture, picture.frameRateDenominator > 0 else { return 0 }
    return Float(picture.frameRateNumerator) / Float(picture.frameRateDenominator)
  }

  /// How long a picture is shown; invalid when not known.
  open var minFrameDuration: CMTime {
    guard let picture = details.picture, picture.frameRateNumerator > 0 else { return .invalid }
    return CMTime(
      value: CMTimeValue(picture.frameRateDenominator), timescale: CMTimeScale(clamping: picture.frameRateNumerator))
  }

  /// All that the container says of this track.
  open var metadata: [AVMetadataItem] { MetadataMapping(medium).items(details.tags) }

  /// Those of `metadata` that have a ``AVMetadataItem/commonKey``.
  open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }

  /// The ways in which `metadata` is kept.
  open var availableMetadataFormats: [AVMetadataFormat] { AVMetadataFormat.all(in: metadata) }

  /// Whether the track is of a kind.
  open func hasMediaCharacteristic(_ characteristic: AVMediaCharacteristic) -> Bool {
    switch characteristic {
    case .audible: details.kind == .audio
    case .visual: [.video, .subtitle, .closedCaption].contains(details.kind)
    case .frameBased: details.kind == .video
    case .legible: [.subtitle, .closedCaption].contains(details.kind)
    case .containsOnlyForcedSubtitles: details.kind == .subtitle && details.isForced
    default: false
    }
  }
}

/// The properties of a track, for who loads them.
extension AVPartialAsyncProperty where Root: AVAssetTrack {
  /// See ``AVAssetTrack/formatDescriptions``.
  public static var formatDescriptions: AVAsyncProperty<Root, [CMFormatDescription]> {
    AVAsyncProperty { $0.formatDescriptions }
  }
  /// See ``AVAssetTrack/isDecodable``.
  public static var isDecodable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isDecodable } }
  /// See ``AVAssetTrack/isPlayable``.
  public static var isPlayable: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isPlayable } }
  /// See ``AVAssetTrack/isEnabled``.
  public static var isEnabled: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isEnabled } }
  /// See ``AVAssetTrack/isSelfContained``.
  public static var isSelfContained: AVAsyncProperty<Root, Bool> { AVAsyncProperty { $0.isSelfContained } }
  /// See ``AVAssetTrack/timeRange``.
  public static var timeRange: AVAsyncProperty<Root, CMTimeRange> { AVAsyncProperty { $0.timeRange } }
  /// See ``AVAssetTrack/naturalTimeScale``.
  public static var naturalTimeScale: AVAsyncProperty<Root, CMTimeScale> {
    AVAsyncProperty { $0.naturalTimeScale }
  }
  /// See ``AVAssetTrack/estimatedDataRate``.
  public static var estimatedDataRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.estimatedDataRate } }
  /// See ``AVAssetTrack/languageCode``.
  public static var languageCode: AVAsyncProperty<Root, String?> { AVAsyncProperty { $0.languageCode } }
  /// See ``AVAssetTrack/extendedLanguageTag``.
  public static var extendedLanguageTag: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { $0.extendedLanguageTag }
  }
  /// See ``AVAssetTrack/naturalSize``.
  public static var naturalSize: AVAsyncProperty<Root, CGSize> { AVAsyncProperty { $0.naturalSize } }
  /// See ``AVAssetTrack/preferredTransform``.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty { $0.preferredTransform }
  }
  /// See ``AVAssetTrack/preferredVolume``.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.preferredVolume } }
  /// See ``AVAssetTrack/nominalFrameRate``.
  public static var nominalFrameRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { $0.nominalFrameRate } }
  /// See ``AVAssetTrack/minFrameDuration``.
  public static var minFrameDuration: AVAsyncProperty<Root, CMTime> { AVAsyncProperty { $0.minFrameDuration } }
  /// See ``AVAssetTrack/metadata``.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> { AVAsyncProperty { $0.metadata } }
  /// See ``AVAssetTrack/commonMetadata``.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { $0.commonMetadata }
  }
  /// See ``AVAssetTrack/availableMetadataFormats``.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    AVAsyncProperty { $0.availableMetadataFormats }
  }
}
