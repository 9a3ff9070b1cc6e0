import VPlayModel

/// When a boundary observer is called: as playback passes one of its times. A seek passes none.
///
/// A value: times in, calls out.
struct BoundarySchedule: Sendable, Equatable {
  /// A time this close ahead counts as reached: a timer may wake a little early.
  static let slack = PeriodicSchedule.slack

  /// In order, each once.
  let times: [MediaTime]
  /// Up to where playback has come.
  private var reached: MediaTime

  init(times: [MediaTime], at time: MediaTime) {
    self.times = Set(times).sorted()
    reached = time
  }

  /// The next time to be called at.
  var next: MediaTime? { times.first { $0 > reached } }

  /// The times passed with `time`, in order.
  mutating func advance(to time: MediaTime) -> [MediaTime] {
    let end = time + Self.slack
    guard end > reached else {
      // Time went back, and who knows that has not said so yet.
      if time + Self.slack + Self.slack < reached { reached = time }
      return []
    }
    let passed = times.filter { reached < $0 && $0 <= end }
    reached = max(time, passed.last ?? time)
    return passed
  }

  /// Playback jumped to `time`.
  mutating func jump(to time: MediaTime) {
    reached = time
  }
}

/// When a time observer is called.
enum ObserverSchedule: Sendable, Equatable {
  case periodic(PeriodicSchedule)
  case boundary(BoundarySchedule)

  var next: MediaTime? {
    switch self {
    case .periodic(let schedule): schedule.next
    case .boundary(let schedule): schedule.next
    }
  }

  mutating func advance(to time: MediaTime) -> [MediaTime] {
    switch self {
    case .periodic(var schedule):
      defer { self = .periodic(schedule) }
      return schedule.advance(to: time)
    case .boundary(var schedule):
      defer { self = .boundary(schedule) }
      return schedule.advance(to: time)
    }
  }

  mutating func startOrStop(at time: MediaTime) -> [MediaTime] {
    guard case .periodic(var schedule) = self else { return advance(to: time) }
    defer { self = .periodic(schedule) }
    return schedule.startOrStop(at: time)
  }

  mutating func jump(to time: MediaTime) -> [MediaTime] {
    switch self {
    case .periodic(var schedule):
      defer { self = .periodic(schedule) }
      return schedule.jump(to: time)
    case .boundary(var schedule):
      schedule.jump(to: time)
      self = .boundary(schedule)
      return []
    }
  }
}
