internal import VPlayModel

/// What we read of a medium ourselves, before the demuxer does: what FFmpeg does not tell, or not exactly.
struct ContainerOutline {
  private(set) var movie: MovieHeader?
  private(set) var ogg: OggOutline?
  private(set) var xing: XingTag?
  /// Why it cannot be played, where that is plain already.
  private(set) var obstacle: String?
  private var isMovieWithoutHeader = false
  private var isWAV = false

  init(_ input: any MediaInput) {
    let read: MovieHeaderParser.Read = { input.peek(at: $0, count: $1) }
    if input.isSeekable && input.sizeBytes == 0 { obstacle = "the file is empty" }
    switch MovieHeaderParser.parse(pastMedia: input.isSeekable, reading: read) {
    case .movie(let header): movie = header
    case .missing: isMovieWithoutHeader = true
    case .behindMedia: obstacle = "its index is at its end: such a movie can be played only where one can seek"
    case .unreadable: break
    case .notMovie:
      guard input.sizeBytes > 0 else { break }
      if input.isSeekable { ogg = OggOutline(sizeBytes: input.sizeBytes, reading: read) }
      if ogg == nil { xing = XingTag(sizeBytes: input.sizeBytes, reading: read) }
    }
    isWAV = read(0, 4) == Array("RIFF".utf8)
    input.endPeeking()
  }

  /// Options for the demuxer.
  var options: [String: String] {
    var options: [String: String] = [:]
    if hasOwnEdits { options["advanced_editlist"] = "0" }
    // FFmpeg looks through megabytes of a WAV for DTS in disguise; it shows within four packets.
    // Newer versions read it in larger packets, of which a pipe or a server would have to give the first eight.
    if isWAV { options.merge(["max_probe_packets": "8", "max_size": "4096"]) { _, own in own } }
    return options
  }

  /// Whether the movie's edits are such as we apply, in FFmpeg's place.
  var hasOwnEdits: Bool { movie?.hasSimpleEdits == true }

  /// The same error, with the reason that FFmpeg cannot give.
  func explain(_ error: MediaError) -> MediaError {
    guard error.kind == .unrecognizedFormat, isMovieWithoutHeader else { return error }
    return MediaError(.unrecognizedFormat, "its index is missing: the file is incomplete", code: error.code)
  }
}
