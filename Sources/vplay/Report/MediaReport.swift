import VPlayKit

/// What one medium holds, for `--info`.
struct MediaReport {
  var container: String
  /// Seconds; nil when unknown.
  var duration: Double?
  var isDurationExact: Bool
  var tracks: [TrackReport]
  /// What it says of itself: names and values, in its order.
  var tags: [(name: String, value: String)]

  /// Opens the medium and looks.
  init(of asset: AVAsset) async throws {
    let (container, duration, isExact, tracks, metadata) = try await asset.load(
      .containerName, .duration, .providesPreciseDurationAndTiming, .tracks, .metadata)
    self.container = container
    self.duration = duration.isNumeric ? duration.seconds : nil
    isDurationExact = isExact
    self.tracks = tracks.map(TrackReport.init)
    tags = metadata.map { (MediaReport.name(of: $0), MediaReport.value(of: $0)) }
  }

  private static func name(of item: AVMetadataItem) -> String {
    item.commonKey?.rawValue ?? (item.key as? NSString).map { String($0) } ?? "?"
  }

  private static func value(of item: AVMetadataItem) -> String {
    item.stringValue ?? "\(item.dataValue?.count ?? 0) bytes of \(item.dataType ?? "data")"
  }

  // MARK: For people

  func text(name: String) -> String {
    let length = duration.map { "\(isDurationExact ? "" : "about ")\(MediaReport.clock($0))" }
    var rows = [("container", container), ("duration", length ?? "unknown")]
    rows += tracks.map { ($0.kind, $0.text) }
    for tag in tags {
      // A text of several lines stays one entry.
      let values = tag.value.split(whereSeparator: \.isNewline)
      rows += values.enumerated().map { ($0 == 0 ? printable(tag.name) : "", String($1)) }
    }
    let width = min(rows.map(\.0.count).max() ?? 0, MediaReport.widestName)
    let lines = rows.map { name, value in
      "  \(name)\(String(repeating: " ", count: max(0, width - name.count)))  \(printable(value))\n"
    }
    return "\(printable(name))\n\(lines.joined())"
  }

  private static let widestName = 16

  /// To the millisecond.
  private static func clock(_ seconds: Double) -> String {
    let thousandths = Int((min(seconds, 1e9) * 1000).rounded())
    let rest = String(1000 + thousandths % 1000).dropFirst()
    return "\(StatusLine.clock(Double(thousandths / 1000))).\(rest)"
  }

  // MARK: For machines

  func json(file: String, url: String) -> JSON {
    .object([
      ("event", .string("info")), ("file", .string(file)), ("url", .string(url)), ("container", .string(container)),
      ("duration", .seconds(duration)), ("exact", .bool(duration != nil && isDurationExact)),
      ("tracks", .array(tracks.map(\.json))),
      ("tags", .array(tags.map { .object([("name", .string($0.name)), ("value", .string($0.value))]) })),
    ])
  }
}
