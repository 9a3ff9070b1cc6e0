import Foundation

/// What `nowPlayingInfo` says, as values of their types.
struct NowPlayingInfo: Sendable, Equatable {
  /// What makes it the same item as before.
  struct Identity: Sendable, Equatable {
    var title: String?
    var artist: String?
    var album: String?
    var url: String?
    var content: String?
    var queueIndex: Int?
  }

  var identity = Identity()
  var albumArtist: String?
  var genre: String?
  var composer: String?
  var trackNumber: Int?
  var discNumber: Int?
  /// Seconds; nil when not known.
  var duration: Double?
  var artworkURL: String?
  /// Seconds.
  var elapsed = 0.0
  var rate = 1.0
  var defaultRate = 1.0

  init(_ values: [String: Any]) {
    func number(_ key: String) -> Double? {
      let value: Double? =
        switch values[key] {
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as any BinaryInteger: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
      return value.flatMap { $0.isFinite ? $0 : nil }
    }
    func integer(_ key: String) -> Int? { number(key).flatMap { Int(exactly: $0.rounded()) } }
    func text(_ key: String) -> String? { values[key] as? String }

    identity.title = text(MPMediaItemPropertyTitle)
    identity.artist = text(MPMediaItemPropertyArtist)
    identity.album = text(MPMediaItemPropertyAlbumTitle)
    identity.url = (values[MPNowPlayingInfoPropertyAssetURL] as? URL)?.absoluteString
    identity.content = text(MPNowPlayingInfoPropertyExternalContentIdentifier)
    identity.queueIndex = integer(MPNowPlayingInfoPropertyPlaybackQueueIndex)
    albumArtist = text(MPMediaItemPropertyAlbumArtist)
    genre = text(MPMediaItemPropertyGenre)
    composer = text(MPMediaItemPropertyComposer)
    trackNumber = integer(MPMediaItemPropertyAlbumTrackNumber)
    discNumber = integer(MPMediaItemPropertyDiscNumber)
    if values[MPNowPlayingInfoPropertyIsLiveStream] as? Bool != true {
      duration = number(MPMediaItemPropertyPlaybackDuration).flatMap { $0 > 0 ? $0 : nil }
    }
    artworkURL = (values[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork)?.url.absoluteString
    elapsed = number(MPNowPlayingInfoPropertyElapsedPlaybackTime) ?? 0
    rate = number(MPNowPlayingInfoPropertyPlaybackRate) ?? 1
    defaultRate = number(MPNowPlayingInfoPropertyDefaultPlaybackRate) ?? 1
  }
}
