/// Which track is played at each place of the run: pass after pass, each of all tracks, in its own order when shuffled.
///
/// Places count from 0; pass n is the places from n times the count on. A place whose track is dropped is passed over.
struct PlayPlan: Equatable {
  /// Passes in all; nil for ever.
  private(set) var passes: Int?
  private var isPlayable: [Bool]
  private var playableCount: Int
  /// What the order of each pass is made from; nil for the order given.
  private let seed: UInt64?
  /// The orders last asked for, by pass.
  private var orders: [Int: [Int]] = [:]

  /// With a `seed` each pass is shuffled anew.
  init(count: Int, passes: Options.Passes, seed: UInt64? = nil) {
    isPlayable = Array(repeating: true, count: count)
    playableCount = count
    self.seed = seed
    self.passes =
      switch passes {
      case .times(let times): times
      case .forever: nil
      }
  }

  /// This track is not played again: it failed, or can be read once only.
  mutating func drop(_ track: Int) {
    if isPlayable[track] { playableCount -= 1 }
    isPlayable[track] = false
  }

  func canPlay(_ track: Int) -> Bool { isPlayable[track] }

  /// The track at a place of the run.
  mutating func track(at place: Int) -> Int {
    let (pass, index) = place.quotientAndRemainder(dividingBy: isPlayable.count)
    guard let seed else { return index }
    if orders[pass] == nil { makeOrder(ofPass: pass, seed) }
    return orders[pass]?[index] ?? index
  }

  /// The next place, -1 standing for the one before the first; nil when all is played, or nothing is left that can be.
  mutating func place(after place: Int) -> Int? {
    guard playableCount > 0 else { return nil }
    var next = place + 1
    while passes.map({ next < $0 * isPlayable.count }) ?? true {
      if isPlayable[track(at: next)] { return next }
      next += 1
    }
    return nil
  }

  /// The place before; nil at the beginning.
  mutating func place(before place: Int) -> Int? {
    var previous = place - 1
    while previous >= 0 {
      if isPlayable[track(at: previous)] { return previous }
      previous -= 1
    }
    return nil
  }

  // MARK: Loop

  /// Whether the pass that `place` is in is followed by another.
  func isLooping(at place: Int) -> Bool {
    passes.map { pass(of: place) + 1 < $0 } ?? true
  }

  /// For ever, or until the end of the pass that `place` is in.
  mutating func setLooping(_ isLooping: Bool, at place: Int) {
    passes = isLooping ? nil : pass(of: place) + 1
  }

  func isPlanned(_ place: Int) -> Bool {
    passes.map { pass(of: place) < $0 } ?? true
  }

  private func pass(of place: Int) -> Int {
    isPlayable.isEmpty ? 0 : max(0, place) / isPlayable.count
  }

  // MARK: Order

  private mutating func makeOrder(ofPass pass: Int, _ seed: UInt64) {
    var order = shuffled(seed, pass)
    // The track that ended a pass does not begin the next one. With three or more the end stays what it was.
    if pass > 0, order.count > 2, order[0] == shuffled(seed, pass - 1).last { order.swapAt(0, 1) }
    if orders.count > 2 { orders = [:] }
    orders[pass] = order
  }

  private func shuffled(_ seed: UInt64, _ pass: Int) -> [Int] {
    var generator = PassGenerator(state: seed &+ UInt64(truncatingIfNeeded: pass) &* 0xd1b5_4a32_d192_ed03)
    return isPlayable.indices.shuffled(using: &generator)
  }
}

/// The same numbers from the same state, so that a pass can be gone back to: splitmix64, by Steele, Lea and Flood.
private struct PassGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
