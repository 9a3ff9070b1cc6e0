/// The parts of a QuickTime or MP4 file's `moov` box that tell, to the frame, where its tracks begin and end.
///
/// FFmpeg applies edit lists too, but cuts the last packets by the movie's time scale, often milliseconds.
struct MovieHeader: Equatable {
  /// Units a second of edit durations.
  var movieScale: Int64 = 0
  var tracks: [MovieTrack] = []
  /// Whether samples also lie in fragments, which this header does not count.
  var isFragmented = false

  /// Whether each track's edits, if it has any, are one piece of the media at normal speed after an optional delay.
  var hasSimpleEdits: Bool { movieScale > 0 && tracks.allSatisfy(\.hasSimpleEdits) }
}

struct MovieTrack: Equatable {
  struct Edit: Equatable {
    /// In units of the movie's scale.
    var duration: Int64
    /// Where in the media it begins, in units of the track's scale; −1 for an empty edit.
    var mediaTime: Int64
    var isNormalSpeed: Bool
  }

  /// The handler's four characters, such as `soun`.
  var handler = ""
  /// Units a second of the media's times.
  var scale: Int64 = 0
  /// The sum of the sample table's durations.
  var mediaDuration: Int64 = 0
  /// How much later than decoded the first sample is shown.
  var firstCompositionOffset: Int64 = 0
  var edits: [Edit] = []

  var hasSimpleEdits: Bool {
    let pieces = edits.first?.mediaTime == -1 ? edits.dropFirst() : edits[...]
    if pieces.isEmpty { return edits.isEmpty && scale > 0 }
    return scale > 0 && pieces.count == 1 && pieces.allSatisfy { $0.mediaTime >= 0 && $0.isNormalSpeed }
  }

  /// What of this track is to be presented, given simple edits: in units of its scale, in the movie's own time.
  ///
  /// `end` is where the media ends or, when the edit leaves out more than two movie ticks of it, where the edit ends.
  func presentation(movieScale: Int64) -> (start: Int64, end: Int64)? {
    guard hasSimpleEdits, movieScale > 0 else { return nil }
    guard let piece = edits.last else {
      let start = handler == "soun" ? 0 : firstCompositionOffset
      return (start, start + mediaDuration)
    }
    let delay = edits.count > 1 ? Self.rescale(edits[0].duration, from: movieScale, to: scale) : 0
    let length = mediaDuration - piece.mediaTime
    guard length > 0 else { return nil }
    // A duration of 0 means up to the media's end (in fragmented files).
    let editLength = piece.duration == 0 ? length : Self.rescale(piece.duration, from: movieScale, to: scale)
    let twoTicks = (2 * scale + movieScale - 1) / movieScale
    let reachesEnd = editLength >= length - twoTicks
    return (delay, delay + (reachesEnd ? length : editLength))
  }

  /// Rounded to the nearest, halves away from zero, as FFmpeg does.
  static func rescale(_ value: Int64, from: Int64, to: Int64) -> Int64 {
    let product = Int128(value) * Int128(to)
    let half = Int128(from) / 2
    return Int64(clamping: (product >= 0 ? product + half : product - half) / Int128(from))
  }
}
