/// Which input is played next, over all passes.
struct PlayPlan {
  private var isPlayable: [Bool]
  /// Passes not yet begun; nil when there is no end to them.
  private var passesLeft: Int?
  private var position: Int

  init(count: Int, passes: Options.Passes) {
    isPlayable = Array(repeating: true, count: count)
    position = count
    passesLeft =
      switch passes {
      case .times(let times): times
      case .forever: nil
      }
  }

  /// This input is not played again: it failed, or can be read once only.
  mutating func drop(_ index: Int) {
    isPlayable[index] = false
  }

  /// The next input's index; nil when all is played, or nothing is left that can be.
  mutating func next() -> Int? {
    guard isPlayable.contains(true) else { return nil }
    while true {
      if position == isPlayable.count {
        if let left = passesLeft {
          guard left > 0 else { return nil }
          passesLeft = left - 1
        }
        position = 0
      }
      defer { position += 1 }
      if isPlayable[position] { return position }
    }
  }
}
