import VPlayKit

/// What there is to play: the inputs, and what is in those of them that are lists.
struct TrackList {
  var tracks: [Track] = []
  /// What a list names and cannot be played, and lists that cannot be read.
  var failures: [Playback.Failure] = []

  /// The inputs as they are; nil when there is a list among them, which must be read first.
  init?(_ inputs: [Input]) {
    tracks = inputs.map(Track.init)
    if tracks.contains(where: \.isPlaylist) { return nil }
  }

  /// Reads the lists among the inputs.
  init(reading inputs: [Input]) async {
    for track in inputs.map(Track.init) {
      guard track.isPlaylist else {
        tracks.append(track)
        continue
      }
      do {
        for entry in try await MediaPlaylist(contentsOf: track.url).entries { add(entry) }
      } catch {
        failures.append(Playback.Failure(track: track, error: error))
      }
    }
  }

  private mutating func add(_ entry: MediaPlaylist.Entry) {
    let track = Track(entry)
    if let error = entry.error {
      failures.append(Playback.Failure(track: track, error: error))
    } else {
      tracks.append(track)
    }
  }

  /// The track that the output would be written over.
  func track(under output: Options.Output) -> Track? {
    tracks.first { $0.url.filePath.map { OutputCheck.isSameFile($0, as: output) } ?? false }
  }
}

extension Track {
  /// Whether it is a list, by its name.
  var isPlaylist: Bool { !isStandardInput && MediaPlaylist.isPlaylist(url) }

  /// An entry of a list.
  init(_ entry: MediaPlaylist.Entry) {
    let address = entry.url.filePath ?? Array(entry.url.absoluteString.utf8)
    self.init(url: entry.url, input: Input(argument: address), title: entry.title)
  }
}

extension URL {
  /// A local file's path in its exact bytes, nil for all else.
  var filePath: [UInt8]? {
    guard isFileURL else { return nil }
    var rest = Array(path(percentEncoded: true).utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
