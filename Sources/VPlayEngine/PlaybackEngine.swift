package import VPlayModel

/// Plays a queue of entries on one output: the machine behind a player.
///
/// All calls return at once and may come from any thread; they are carried out in order on the engine's own thread,
/// which also reports through `events`. Dropping the last reference does not stop it: call `shutdown`.
package final class PlaybackEngine: Sendable {
  package init(environment: EngineEnvironment, events: @escaping @Sendable (EngineEvent) -> Void) {
  }

  /// Sets what is played, the first entry being the current one. Entries already known by their id go on as they are
  /// (a changed `passes` or `end` takes effect); the others are opened when needed. Without the playing entry its sound
  /// ends and the first one begins.
  package func setQueue(_ entries: [QueueEntry]) {}

  /// 0 pauses; 1 plays.
  package func setRate(_ rate: Double) {}

  /// Moves within the first entry of the queue. A newer seek ends older ones with `false`. Tolerances are how far from
  /// `time` the result may be; nil is any distance.
  package func seek(_ id: SeekID, to time: MediaTime, toleranceBefore: MediaTime?, toleranceAfter: MediaTime?) {}

  /// The heard gain, linear, 0…1; changes are ramps of 5 ms. 0 is mute: it lets the stream go after a while.
  package func setGain(_ gain: Float) {}

  /// Uses another sink from now on; nil is the server's default.
  package func setDevice(_ device: String?) {}

  /// Where playback is, as heard at `host`; nil without a current entry. Any thread, at once.
  package func position(at host: HostTime) -> EnginePosition? { nil }

  /// When media time `time` of the current pass will be heard if nothing happens; nil when that is not known.
  package func hostTime(of time: MediaTime) -> HostTime? { nil }

  /// Fades out, ends the stream, closes everything. Returns at once; no event follows. Idempotent.
  package func shutdown() {}
}
