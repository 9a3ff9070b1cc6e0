/// Where the playback is.
struct Progress: Equatable {
  enum State: String {
    case playing
    case paused
    case waiting
  }

  var state: State
  /// The number of the track; nil when there is none.
  var track: Int?
  /// What the medium or its list calls it, as it stands there.
  var title: String?
  /// Seconds, not negative.
  var time: Double
  /// Seconds; nil when unknown.
  var duration: Double?
  var volume: Double
  /// Media seconds a second while it plays.
  var rate = 1.0
  var isMuted: Bool
  var isLooping: Bool
}
