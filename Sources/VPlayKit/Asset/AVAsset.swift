public import Foundation
import VPlayModel

/// A medium, not yet opened.
///
/// As Apple's [AVAsset](https://developer.apple.com/documentation/avfoundation/avasset); made as an ``AVURLAsset``.
// Safe to share: its stored properties are `let`.
open class AVAsset: NSObject, @unchecked Sendable {
  let location: URL
  let sourceOptions: SourceOptions

  init(location: URL, sourceOptions: SourceOptions = SourceOptions()) {
    self.location = location
    self.sourceOptions = sourceOptions
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
  /// is always as precise as the medium allows. How a server is asked: ``AVURLAssetHTTPUserAgentKey``,
  /// ``AVURLAssetHTTPHeaderFieldsKey``, ``AVURLAssetRequestTimeoutKey``, ``AVURLAssetPersistenceKey``.
  public init(url: URL, options: [String: Any]? = nil) {
    super.init(location: url, sourceOptions: SourceOptions(assetOptions: options))
  }

  /// Where the medium is.
  open var url: URL { location }
}

/// An option of ``AVURLAsset``.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
