import VPlayKit

/// One thing to play, as the list of them knows it.
struct Track: Equatable {
  var url: URL
  /// The argument or the list's line, in its exact bytes; `-` for standard input.
  var argument: [UInt8]
  /// Printable: what messages call it.
  var name: String
  /// Printable, and short: what the status line calls it when it has no title.
  var shortName: String
  /// What a list calls it, as it stands there.
  var title: String?
  /// It can be read once only.
  var isStandardInput: Bool

  init(url: URL, input: Input, title: String? = nil, isStandardInput: Bool = false) {
    self.url = url
    argument = input.argument
    name = input.name
    shortName = input.shortName
    self.title = title
    self.isStandardInput = isStandardInput
  }

  init(_ input: Input) {
    self.init(
      url: URL(encoded: input.address()), input: input, isStandardInput: input.isStandardInput)
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
