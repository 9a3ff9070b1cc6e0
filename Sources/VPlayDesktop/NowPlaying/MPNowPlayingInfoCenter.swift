public import Foundation

/// Tells the desktop what this process is playing.
///
/// As Apple's [MPNowPlayingInfoCenter](https://developer.apple.com/documentation/mediaplayer/mpnowplayinginfocenter), on
/// MPRIS 2.2 (org.mpris.MediaPlayer2): media keys, lock screens, panels and `playerctl` see it. The process appears on
/// the session bus when `nowPlayingInfo` or `playbackState` is first set, as
/// `org.mpris.MediaPlayer2.NAME.instancePID`, and stays until it ends. Without a session bus nothing happens.
/// All calls may come from any thread.
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
  // Safe to share: it has no state of its own, and `center` guards its own.
  private let center: DesktopCenter

  private static let shared = MPNowPlayingInfoCenter(center: .shared)

  init(center: DesktopCenter) {
    self.center = center
  }

  /// The one centre of the process.
  open class func `default`() -> MPNowPlayingInfoCenter { shared }

  /// What is playing; nil when nothing is. Its keys are the `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`
  /// constants.
  open var nowPlayingInfo: [String: Any]? {
    get { center.nowPlayingInfo }
    set { center.setNowPlayingInfo(newValue) }
  }

  /// Whether it plays. `unknown` at first, when the rate in `nowPlayingInfo` tells.
  open var playbackState: MPNowPlayingPlaybackState {
    get { center.playbackState }
    set { center.setPlaybackState(newValue) }
  }

  /// Names the application to the desktop. VPlay's own; the process's name when not called.
  ///
  /// `identity` is for people, `desktopEntry` the name of the application's `.desktop` file without the suffix (MPRIS,
  /// "DesktopEntry").
  open func setApplication(identity: String, desktopEntry: String? = nil) {
    center.setApplication(identity: identity, desktopEntry: desktopEntry)
  }
}
