import VPlayKit

/// What happens, for machines: one JSON object a line on standard output. Main thread, but for `secondPassed`.
///
/// The keys are in the manual page.
// Safe to share: all but `seconds`, which is let and Sendable, is the main thread's.
final class JSONReport: @unchecked Sendable {
  private let output: LineWriter
  private let seconds: Inbox<Void>
  /// The last state told, but for its time.
  private var told: Progress?

  init(output: LineWriter, wake: Wake) {
    self.output = output
    seconds = Inbox(wake: wake)
  }

  /// Any thread.
  func secondPassed() { seconds.post(()) }

  func show(_ progress: Progress, of tracks: [Track]) {
    var known = progress
    known.time = 0
    if known != told {
      told = known
      write(
        "state",
        [("state", .string(progress.state.rawValue))] + members(progress, of: tracks) + [
          ("time", .seconds(progress.time)), ("duration", .seconds(progress.duration)),
          ("volume", .seconds(progress.volume)), ("rate", .seconds(progress.rate)), ("muted", .bool(progress.isMuted)),
          ("looping", .bool(progress.isLooping)),
        ])
    }
    if !seconds.take().isEmpty, progress.track != nil {
      write("time", [("index", index(progress.track)), ("time", .seconds(progress.time))])
    }
  }

  func ended(_ track: Track, index: Int) {
    write(
      "end", [("index", .integer(index)), ("file", .string(track.text)), ("url", .string(track.url.absoluteString))])
  }

  func failed(_ failure: Playback.Failure) {
    output.write(JSONReport.error(failure).text)
  }

  static func error(_ failure: Playback.Failure) -> JSON {
    .object([
      ("event", .string("error")), ("file", .string(failure.track.text)),
      ("url", .string(failure.track.url.absoluteString)), ("message", .string(failure.reason)),
    ])
  }

  /// Of no track.
  func failed(_ message: String) {
    write("error", [("file", .null), ("url", .null), ("message", .string(message))])
  }

  private func members(_ progress: Progress, of tracks: [Track]) -> [(String, JSON)] {
    let current = progress.track.map { tracks[$0] }
    return [
      ("index", index(progress.track)), ("count", .integer(tracks.count)), ("file", .optional(current?.text)),
      ("url", .optional(current?.url.absoluteString)), ("title", .optional(progress.title)),
    ]
  }

  private func index(_ track: Int?) -> JSON { track.map(JSON.integer) ?? .null }

  private func write(_ event: String, _ members: [(String, JSON)]) {
    output.write(JSON.object([("event", .string(event))] + members).text)
  }
}

extension Track {
  /// The argument as text: bytes that are not UTF-8 are lost, for which there is the URL.
  var text: String { String(decoding: argument, as: UTF8.self) }
}
