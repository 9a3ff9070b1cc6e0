/// When to say that the sound output is waited for: once, and only if it is not back soon. Times in, decisions out.
struct OutputWatch {
  private enum State {
    case there
    case missing(since: ContinuousClock.Instant)
    case told
  }

  private static let patience = Duration.seconds(1)

  private var state = State.there

  /// Takes in whether the output is missing; true when it is to be said now.
  mutating func look(isMissing: Bool, at now: ContinuousClock.Instant) -> Bool {
    switch (state, isMissing) {
    case (_, false):
      state = .there
    case (.there, true):
      state = .missing(since: now)
    case (.missing(let since), true) where since + OutputWatch.patience <= now:
      state = .told
      return true
    case (.missing, true), (.told, true):
      break
    }
    return false
  }

  /// How long nobody needs to look, at most; nil for ever.
  func pause(at now: ContinuousClock.Instant) -> Duration? {
    guard case .missing(let since) = state else { return nil }
    return max(.zero, since + OutputWatch.patience - now)
  }
}
