public import Foundation
import VPlayEngine
import VPlayModel

/// What of the medium is there to be played. Observable but for the preference.
extension AVPlayerItem {
  /// How many seconds are read ahead of what is heard; 0, the default, leaves that to the player: 4 s of a file, 20 s of
  /// what comes over a network. At most 16 MB are kept in any case. Negative and no numbers are 0.
  public var preferredForwardBufferDuration: Double {
    get { state.withLock { $0.bufferSeconds } }
    set {
      let seconds = newValue > 0 && newValue.isFinite ? newValue : 0
      let owner = state.withLock { state in
        state.bufferSeconds = seconds
        return state.owner
      }
      owner?.setBuffer(of: self, seconds: seconds)
    }
  }

  /// Whether enough is there to begin to play, or to go on after a stall: 1 s, or all there is.
  ///
  /// False again once playback has run out of data.
  public var isPlaybackLikelyToKeepUp: Bool {
    observations.access(.isPlaybackLikelyToKeepUp)
    return state.withLock { $0.buffer.isLikelyToKeepUp }
  }

  /// Whether nothing is left to play: playback stands, or is about to. True until the item is open.
  public var isPlaybackBufferEmpty: Bool {
    observations.access(.isPlaybackBufferEmpty)
    return state.withLock { $0.buffer.isEmpty }
  }

  /// Whether no more is read ahead for now.
  public var isPlaybackBufferFull: Bool {
    observations.access(.isPlaybackBufferFull)
    return state.withLock { $0.buffer.isFull }
  }

  /// `CMTimeRange`s of what can be played without waiting: all of a local file, of what comes over a network from the
  /// present time on. Observed, it is told when what `isPlaybackLikelyToKeepUp` and its like tell has changed.
  public var loadedTimeRanges: [NSValue] {
    observations.access(.loadedTimeRanges)
    return loadedRange.map { [NSValue(timeRange: $0)] } ?? []
  }

  /// `CMTimeRange`s within which one can seek: the whole medium, or nothing.
  public var seekableTimeRanges: [NSValue] {
    observations.access(.seekableTimeRanges)
    return seekableRange.map { [NSValue(timeRange: $0)] } ?? []
  }

  /// The date of what is heard now: nil, as no medium here tells one.
  public func currentDate() -> Date? { nil }

  /// What can be played without waiting: from the present time on. Nil while nothing is.
  package var loadedRange: CMTimeRange? {
    let (owner, isRemote, duration) = state.withLock { ($0.owner, $0.isRemote, $0.duration) }
    guard let owner, status == .readyToPlay else { return nil }
    if !isRemote, let duration { return CMTimeRange(start: .zero, end: CMTime(duration)) }
    guard owner.currentItem() === self, let end = owner.loadedEnd() else { return nil }
    let now = currentTime()
    return CMTime(end) > now ? CMTimeRange(start: now, end: CMTime(end)) : nil
  }

  /// What an endless stream says of itself by now, such as its `title`, and from when on.
  package var streamTags: (tags: [String: String], time: CMTime)? {
    state.withLock { $0.streamTags }.map { ($0.tags, CMTime($0.time)) }
  }

  /// Where one can seek to; nil where one cannot.
  package var seekableRange: CMTimeRange? {
    state.withLock { state in
      guard state.isSeekable, let duration = state.duration else { return nil }
      return CMTimeRange(start: .zero, end: CMTime(duration))
    }
  }
}

extension PlayerCore {
  func setBuffer(of item: AVPlayerItem, seconds: Double) {
    guard let id = item.state.withLock({ $0.owner === self ? $0.entry?.id : nil }) else { return }
    read { $0.engine }?.setBuffer(id, seconds: seconds)
  }

  func loadedEnd() -> MediaTime? {
    read { $0.engine }?.loadedEnd()
  }

  func playImmediately(atRate rate: Float) {
    setRate(rate)
    state.withLock { state in
      guard state.waitsToMinimizeStalling else { return }
      state.playsImmediately = true
      state.engine?.setWaitsForBuffer(false)
    }
  }

  func setWaitsToMinimizeStalling(_ waits: Bool) {
    state.withLock { state in
      state.waitsToMinimizeStalling = waits
      state.engine?.setWaitsForBuffer(waits)
    }
  }
}

extension AVPlayer {
  /// Plays at `rate` with the first data that is there, whatever ``automaticallyWaitsToMinimizeStalling`` says, until the
  /// rate is set again.
  public func playImmediately(atRate rate: Float) {
    core.playImmediately(atRate: rate)
  }

  /// Whether a start over a network, and what follows a stall, wait until playback is likely to go on: true at first.
  /// With false playback goes on with the first data.
  public var automaticallyWaitsToMinimizeStalling: Bool {
    get {
      core.observations.access(.automaticallyWaitsToMinimizeStalling)
      return core.read { $0.waitsToMinimizeStalling }
    }
    set {
      core.setWaitsToMinimizeStalling(newValue)
      core.observations.report(.automaticallyWaitsToMinimizeStalling)
    }
  }
}
