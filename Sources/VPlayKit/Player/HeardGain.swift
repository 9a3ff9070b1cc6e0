/// The one rule of mute and volume.
enum HeardGain {
  /// 0 when the process or the player is muted, else the player's volume.
  static func gain(volume: Float, isMuted: Bool, isOutputMuted: Bool) -> Float {
    isOutputMuted || isMuted ? 0 : volume
  }

  /// The volume that a request for `volume` gives: clamped to 0…1; NaN leaves it as it was.
  static func volume(_ volume: Float, from old: Float) -> Float {
    volume.isNaN ? old : min(max(volume, 0), 1)
  }
}

/// The rates that can be played.
enum PlayableRate {
  /// The slowest and the fastest.
  static let range: ClosedRange<Float> = 1 / 32...32

  /// The rate that a request for `rate` gives: 0 for 0 and below, else the nearest that can be played; NaN leaves it as it
  /// was.
  static func rate(_ rate: Float, from old: Float) -> Float {
    if rate.isNaN { return old }
    return rate > 0 ? min(max(rate, range.lowerBound), range.upperBound) : 0
  }
}
