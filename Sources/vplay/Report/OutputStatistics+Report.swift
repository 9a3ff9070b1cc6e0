import VPlayKit

extension OutputStatistics {
  /// For people.
  var text: String {
    let counts = [
      count(underruns, "underrun"), count(stalls, "stall"), count(rewrites, "rewrite"), count(streams, "stream"),
    ]
    let tenths = Int(min(largestClockError * 10_000, 1e9).rounded())
    return counts.joined(separator: ", ") + ", clock within \(tenths / 10).\(tenths % 10) ms"
  }

  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  /// For machines.
  var json: JSON {
    .object([
      ("event", .string("stats")), ("underruns", .integer(underruns)), ("stalls", .integer(stalls)),
      ("rewrites", .integer(rewrites)), ("streams", .integer(streams)),
      ("clockError", .number((largestClockError * 1e6).rounded() / 1e6)),
    ])
  }
}
