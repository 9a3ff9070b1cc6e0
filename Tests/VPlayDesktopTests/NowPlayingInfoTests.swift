import Foundation
import Testing

@testable import VPlayDesktop

struct NowPlayingInfoTests {
  static func properties(
    _ values: [String: Any]?, state: MPNowPlayingPlaybackState = .unknown
  ) -> [String: BusValue] {
    let commands = MPRemoteCommandCenter(changed: {})
    return MPRISProperties(
      identity: "Test", desktopEntry: nil, info: values.map(NowPlayingInfo.init), trackNumber: 7,
      playbackState: state, offers: CommandOffers(commands)
    ).values[MPRISProperties.player] ?? [:]
  }

  @Test func `every key reaches its field`() {
    let metadata = Self.properties([
      MPMediaItemPropertyTitle: "Title", MPMediaItemPropertyArtist: "Artist",
      MPMediaItemPropertyAlbumTitle: "Album", MPMediaItemPropertyAlbumArtist: "Band",
      MPMediaItemPropertyGenre: "Folk", MPMediaItemPropertyComposer: "Composer",
      MPMediaItemPropertyAlbumTrackNumber: 3, MPMediaItemPropertyDiscNumber: NSNumber(value: 2),
      MPMediaItemPropertyPlaybackDuration: 12.5 as Float,
      MPMediaItemPropertyArtwork: MPMediaItemArtwork(url: URL(fileURLWithPath: "/a b.png")),
      MPNowPlayingInfoPropertyAssetURL: URL(fileURLWithPath: "/clip.mov"),
    ])["Metadata"]
    #expect(
      metadata
        == .dictionary([
          "mpris:trackid": .objectPath("/vplay/track/7"), "mpris:length": .int64(12_500_000),
          "mpris:artUrl": .string("file:///a%20b.png"), "xesam:title": .string("Title"),
          "xesam:artist": .strings(["Artist"]), "xesam:album": .string("Album"),
          "xesam:albumArtist": .strings(["Band"]), "xesam:genre": .strings(["Folk"]),
          "xesam:composer": .strings(["Composer"]), "xesam:trackNumber": .int32(3),
          "xesam:discNumber": .int32(2), "xesam:url": .string("file:///clip.mov"),
        ]))
  }

  @Test func `values of other types are as none`() {
    let values = Self.properties([
      MPMediaItemPropertyTitle: 5, MPMediaItemPropertyPlaybackDuration: "long",
      MPMediaItemPropertyAlbumTrackNumber: Double.infinity, MPNowPlayingInfoPropertyPlaybackRate: Double.nan,
      MPMediaItemPropertyArtwork: "x", MPNowPlayingInfoPropertyAssetURL: "file:///x",
    ])
    #expect(values["Metadata"] == .dictionary(["mpris:trackid": .objectPath("/vplay/track/7")]))
    #expect(values["Rate"] == .double(1))
  }

  @Test func `a live stream has no length`() {
    let values = Self.properties([
      MPMediaItemPropertyPlaybackDuration: 10.0, MPNowPlayingInfoPropertyIsLiveStream: true,
    ])
    #expect(values["Metadata"] == .dictionary(["mpris:trackid": .objectPath("/vplay/track/7")]))
  }

  @Test(
    arguments: [
      (nil, .unknown, "Stopped"), (1.0, .unknown, "Playing"), (0.0, .unknown, "Paused"), (0.0, .playing, "Playing"),
      (1.0, .paused, "Paused"), (1.0, .interrupted, "Paused"), (1.0, .stopped, "Stopped"),
    ] as [(Double?, MPNowPlayingPlaybackState, String)])
  func `the state, or else the rate, tells the status`(rate: Double?, state: MPNowPlayingPlaybackState, status: String)
  {
    let info = rate.map { [MPNowPlayingInfoPropertyPlaybackRate: $0] as [String: Any] }
    #expect(Self.properties(info, state: state)["PlaybackStatus"] == .string(status))
  }

  @Test func `a paused player's rate is the one it goes on with`() {
    let values = Self.properties([
      MPNowPlayingInfoPropertyPlaybackRate: 0, MPNowPlayingInfoPropertyDefaultPlaybackRate: 1.5,
    ])
    #expect(values["Rate"] == .double(1.5))
  }

  @Test func `artwork from data is a private file that goes with its object`() throws {
    var artwork: MPMediaItemArtwork? = try MPMediaItemArtwork(data: Data([0x89, 0x50, 0x4e, 0x47, 1, 2]))
    let url = try #require(artwork?.url)
    #expect(url.pathExtension == "png")
    #expect(try Data(contentsOf: url).count == 6)
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o600)
    artwork = nil
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(arguments: [("vplay", "vplay"), ("my app-1.2", "my_app____"), ("", "player"), ("é", "_")])
  func `a bus name is made of the letters that may be in one`(name: String, element: String) {
    #expect(DesktopCenter.busNames(name).first == "org.mpris.MediaPlayer2.\(element).instance\(getpid())")
  }
}
