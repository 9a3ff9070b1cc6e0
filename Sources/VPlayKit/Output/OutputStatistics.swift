import VPlayEngine

/// How a player's output went so far, in numbers. VPlay's own; see ``AVPlayer/outputStatistics``.
public struct OutputStatistics: Hashable, Sendable {
  /// How often the output ran dry in mid-play, so that a hole was heard.
  public var underruns = 0
  /// How often the medium's data did not come in time.
  public var stalls = 0
  /// How often sound that was written ahead was written anew: for a change of volume, a mute, a pause or a seek.
  public var rewrites = 0
  /// Streams opened on the sound server, or files begun.
  public var streams = 0
  /// The most, in seconds, that the player's time was off from what the output reported, once it had settled after a
  /// start.
  public var largestClockError = 0.0

  public init() {}
}

extension AVPlayer {
  /// How the output went since the player was made. Any thread.
  public var outputStatistics: OutputStatistics {
    let counters = core.counters
    var statistics = OutputStatistics()
    statistics.underruns = counters.underruns
    statistics.stalls = counters.stalls
    statistics.rewrites = counters.rewrites
    statistics.streams = counters.streams
    statistics.largestClockError = counters.clockErrorSeconds
    return statistics
  }
}
