import Foundation
import VPlayModel

/// The bus thread: connects when there is something to publish, answers, and tells what changed.
///
/// Without a session bus nothing happens, and nothing is said: a later publication tries again.
final class BusService: Sendable {
  private struct State {
    var published = Published()
    /// Positions told by Seeked, in microseconds, that wait to be sent.
    var seeks: [Int64] = []
    var isRunning = false
    var lastAttempt: HostTime?
    var wakeWrite: Int32 = -1
  }

  /// The object's properties, by interface.
  typealias Published = [String: [String: BusValue]]

  private static let secondsBetweenAttempts = 5.0

  private let state = Monitor(State())
  private let names: [String]

  /// The first of the names that the bus grants is taken.
  init(names: [String]) {
    self.names = names
  }

  /// `object` is called on the bus thread, once a connection.
  func publish(_ properties: Published, seeked: Int64? = nil, object: @escaping @Sendable () -> any BusObject) {
    let now = SystemClock().now
    let starts = state.withLock { state in
      state.published = properties
      if let seeked { state.seeks.append(seeked) }
      if state.isRunning {
        wake(state)
        return false
      }
      if let last = state.lastAttempt, now.seconds(since: last) < Self.secondsBetweenAttempts { return false }
      state.isRunning = true
      state.lastAttempt = now
      return true
    }
    guard starts else { return }
    Thread { [self] in
      // A name given before the start is not the system's.
      Thread.current.name = "vplay-bus"
      run(object)
    }.start()
  }

  private func wake(_ state: State) {
    guard state.wakeWrite >= 0 else { return }
    // The pipe is full only when a wake-up is pending already.
    _ = write(state.wakeWrite, [1], 1)
  }

  private func run(_ makeObject: () -> any BusObject) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      state.withLock { $0.isRunning = false }
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    var sent = state.withLock { state in
      state.wakeWrite = ends[1]
      return state.published
    }
    if let connection = BusConnection(object: makeObject(), names: names) {
      repeat {
        tell(connection, since: &sent)
        guard connection.process() else { break }
        connection.wait(wake: ends[0])
        var drained = [UInt8](repeating: 0, count: 64)
        while read(ends[0], &drained, drained.count) > 0 {}
      } while connection.process()
    }
    state.withLock { state in
      state.isRunning = false
      state.wakeWrite = -1
      state.seeks = []
    }
    for end in ends { close(end) }
  }

  private func tell(_ connection: BusConnection, since sent: inout Published) {
    let (published, seeks) = state.withLock { state in
      defer { state.seeks = [] }
      return (state.published, state.seeks)
    }
    for (interface, properties) in published {
      let old = sent[interface] ?? [:]
      connection.emitChanged(
        properties.keys.filter { properties[$0] != old[$0] }.sorted(), of: interface)
    }
    sent = published
    for position in seeks { connection.emitSeeked(microseconds: position) }
  }
}
