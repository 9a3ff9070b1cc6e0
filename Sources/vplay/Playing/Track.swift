import VPlayKit

/// One thing to play, as the list of them knows it.
struct Track: Equatable {
  var url: URL
  /// Printable: what messages call it.
  var name: String
  /// Printable, and short: what the status line calls it as long as the file itself does not say better.
  var title: String
  /// It can be read once only.
  var isStandardInput: Bool

  init(url: URL, name: String, title: String, isStandardInput: Bool = false) {
    self.url = url
    self.name = name
    self.title = title
    self.isStandardInput = isStandardInput
  }

  init(_ input: Input) {
    self.init(
      url: URL(encoded: input.address()), name: input.name, title: input.shortName,
      isStandardInput: input.isStandardInput)
  }
}

extension URL {
  /// Of an address that is ASCII, and escaped where it must be.
  init(encoded address: String) {
    self = URL(string: address) ?? URL(fileURLWithPath: address)
  }
}

/// A player's item that knows what it plays.
// Safe to share: all that it adds is `let`.
final class TrackItem: AVPlayerItem, @unchecked Sendable {
  /// The track's number in the list.
  let track: Int
  /// Its place in the plan.
  let place: Int

  init(_ url: URL, track: Int, place: Int) {
    self.track = track
    self.place = place
    super.init(asset: AVURLAsset(url: url))
  }
}
