import VPlayKit

/// The player's queue, kept filled as the plan says. Main thread; `wake` is signalled whenever `update` has something to
/// do.
final class PlayQueue {
  enum Event {
    /// A pass of the track was heard to its end.
    case ended(track: Int)
    /// It could not be played.
    case failed(track: Int, (any Error)?)
  }

  private struct Entry {
    var item: TrackItem
    var observation: NSKeyValueObservation
  }

  private let tracks: [Track]
  private let player: AVQueuePlayer
  private let start: CMTime
  private let end: CMTime?
  private let wake: Wake
  private var plan: PlayPlan
  /// What is in the player's queue behind the looper, in its order.
  private var entries: [Entry] = []
  /// Plays the one track there is, over and over, from one open file. Kept until its last pass is over.
  private var looper: AVPlayerLooper?
  private var looperObservation: NSKeyValueObservation?
  /// Of the looper, those told.
  private var toldPasses = 0
  private var failed: Set<Int> = []

  /// Items that wait behind the playing one: enough to open the next in time, few enough for any list.
  private static let depth = 4
  /// This far into an item "previous" goes to its beginning, as players do.
  private static let earlySeconds = 3.0

  /// `start` and `end` are where each track begins and ends.
  init(
    _ tracks: [Track], plan: PlayPlan, start: CMTime, end: CMTime?, player: AVQueuePlayer, wake: Wake
  ) {
    self.tracks = tracks
    self.plan = plan
    self.start = start
    self.end = end
    self.player = player
    self.wake = wake
    if tracks.count == 1, plan.isLooping(at: 0), plan.canPlay(0) {
      startLooper()
    } else {
      fill()
    }
  }

  private func startLooper() {
    let range = CMTimeRange(start: start, end: end ?? .positiveInfinity)
    let looper = AVPlayerLooper(
      player: player, templateItem: AVPlayerItem(url: tracks[0].url), timeRange: range, passes: plan.passes)
    let wake = wake
    looperObservation = looper.observe(\.status) { _, _ in wake.signal() }
    self.looper = looper
  }

  private func fill() {
    // A looper that loops leaves nothing to add.
    guard looper == nil || looper?.status == .cancelled else { return }
    var last = entries.last?.item.place ?? (looper == nil ? lastPlace : 0)
    while entries.count < PlayQueue.depth, let next = plan.place(after: last) {
      append(next)
      last = next
    }
  }

  /// The place that was current last.
  private var lastPlace = -1

  private func append(_ place: Int) {
    let entry = makeEntry(place)
    entries.append(entry)
    player.insert(entry.item, after: nil)
  }

  private func makeEntry(_ place: Int) -> Entry {
    let track = plan.track(at: place)
    if tracks[track].isStandardInput { plan.drop(track) }
    let item = TrackItem(tracks[track].url, track: track, place: place)
    if start > .zero {
      item.seek(to: start, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
    }
    if let end { item.forwardPlaybackEndTime = end }
    let wake = wake
    return Entry(item: item, observation: item.observe(\.status) { _, _ in wake.signal() })
  }

  // MARK: What happened

  /// Looks at what happened since the last time, and keeps the queue filled.
  func update() -> [Event] {
    let queued = player.items()
    var events: [Event] = []
    while let looper, toldPasses < looper.loopCount {
      toldPasses += 1
      events.append(.ended(track: 0))
    }
    if let looper, !queued.contains(where: { item in looper.loopingPlayerItems.contains { $0 === item } }) {
      if looper.status == .failed { events.append(fail(0, looper.error)) }
      self.looper = nil
      lastPlace = 0
      // All its passes are over.
      if entries.isEmpty { plan.drop(0) }
    }
    for entry in entries where entry.item.status == .failed && !failed.contains(entry.item.track) {
      events.append(fail(entry.item.track, entry.item.error))
      // Its later passes would only fail again.
      for other in entries where other.item.track == entry.item.track { player.remove(other.item) }
    }
    // What had nothing to be heard would be played again and again in no time.
    for entry in entries where isEmpty(entry.item) && !queued.contains(where: { $0 === entry.item }) {
      plan.drop(entry.item.track)
    }
    entries.removeAll { entry in
      let hasFailed = failed.contains(entry.item.track)
      guard hasFailed || !queued.contains(where: { $0 === entry.item }) else { return false }
      lastPlace = max(lastPlace, entry.item.place)
      if !hasFailed { events.append(.ended(track: entry.item.track)) }
      return true
    }
    if let place = entries.first?.item.place { lastPlace = place }
    fill()
    return events
  }

  private func fail(_ track: Int, _ error: (any Error)?) -> Event {
    plan.drop(track)
    failed.insert(track)
    return .failed(track: track, error)
  }

  private func isEmpty(_ item: AVPlayerItem) -> Bool {
    item.duration.isNumeric && CMTimeCompare(item.duration, start) <= 0
  }

  /// All is played.
  var isOver: Bool { looper == nil && entries.isEmpty }

  /// The number of the track that is current, nil when there is none.
  var currentTrack: Int? {
    if let item = player.currentItem as? TrackItem { return item.track }
    return looper == nil ? nil : 0
  }

  private var currentPlace: Int { (player.currentItem as? TrackItem)?.place ?? 0 }

  // MARK: What the user does

  /// Goes to the next track; at the last there is none.
  func skip() {
    if looper?.status == .ready || looper?.status == .unknown { return player.seekExactly(to: start) }
    guard player.items().count > 1 else { return }
    let current = player.currentItem
    player.advanceToNextItem()
    if let place = (current as? TrackItem)?.place { lastPlace = max(lastPlace, place) }
    entries.removeAll { $0.item === current }
  }

  /// Goes to the track before, or a little later in a track to its beginning.
  func goBack() {
    guard let current = player.currentItem as? TrackItem,
      player.currentTime().seconds - start.seconds < PlayQueue.earlySeconds,
      let previous = plan.place(before: current.place)
    else { return player.seekExactly(to: start) }
    let before = makeEntry(previous)
    // It comes again after the one before it, if it can.
    if plan.canPlay(current.track), let index = entries.firstIndex(where: { $0.item === current }) {
      let again = makeEntry(current.place)
      player.insert(again.item, after: current)
      entries[index] = again
    } else {
      entries.removeAll { $0.item === current }
    }
    player.replaceCurrentItem(with: before.item)
    entries.insert(before, at: 0)
    lastPlace = previous
  }

  var isLooping: Bool {
    if let looper, looper.status != .cancelled { return true }
    return plan.isLooping(at: currentPlace)
  }

  /// Loops for ever, or ends with the pass that is being played.
  func toggleLoop() {
    let isLooping = !isLooping
    plan.setLooping(isLooping, at: currentPlace)
    if !isLooping {
      looper?.disableLooping()
      for entry in entries where !plan.isPlanned(entry.item.place) { player.remove(entry.item) }
      entries.removeAll { !plan.isPlanned($0.item.place) }
    }
    fill()
  }
}

extension AVPlayer {
  /// To the very frame.
  func seekExactly(to time: CMTime) {
    seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }
}
