import VPlayKit

/// What one track is, for `--info`.
struct TrackReport {
  var id: Int
  /// `sound`, `picture`, `subtitles` or `data`.
  var kind: String
  var codec: String
  var isPlayable: Bool
  var isDefault: Bool
  var language: String?
  /// Bits a second; nil when unknown.
  var bitRate: Int?
  /// Seconds.
  var start: Double
  var duration: Double?
  var sound: Sound?
  var picture: Picture?

  struct Sound {
    var rate: Int
    var channels: Int
    /// Such as `5.1`; nil where it has no name.
    var layout: String?
  }

  struct Picture {
    /// As it is shown: turned, and with its pixels' shape.
    var width: Int
    var height: Int
    var frameRate: Double?
  }

  init(_ track: AVAssetTrack) {
    let format = track.formatDescriptions.first
    id = Int(track.trackID)
    let name = format?.codecName ?? "none"
    codec = name == "none" ? "unknown" : name
    isPlayable = track.isPlayable
    isDefault = track.isEnabled
    language = track.extendedLanguageTag ?? track.languageCode
    bitRate = track.estimatedDataRate > 0 ? Int(track.estimatedDataRate.rounded()) : nil
    start = track.timeRange.start.seconds
    duration = track.timeRange.duration.isNumeric ? track.timeRange.duration.seconds : nil
    switch track.mediaType {
    case .audio: kind = "sound"
    case .video: kind = "picture"
    case .subtitle, .text, .closedCaption: kind = "subtitles"
    default: kind = "data"
    }
    if track.mediaType == .audio, let description = format?.audioStreamBasicDescription {
      sound = Sound(
        rate: Int(description.mSampleRate), channels: Int(description.mChannelsPerFrame),
        layout: TrackReport.layout(format?.audioChannelLayout))
    }
    if track.mediaType == .video {
      let (size, turn) = (track.naturalSize, track.preferredTransform)
      picture = Picture(
        width: Int((abs(turn.a * size.width) + abs(turn.c * size.height)).rounded()),
        height: Int((abs(turn.b * size.width) + abs(turn.d * size.height)).rounded()),
        frameRate: track.nominalFrameRate > 0 ? Double(track.nominalFrameRate) : nil)
    }
  }

  /// By CoreAudio's numbers of the places.
  private static func layout(_ layout: ManagedAudioChannelLayout?) -> String? {
    guard let places = layout?.channelDescriptions.map(\.mChannelLabel) else { return nil }
    if places.count == 1 { return "mono" }
    let names: [Set<UInt32>: String] = [
      [1, 2]: "stereo", [1, 2, 4]: "2.1", [1, 2, 3]: "3.0", [1, 2, 3, 4]: "3.1", [1, 2, 3, 9]: "4.0",
      [1, 2, 33, 34]: "quad", [1, 2, 5, 6]: "quad", [1, 2, 3, 5, 6]: "5.0", [1, 2, 3, 33, 34]: "5.0",
      [1, 2, 3, 4, 5, 6]: "5.1", [1, 2, 3, 4, 33, 34]: "5.1", [1, 2, 3, 4, 5, 6, 9]: "6.1",
      [1, 2, 3, 4, 5, 6, 33, 34]: "7.1",
    ]
    return Set(places).count == places.count ? names[Set(places)] : nil
  }

  // MARK: For people

  var text: String {
    var words = [codec]
    if let sound {
      words.append("\(sound.rate) Hz")
      words.append(sound.layout ?? "\(sound.channels) channels")
    }
    if let picture {
      words.append("\(picture.width)×\(picture.height)")
      if let rate = picture.frameRate { words.append("\(TrackReport.short(rate)) frames/s") }
    }
    if let bitRate, bitRate >= 500 { words.append("\((bitRate + 500) / 1000) kbit/s") }
    if let language { words.append(language) }
    if !isPlayable, sound != nil || picture != nil { words.append("cannot be played") }
    return words.joined(separator: ", ")
  }

  /// To the thousandth, without zeros at the end.
  private static func short(_ value: Double) -> String {
    JSON.seconds(value).text
  }

  // MARK: For machines

  var json: JSON {
    var members: [(String, JSON)] = [
      ("id", .integer(id)), ("kind", .string(kind)), ("codec", .string(codec)), ("playable", .bool(isPlayable)),
      ("default", .bool(isDefault)), ("language", .optional(language)),
      ("bitRate", bitRate.map(JSON.integer) ?? .null), ("start", .seconds(start)), ("duration", .seconds(duration)),
    ]
    if let sound {
      members += [
        ("rate", .integer(sound.rate)), ("channels", .integer(sound.channels)), ("layout", .optional(sound.layout)),
      ]
    }
    if let picture {
      members += [
        ("width", .integer(picture.width)), ("height", .integer(picture.height)),
        ("frameRate", .seconds(picture.frameRate)),
      ]
    }
    return .object(members)
  }
}
