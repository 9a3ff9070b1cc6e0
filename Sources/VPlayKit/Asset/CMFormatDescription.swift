import VPlayModel

/// Four characters as a number, the first one highest.
public typealias FourCharCode = UInt32

/// How the packets of a track are coded.
///
/// Named as CoreMedia's on Apple's systems, with what our API needs of it.
public final class CMFormatDescription: Hashable, Sendable {
  /// What a description is of, by Apple's numbers.
  public struct MediaType: RawRepresentable, Hashable, Sendable {
    public let rawValue: FourCharCode

    public init(rawValue: FourCharCode) {
      self.rawValue = rawValue
    }

    public static let audio = MediaType(rawValue: fourCharacters("soun"))
    public static let video = MediaType(rawValue: fourCharacters("vide"))
    public static let subtitle = MediaType(rawValue: fourCharacters("sbtl"))
    public static let closedCaption = MediaType(rawValue: fourCharacters("clcp"))
    public static let timeCode = MediaType(rawValue: fourCharacters("tmcd"))
    public static let metadata = MediaType(rawValue: fourCharacters("meta"))
  }

  /// The codec, by Apple's numbers.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: FourCharCode

    public init(rawValue: FourCharCode) {
      self.rawValue = rawValue
    }

    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    public static let h264 = MediaSubType(rawValue: fourCharacters("avc1"))
    public static let hevc = MediaSubType(rawValue: fourCharacters("hvc1"))

    /// The four characters, those that cannot be shown as dots.
    public var description: String {
      String(
        String.UnicodeScalarView(
          [24, 16, 8, 0].map { shift -> UnicodeScalar in
            let byte = UInt8(truncatingIfNeeded: rawValue >> shift)
            return UnicodeScalar((32..<127).contains(byte) ? byte : UInt8(ascii: "."))
          }))
    }
  }

  public let mediaType: MediaType
  public let mediaSubType: MediaSubType
  /// Of sound.
  public let audioStreamBasicDescription: AudioStreamBasicDescription?
  /// Where the channels of sound belong.
  public let audioChannelLayout: ManagedAudioChannelLayout?
  /// Of a picture, in pixels as stored; 0 by 0 of all else.
  public let dimensions: CMVideoDimensions
  /// FFmpeg's name of the codec, such as `aac`. VPlay's own.
  public let codecName: String

  init(
    mediaType: MediaType, mediaSubType: MediaSubType, codecName: String,
    audioStreamBasicDescription: AudioStreamBasicDescription? = nil,
    audioChannelLayout: ManagedAudioChannelLayout? = nil,
    dimensions: CMVideoDimensions = CMVideoDimensions(width: 0, height: 0)
  ) {
    self.mediaType = mediaType
    self.mediaSubType = mediaSubType
    self.codecName = codecName
    self.audioStreamBasicDescription = audioStreamBasicDescription
    self.audioChannelLayout = audioChannelLayout
    self.dimensions = dimensions
  }

  public static func == (a: CMFormatDescription, b: CMFormatDescription) -> Bool {
    a.mediaType == b.mediaType && a.mediaSubType == b.mediaSubType && a.codecName == b.codecName
      && a.audioStreamBasicDescription == b.audioStreamBasicDescription
      && a.audioChannelLayout == b.audioChannelLayout && a.dimensions == b.dimensions
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(mediaType)
    hasher.combine(mediaSubType)
    hasher.combine(audioStreamBasicDescription)
    hasher.combine(dimensions)
  }
}

/// A description of sound.
public typealias CMAudioFormatDescription = CMFormatDescription
/// A description of a picture.
public typealias CMVideoFormatDescription = CMFormatDescription

/// The size of a picture in pixels.
public struct CMVideoDimensions: Hashable, Sendable {
  public var width: Int32
  public var height: Int32

  public init(width: Int32, height: Int32) {
    self.width = width
    self.height = height
  }
}

/// See ``CMFormatDescription/mediaType-swift.property``.
public func CMFormatDescriptionGetMediaType(_ description: CMFormatDescription) -> FourCharCode {
  description.mediaType.rawValue
}

/// See ``CMFormatDescription/mediaSubType-swift.property``.
public func CMFormatDescriptionGetMediaSubType(_ description: CMFormatDescription) -> FourCharCode {
  description.mediaSubType.rawValue
}

/// See ``CMFormatDescription/dimensions``.
public func CMVideoFormatDescriptionGetDimensions(_ description: CMVideoFormatDescription) -> CMVideoDimensions {
  description.dimensions
}

/// Four ASCII characters as a number.
func fourCharacters(_ text: StaticString) -> FourCharCode {
  text.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) } }
}
