public import Foundation
package import VPlayModel

/// A medium: what it holds, how long it is, and what it says of itself.
///
/// As Apple's [AVAsset](https://developer.apple.com/documentation/avfoundation/avasset). Making one opens nothing. Its
/// properties are loaded, on threads of VPlay's own, by ``AVAsynchronousKeyValueLoading/load(_:isolation:)`` or
/// ``loadValuesAsynchronously(forKeys:completionHandler:)``: the medium is opened once, however many ask. Those that can
/// be read without that (`duration`, `tracks`, …) make the calling thread wait for the medium, as on Apple's systems.
///
/// A pipe that was loaded stays open until it is played; one that is played cannot be loaded.
// Safe to share: its stored properties are `let`s of Sendable types.
open class AVAsset: NSObject, AVAsynchronousKeyValueLoading, @unchecked Sendable {
  let location: URL
  let sourceOptions: SourceOptions
  let loader: AssetLoader
  let objects = AssetObjects()

  /// The medium at `url`; see ``AVURLAsset``.
  public convenience init(url: URL) {
    self.init(location: url, isPrecise: false, makeSource: nil)
  }

  /// `makeSource` is nil for FFmpeg's.
  init(
    location: URL, isPrecise: Bool, sourceOptions: SourceOptions = SourceOptions(),
    makeSource: (@Sendable (URL) -> any MediaSource)?
  ) {
    self.location = location
    self.sourceOptions = sourceOptions
    let makeSource = makeSource ?? PlayerEnvironment.system.makeSource
    loader = AssetLoader(url: location, isPrecise: isPrecise) { url in
      let source = makeSource(url)
      source.configure(sourceOptions)
      return source
    }
  }

  deinit {
    loader.cancel()
  }

  /// Ends the loading under way: who waits for it gets ``AVError/Code/operationCancelled``. What is loaded stays; what
  /// is not can be loaded anew.
  open func cancelLoading() {
    loader.cancel()
  }
}

/// A medium at a URL: a file, or `http` and `https`.
///
/// As Apple's [AVURLAsset](https://developer.apple.com/documentation/avfoundation/avurlasset).
// Safe to share: it stores nothing of its own.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  /// Opens nothing yet.
  ///
  /// Of `options`, `AVURLAssetPreferPreciseDurationAndTimingKey` is heeded: with true, `duration` is measured by reading
  /// and decoding the whole medium where its container does not tell it exactly. All else is always as precise as the
  /// medium allows. How a server is asked: ``AVURLAssetHTTPUserAgentKey``, ``AVURLAssetHTTPHeaderFieldsKey``,
  /// ``AVURLAssetRequestTimeoutKey``, ``AVURLAssetPersistenceKey``.
  public init(url: URL, options: [String: Any]? = nil) {
    super.init(
      location: url, isPrecise: Self.isPrecise(options), sourceOptions: SourceOptions(assetOptions: options),
      makeSource: nil)
  }

  /// A medium read by a source of one's own, for tests.
  package init(
    url: URL, options: [String: Any]? = nil, makeSource: @escaping @Sendable (URL) -> any MediaSource
  ) {
    super.init(
      location: url, isPrecise: Self.isPrecise(options), sourceOptions: SourceOptions(assetOptions: options),
      makeSource: makeSource)
  }

  /// Where the medium is.
  open var url: URL { location }

  private static func isPrecise(_ options: [String: Any]?) -> Bool {
    options?[AVURLAssetPreferPreciseDurationAndTimingKey] as? Bool ?? false
  }
}

/// An option of ``AVURLAsset``: a Bool, false at first.
public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"

/// The public objects of an asset's contents, made once.
final class AssetObjects: Sendable {
  private struct State {
    var tracks: [AVAssetTrack]?
    var metadata: [AVMetadataItem]?
  }

  private let state = Monitor(State())

  func tracks(_ make: () -> [AVAssetTrack]) -> [AVAssetTrack] {
    state.withLock { state in
      let tracks = state.tracks ?? make()
      state.tracks = tracks
      return tracks
    }
  }

  func metadata(_ make: () -> [AVMetadataItem]) -> [AVMetadataItem] {
    state.withLock { state in
      let metadata = state.metadata ?? make()
      state.metadata = metadata
      return metadata
    }
  }
}
