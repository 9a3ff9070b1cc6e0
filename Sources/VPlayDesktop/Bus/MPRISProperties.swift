/// The object's properties as MPRIS 2.2 defines them, but `Position`, which moves by itself.
struct MPRISProperties {
  static let root = "org.mpris.MediaPlayer2"
  static let player = "org.mpris.MediaPlayer2.Player"
  /// "No track" (specification, "Track_Id").
  static let noTrack = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  var identity: String
  var desktopEntry: String?
  var info: NowPlayingInfo?
  var trackNumber: Int
  var playbackState: MPNowPlayingPlaybackState
  var offers: CommandOffers

  static func trackPath(_ number: Int) -> String { "/vplay/track/\(number)" }

  var trackID: String { info == nil ? Self.noTrack : Self.trackPath(trackNumber) }

  var isPlaying: Bool { status == "Playing" }

  var status: String {
    switch playbackState {
    case .playing: return "Playing"
    case .paused, .interrupted: return "Paused"
    case .stopped: return "Stopped"
    case .unknown:
      guard let info else { return "Stopped" }
      return info.rate == 0 ? "Paused" : "Playing"
    }
  }

  var values: [String: [String: BusValue]] {
    var root: [String: BusValue] = [
      "CanQuit": .bool(offers.canQuit), "CanRaise": .bool(offers.canRaise), "HasTrackList": .bool(false),
      "Identity": .string(identity), "SupportedUriSchemes": .strings([]), "SupportedMimeTypes": .strings([]),
    ]
    root["DesktopEntry"] = .string(desktopEntry ?? "")
    let player: [String: BusValue] = [
      "PlaybackStatus": .string(status), "LoopStatus": .string(Self.loopStatus(offers.repeatType)),
      "Rate": .double(rate), "Shuffle": .bool(offers.isShuffled), "Metadata": .dictionary(metadata),
      "Volume": .double(Double(offers.volume)), "MinimumRate": .double(offers.minimumRate),
      "MaximumRate": .double(offers.maximumRate), "CanGoNext": .bool(offers.canGoNext),
      "CanGoPrevious": .bool(offers.canGoPrevious), "CanPlay": .bool(offers.canPlay && info != nil),
      "CanPause": .bool(offers.canPause), "CanSeek": .bool(offers.canSeek && info?.duration != nil),
      "CanControl": .bool(true),
    ]
    return [Self.root: root, Self.player: player]
  }

  /// Never 0: a paused player's rate is the one it goes on with.
  private var rate: Double {
    guard let info else { return 1 }
    let rate = info.rate == 0 ? info.defaultRate : info.rate
    return rate == 0 ? 1 : rate
  }

  private var metadata: [String: BusValue] {
    guard let info else { return ["mpris:trackid": .objectPath(Self.noTrack)] }
    var values: [String: BusValue] = ["mpris:trackid": .objectPath(trackID)]
    func add(_ key: String, _ text: String?) { values[key] = text.map(BusValue.string) }
    func addList(_ key: String, _ text: String?) { values[key] = text.map { .strings([$0]) } }
    func addNumber(_ key: String, _ number: Int?) {
      values[key] = number.flatMap { Int32(exactly: $0) }.map(BusValue.int32)
    }
    values["mpris:length"] = info.duration.map { .int64(PlaybackPosition.microseconds($0)) }
    add("mpris:artUrl", info.artworkURL)
    add("xesam:title", info.identity.title)
    add("xesam:album", info.identity.album)
    add("xesam:url", info.identity.url)
    addList("xesam:artist", info.identity.artist)
    addList("xesam:albumArtist", info.albumArtist)
    addList("xesam:genre", info.genre)
    addList("xesam:composer", info.composer)
    addNumber("xesam:trackNumber", info.trackNumber)
    addNumber("xesam:discNumber", info.discNumber)
    return values
  }

  static func loopStatus(_ type: MPRepeatType) -> String {
    switch type {
    case .off: "None"
    case .one: "Track"
    case .all: "Playlist"
    }
  }

  static func repeatType(_ status: String) -> MPRepeatType? {
    switch status {
    case "None": .off
    case "Track": .one
    case "Playlist": .all
    default: nil
    }
  }
}
