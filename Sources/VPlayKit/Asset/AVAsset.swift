public import Foundation

/// A medium, not yet opened.
///
/// As Apple's [AVAsset](https://developer.apple.com/documentation/avfoundation/avasset); made as an ``AVURLAsset``.
// Safe to share: its one stored property is a `let`.
open class AVAsset: NSObject, @unchecked Sendable {
  let location: URL

  init(location: URL) {
    self.location = location
  }
}

/// A medium at a URL: a file, or `http` and `https`.
///
/// As Apple's [AVURLAsset](https://developer.apple.com/documentation/avfoundation/avurlasset).
// Safe to share: it stores nothing of its own.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  /// Opens nothing yet: an item that is played does.
  ///
  /// `options` are accepted as on Apple's systems. `AVURLAssetPreferPreciseDurationAndTimingKey` changes nothing: timing
  /// is always as precise as the medium allows.
  public init(url: URL, options: [String: Any]? = nil) {
    super.init(location: url)
  }

  /// Where the medium is.
  open var url: URL { location }
}

/// An option of ``AVURLAsset``.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
