/// What an app says of its playback, as Apple's
/// [MPNowPlayingPlaybackState](https://developer.apple.com/documentation/mediaplayer/mpnowplayingplaybackstate).
public enum MPNowPlayingPlaybackState: UInt, Sendable {
  /// Not said: the rate in `nowPlayingInfo` tells.
  case unknown = 0
  case playing = 1
  case paused = 2
  case stopped = 3
  /// Shown as paused.
  case interrupted = 4
}
