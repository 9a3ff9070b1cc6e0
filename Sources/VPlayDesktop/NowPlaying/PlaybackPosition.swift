import VPlayModel

/// Where playback is, carried on from when it was last told.
struct PlaybackPosition: Sendable, Equatable {
  /// Further off than this, a new position is a jump; less is the app's and our clock differing (seconds).
  static let toleranceSeconds = 0.3

  var elapsed: Double
  /// 0 while nothing moves.
  var rate: Double
  var told: HostTime
  /// Seconds; nil when not known.
  var duration: Double?

  /// Seconds from the item's start.
  func seconds(at now: HostTime) -> Double {
    let position = elapsed + now.seconds(since: told) * rate
    return min(max(position, 0), duration ?? .infinity)
  }

  /// Whether this position is another than `old` carried on.
  func isJump(from old: PlaybackPosition) -> Bool {
    abs(seconds(at: told) - old.seconds(at: told)) > Self.toleranceSeconds
  }

  static func microseconds(_ seconds: Double) -> Int64 {
    let value = (seconds * 1e6).rounded()
    return value.isNaN ? 0 : Int64(exactly: min(max(value, -9e18), 9e18)) ?? 0
  }
}
