import Synchronization

/// How an output went, in numbers; one for a player, whatever engines it has. Any thread.
package final class EngineCounters: Sendable {
  private let opened = Atomic(0)
  private let rewritten = Atomic(0)
  private let dry = Atomic(0)
  private let starved = Atomic(0)
  private let errorNanoseconds = Atomic(Int64(0))

  package init() {}

  /// Streams opened on the output.
  package var streams: Int { opened.load(ordering: .relaxed) }
  /// How often what was written already was written anew, for a change of gain, a pause or a seek.
  package var rewrites: Int { rewritten.load(ordering: .relaxed) }
  /// How often the stream ran dry in mid-play: a hole was heard.
  package var underruns: Int { dry.load(ordering: .relaxed) }
  /// How often the medium's data did not come in time.
  package var stalls: Int { starved.load(ordering: .relaxed) }
  /// The most that the told time was off from what the output reported, in seconds, once it had settled after a start.
  package var clockErrorSeconds: Double { Double(errorNanoseconds.load(ordering: .relaxed)) / 1e9 }

  func countStream() { opened.add(1, ordering: .relaxed) }
  func countRewrite() { rewritten.add(1, ordering: .relaxed) }
  func countUnderrun() { dry.add(1, ordering: .relaxed) }
  func countStall() { starved.add(1, ordering: .relaxed) }

  func noteClockError(seconds: Double) {
    guard seconds.isFinite else { return }
    errorNanoseconds.max(Int64(min(abs(seconds), 1e6) * 1e9), ordering: .relaxed)
  }
}
