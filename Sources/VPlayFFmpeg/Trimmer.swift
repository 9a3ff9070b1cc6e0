internal import VPlayModel

/// Says which frames of each decoded block are the track's own, and where in the item they belong.
///
/// Frames are counted on from block to block. A block's own time only places the first, and later ones where it says
/// something plainly else (a gap); times that run backwards or leap (glued streams) do not move what follows.
struct Trimmer {
  /// Part of the track that is presented, in item time.
  struct Window: Equatable {
    var start: MediaTime
    /// Nil when the container does not tell it exactly.
    var end: MediaTime?
  }

  /// Where a codec's blocks begin: `origin` and each `unitFrames` from it. Mends times that a container has rounded.
  struct Grid: Equatable {
    var origin: MediaTime
    var unitFrames: Int
  }

  /// What to keep of a block, and where its first kept frame lies from item time zero.
  struct Placement: Equatable {
    var offset: Int
    var frameCount: Int
    var startFrame: Int64
  }

  /// What a container's times are worth.
  enum Clock {
    /// They go on from the first to the last.
    case steady
    /// They may leap.
    case jumping
    /// They are true up to where another stream is glued on, and no further.
    case ofFirstLink
  }

  /// A block that lies farther than this from where the count puts it is moved to its own time.
  static let tolerance = MediaTime(value: 20, timescale: 1000)
  /// In containers whose clock may jump, a leap ahead longer than this is such a jump, not a gap in the sound.
  static let longestGap = MediaTime(value: 10, timescale: 1)

  /// Times past this are nonsense.
  private static let farthestFrame: Int64 = 1 << 53

  private let window: Window
  /// The container's clock tick: what its times are rounded to.
  private let tick: MediaTime
  private let grid: Grid?
  private let clock: Clock

  private var rate = 0
  /// Where the next decoded frame belongs; nil before the first and after a restart.
  private var nextFrame: Int64?
  /// End of what was last kept.
  private var keptEnd: Int64 = 0
  /// What is added to the container's times since its clock jumped.
  private var clockShift = MediaTime.zero
  private var skipFrames = 0
  private var dropBefore: MediaTime?
  private var isAtBeginning = true
  private var isFirst = false

  init(window: Window, tick: MediaTime, grid: Grid? = nil, clock: Clock = .steady) {
    self.window = window
    self.tick = tick
    self.grid = grid
    self.clock = clock
  }

  /// Forgets where it is; frames before `time` are dropped from now on.
  mutating func restart(at time: MediaTime) {
    nextFrame = nil
    keptEnd = 0
    skipFrames = 0
    clockShift = .zero
    dropBefore = time
    isAtBeginning = false
    isFirst = false
  }

  /// The next decoded block is the track's first, whatever time it has.
  mutating func beginTrack() {
    nextFrame = nil
    isFirst = true
  }

  /// Places the next decoded block; nil when nothing of it is to be heard.
  ///
  /// `time` is the block's own, item time; the skips are frames that the codec or container says are no sound.
  mutating func place(
    frameCount: Int, rate newRate: Int, time: MediaTime?, startSkip: Int = 0, endSkip: Int = 0
  ) -> Placement? {
    adopt(newRate)
    // After a seek the preroll covers it; some demuxers repeat the track's own there, wherever they landed.
    if dropBefore == nil || nextFrame != nil {
      skipFrames += max(0, startSkip)
      // In mid-stream (a glued stream's beginning) it takes no time.
      nextFrame = nextFrame.map { $0 - Int64(max(0, startSkip)) }
    }
    guard let start = position(time) else { return nil }
    let count = Int64(frameCount - min(max(0, endSkip), frameCount))
    let skipped = min(Int64(skipFrames), count)
    skipFrames -= Int(skipped)
    nextFrame = start + count
    isAtBeginning = false
    isFirst = false

    var low = max(start + skipped, keptEnd, window.start.frame(rate: rate), 0)
    if let dropBefore { low = max(low, dropBefore.frame(rate: rate)) }
    var high = start + count
    if let end = window.end { high = min(high, end.frame(rate: rate)) }
    guard low < high else { return nil }
    keptEnd = high
    return Placement(offset: Int(low - start), frameCount: Int(high - low), startFrame: low)
  }

  /// The count goes on at the block's rate.
  private mutating func adopt(_ newRate: Int) {
    guard newRate != rate else { return }
    if rate > 0 {
      nextFrame = nextFrame.map { MediaTime(frame: $0, rate: rate).frame(rate: newRate) }
      keptEnd = MediaTime(frame: keptEnd, rate: rate).frame(rate: newRate)
    }
    rate = newRate
  }

  private mutating func position(_ time: MediaTime?) -> Int64? {
    if isFirst { return window.start.frame(rate: rate) - Int64(skipFrames) }
    let shifted = time.map { ($0 + clockShift).frame(rate: rate) }
    guard let own = shifted, own.magnitude <= Self.farthestFrame.magnitude else {
      // After a restart a block without a time cannot be placed; the next one with a time will be.
      if nextFrame == nil && isAtBeginning { return window.start.frame(rate: rate) - Int64(skipFrames) }
      return nextFrame
    }
    guard let nextFrame else {
      // At the beginning the skip is exact, the container's time only to its tick.
      let exact = window.start.frame(rate: rate) - Int64(skipFrames)
      let tickFrames = tick.frame(rate: rate) + 1
      if isAtBeginning && abs(own - exact) <= tickFrames { return exact }
      return snapped(own, within: tickFrames)
    }
    if clock == .ofFirstLink { return nextFrame }
    let off = own - nextFrame
    let allowed = max(Self.tolerance.frame(rate: rate), 2 * tick.frame(rate: rate))
    if abs(off) <= allowed { return nextFrame }
    if off < 0 || (clock == .jumping && off > Self.longestGap.frame(rate: rate)) {
      clockShift = clockShift - MediaTime(frame: off, rate: rate)
      return nextFrame
    }
    return own
  }

  /// The nearest place of the grid, where there is one that near.
  private func snapped(_ frame: Int64, within tolerance: Int64) -> Int64 {
    guard let grid, grid.unitFrames > 0 else { return frame }
    let unit = Int64(grid.unitFrames)
    let origin = grid.origin.frame(rate: rate)
    let steps = Int64((Double(frame - origin) / Double(unit)).rounded())
    let place = origin + steps * unit
    return abs(frame - place) <= tolerance ? place : frame
  }
}
