/// What a track holds.
///
/// As Apple's [AVMediaType](https://developer.apple.com/documentation/avfoundation/avmediatype).
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.init(rawValue: rawValue)
  }

  public static let audio = AVMediaType("soun")
  public static let video = AVMediaType("vide")
  public static let subtitle = AVMediaType("sbtl")
  public static let text = AVMediaType("text")
  public static let closedCaption = AVMediaType("clcp")
  public static let timecode = AVMediaType("tmcd")
  public static let metadata = AVMediaType("meta")
  public static let muxed = AVMediaType("muxx")
}

/// What can be done with a track.
///
/// As Apple's [AVMediaCharacteristic](https://developer.apple.com/documentation/avfoundation/avmediacharacteristic).
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  public init(_ rawValue: String) {
    self.init(rawValue: rawValue)
  }

  /// It can be heard.
  public static let audible = AVMediaCharacteristic("AVMediaCharacteristicAudible")
  /// It can be seen.
  public static let visual = AVMediaCharacteristic("AVMediaCharacteristicVisual")
  /// It can be read.
  public static let legible = AVMediaCharacteristic("AVMediaCharacteristicLegible")
  /// It is made of pictures one after the other.
  public static let frameBased = AVMediaCharacteristic("AVMediaCharacteristicFrameBased")
  /// Subtitles that are to be shown also when none are asked for.
  public static let containsOnlyForcedSubtitles = AVMediaCharacteristic("public.subtitles.forced-only")
}

/// Names a track within its medium; never 0.
public typealias CMPersistentTrackID = Int32

/// The id of no track.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0
