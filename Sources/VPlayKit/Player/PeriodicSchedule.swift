import VPlayModel

/// When a periodic observer is called: at each multiple of its interval, and where playback starts, stops or jumps.
///
/// A value: times in, calls out.
struct PeriodicSchedule: Sendable, Equatable {
  /// The shortest interval that is kept.
  static let shortest = MediaTime(value: 1, timescale: 1000)
  /// A multiple this close ahead counts as reached: a timer may wake a little early.
  static let slack = MediaTime(value: 1, timescale: 2000)
  /// Calls made up for at once at most; older ones are left out.
  static let mostAtOnce: Int64 = 100

  /// Nil for an interval that is no positive number: no multiples.
  let interval: MediaTime?
  /// The last multiple that is over.
  private var last: Int64
  /// The last call was for a multiple.
  private var hasToldLast = false

  init(interval: MediaTime?, at time: MediaTime) {
    self.interval = interval.flatMap { $0 > .zero ? max($0, Self.shortest) : nil }
    last = 0
    last = index(at: time)
  }

  /// The next time to be called at.
  var next: MediaTime? { interval.map { multiple(last + 1, of: $0) } }

  /// The multiples reached with `time`, in order.
  mutating func advance(to time: MediaTime) -> [MediaTime] {
    guard let interval else { return [] }
    let reached = index(at: time + Self.slack)
    guard reached > last else {
      // Time went back, and who knows that has not said so yet.
      if reached < last { last = reached }
      return []
    }
    let first = max(last + 1, reached - Self.mostAtOnce + 1)
    last = reached
    hasToldLast = true
    return (first...reached).map { multiple($0, of: interval) }
  }

  /// Playback started or stopped at `time`; at a multiple that was only just told nothing more is.
  mutating func startOrStop(at time: MediaTime) -> [MediaTime] {
    let reached = advance(to: time)
    let told = interval.map { multiple(last, of: $0) }
    let isAtMultiple = told.map { time <= $0 + Self.slack && $0 <= time + Self.slack } ?? false
    if isAtMultiple, hasToldLast { return reached }
    hasToldLast = false
    return reached + [isAtMultiple ? told ?? time : time]
  }

  /// Playback jumped to `time`.
  mutating func jump(to time: MediaTime) -> [MediaTime] {
    last = index(at: time)
    hasToldLast = false
    return [time]
  }

  /// The last multiple up to `time`.
  private func index(at time: MediaTime) -> Int64 {
    guard let interval else { return 0 }
    let (numerator, denominator) = (
      Int128(time.value) * Int128(interval.timescale), Int128(time.timescale) * Int128(interval.value)
    )
    let quotient = numerator / denominator
    return Int64(clamping: numerator < 0 && quotient * denominator != numerator ? quotient - 1 : quotient)
  }

  private func multiple(_ index: Int64, of interval: MediaTime) -> MediaTime {
    MediaTime(value: Int64(clamping: Int128(index) * Int128(interval.value)), timescale: interval.timescale)
  }
}
