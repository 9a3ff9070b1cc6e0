public import Foundation
import VPlayModel

/// How far the loading of a key has come.
public enum AVKeyValueStatus: Int, Sendable {
  /// Nobody has asked for it.
  case unknown
  case loading
  case loaded
  case failed
  /// ``AVAsset/cancelLoading()`` ended it.
  case cancelled
}

extension AVAsset {
  // MARK: - By key

  /// Loads the values of `keys` (`duration`, `tracks`, `metadata`, `commonMetadata`, `playable`, …) and calls `handler`
  /// once, on some thread, when each is there, has failed, or was cancelled: ``statusOfValue(forKey:error:)`` tells.
  public func loadValuesAsynchronously(
    forKeys keys: [String], completionHandler handler: (@Sendable () -> Void)? = nil
  ) {
    loader.load(needsLength: keys.contains("duration")) {
      // What a handler does must not hold up the loading of others.
      if let handler { DispatchQueue.global().async { handler() } }
    }
  }

  /// How far the loading of a key has come; where it has failed, `outError` tells why. Loads nothing.
  ///
  /// Of a key that does not exist it is `failed`, where Apple's raises.
  public func statusOfValue(forKey key: String, error outError: UnsafeMutablePointer<NSError?>? = nil)
    -> AVKeyValueStatus
  {
    guard let check = Self.keys[key] else {
      outError?.pointee = AVError(.unknown, reason: "there is no key \(key)") as NSError
      return .failed
    }
    switch loader.progress(needsLength: key == "duration") {
    case .notBegun: return .unknown
    case .underWay: return .loading
    case .cancelled: return .cancelled
    case .over:
      do {
        try check(self)
        return .loaded
      } catch {
        outError?.pointee = error as NSError
        return .failed
      }
    }
  }

  private static let keys: [String: @Sendable (AVAsset) throws -> Void] = {
    let contents: @Sendable (AVAsset) throws -> Void = { _ = try $0.loader.loaded() }
    let playable: @Sendable (AVAsset) throws -> Void = { _ = try $0.loadedPlayable() }
    var keys: [String: @Sendable (AVAsset) throws -> Void] = ["duration": { _ = try $0.loader.length() }]
    for key in [
      "tracks", "metadata", "commonMetadata", "availableMetadataFormats", "creationDate", "lyrics",
      "preferredRate", "preferredVolume", "preferredTransform", "providesPreciseDurationAndTiming",
      "hasProtectedContent", "protectedContent",
    ] {
      keys[key] = contents
    }
    for key in ["playable", "isPlayable", "readable", "isReadable"] { keys[key] = playable }
    return keys
  }()

  // MARK: - Parts

  /// The tracks of a kind. Loads; see ``AVAsynchronousKeyValueLoading/load(_:isolation:)``.
  public func loadTracks(
    withMediaType mediaType: AVMediaType, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVAssetTrack] {
    try await load(.tracks, isolation: isolation).filter { $0.mediaType == mediaType }
  }

  /// The tracks that can be heard, seen or read. Loads; see ``AVAsynchronousKeyValueLoading/load(_:isolation:)``.
  public func loadTracks(
    withMediaCharacteristic characteristic: AVMediaCharacteristic, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVAssetTrack] {
    try await load(.tracks, isolation: isolation).filter { $0.hasMediaCharacteristic(characteristic) }
  }

  /// The track of an id, nil for none. Loads; see ``AVAsynchronousKeyValueLoading/load(_:isolation:)``.
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID, isolation: isolated (any Actor)? = #isolation
  ) async throws -> AVAssetTrack? {
    try await load(.tracks, isolation: isolation).first { $0.trackID == trackID }
  }

  /// What is kept in one of ``availableMetadataFormats``. Loads.
  public func loadMetadata(
    for format: AVMetadataFormat, isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVMetadataItem] {
    try await load(.metadata, isolation: isolation).filter { AVMetadataFormat($0) == format }
  }

  /// ``loadTracks(withMediaType:isolation:)`` for who cannot wait: calls `completionHandler` once, on some thread.
  public func loadTracks(
    withMediaType mediaType: AVMediaType,
    completionHandler: @escaping @Sendable ([AVAssetTrack]?, (any Error)?) -> Void
  ) {
    loadThen(completionHandler) { try $0.loadedTracks().filter { $0.mediaType == mediaType } }
  }

  /// ``loadTrack(withTrackID:isolation:)`` for who cannot wait: calls `completionHandler` once, on some thread.
  public func loadTrack(
    withTrackID trackID: CMPersistentTrackID,
    completionHandler: @escaping @Sendable (AVAssetTrack?, (any Error)?) -> Void
  ) {
    loadThen({ completionHandler($0 ?? nil, $1) }, { try $0.loadedTracks().first { $0.trackID == trackID } })
  }

  private func loadThen<Value: Sendable>(
    _ completion: @escaping @Sendable (Value?, (any Error)?) -> Void,
    _ read: @escaping @Sendable (AVAsset) throws -> Value
  ) {
    loader.load(needsLength: false) { [self] in
      let result = Result { try read(self) }
      DispatchQueue.global().async {
        switch result {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  // MARK: - Parts, read at once

  /// The track of an id. Waits for the medium.
  public func track(withTrackID trackID: CMPersistentTrackID) -> AVAssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// The tracks of a kind. Waits for the medium.
  public func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// The tracks that can be heard, seen or read. Waits for the medium.
  public func tracks(withMediaCharacteristic characteristic: AVMediaCharacteristic) -> [AVAssetTrack] {
    tracks.filter { $0.hasMediaCharacteristic(characteristic) }
  }

  /// What is kept in one of ``availableMetadataFormats``. Waits for the medium.
  public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
    metadata.filter { AVMetadataFormat($0) == format }
  }
}
