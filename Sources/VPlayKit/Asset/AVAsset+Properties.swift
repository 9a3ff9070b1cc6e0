import VPlayModel

/// The properties of an asset that are loaded.
extension AVPartialAsyncProperty where Root: AVAsset {
  /// How long the medium is; indefinite where nobody knows (pipes, live streams).
  ///
  /// An estimate where the container has no exact word, unless `AVURLAssetPreferPreciseDurationAndTimingKey` was set.
  public static var duration: AVAsyncProperty<Root, CMTime> {
    AVAsyncProperty(needsLength: true) { try $0.loader.length().map { CMTime($0) } ?? .indefinite }
  }

  /// Whether `duration` is exact, or will be measured.
  public static var providesPreciseDurationAndTiming: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { $0.loader.isPrecise ? true : try $0.loader.loaded().description.isDurationExact }
  }

  /// All tracks, in the container's order; attached pictures are none.
  public static var tracks: AVAsyncProperty<Root, [AVAssetTrack]> {
    AVAsyncProperty { try $0.loadedTracks() }
  }

  /// All that the medium says of itself as a whole, covers included.
  public static var metadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { try $0.loadedMetadata() }
  }

  /// Those of `metadata` that have a ``AVMetadataItem/commonKey``.
  public static var commonMetadata: AVAsyncProperty<Root, [AVMetadataItem]> {
    AVAsyncProperty { try $0.loadedMetadata().filter { $0.commonKey != nil } }
  }

  /// The ways in which `metadata` is kept.
  public static var availableMetadataFormats: AVAsyncProperty<Root, [AVMetadataFormat]> {
    AVAsyncProperty { AVMetadataFormat.all(in: try $0.loadedMetadata()) }
  }

  /// When the medium was made, where it says.
  public static var creationDate: AVAsyncProperty<Root, AVMetadataItem?> {
    AVAsyncProperty { try $0.loadedMetadata().first { $0.commonKey == .commonKeyCreationDate } }
  }

  /// The words of a song.
  public static var lyrics: AVAsyncProperty<Root, String?> {
    AVAsyncProperty { try $0.loadedMetadata().first { $0.isLyrics }?.stringValue }
  }

  /// Whether it can be played; false for what is there and is no medium that can.
  public static var isPlayable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { try $0.loadedPlayable() }
  }

  /// Whether its sound can be read by an ``AVAssetReader``.
  public static var isReadable: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { asset in
      guard try asset.loadedPlayable() else { return false }
      return try !asset.loader.loaded().description.audioTracks.isEmpty
    }
  }

  /// Whether all of it is locked away: never, of what can be opened here.
  public static var hasProtectedContent: AVAsyncProperty<Root, Bool> {
    AVAsyncProperty { _ in false }
  }

  /// The rate at which it is meant to be played: 1.
  public static var preferredRate: AVAsyncProperty<Root, Float> { AVAsyncProperty { _ in 1 } }

  /// The volume at which it is meant to be played: 1.
  public static var preferredVolume: AVAsyncProperty<Root, Float> { AVAsyncProperty { _ in 1 } }

  /// How its picture is to be turned: that of its first video track.
  public static var preferredTransform: AVAsyncProperty<Root, CGAffineTransform> {
    AVAsyncProperty {
      try $0.loadedTracks().first { $0.mediaType == .video }?.preferredTransform ?? .identity
    }
  }

  /// FFmpeg's name of the container for people, such as `QuickTime / MOV`. VPlay's own.
  public static var containerName: AVAsyncProperty<Root, String> {
    AVAsyncProperty { try $0.loader.loaded().details.formatTitle }
  }
}

extension AVAsset {
  func loadedTracks() throws -> [AVAssetTrack] {
    let details = try loader.loaded().details
    return objects.tracks { details.tracks.filter { $0.kind != .other }.map { AVAssetTrack($0, of: self, details) } }
  }

  func loadedMetadata() throws -> [AVMetadataItem] {
    let details = try loader.loaded().details
    return objects.metadata { MetadataMapping(details).items(details.tags, details.pictures) }
  }

  func loadedPlayable() throws -> Bool {
    do {
      let description = try loader.loaded().description
      return !description.audioTracks.isEmpty || description.hasVideo
    } catch {
      if [.fileFormatNotRecognized, .decoderNotFound, .noSourceTrack].contains(error.code) { return false }
      throw error
    }
  }

  // MARK: - Read at once

  /// See `AVPartialAsyncProperty.duration`. Waits for the medium; indefinite when it cannot be opened.
  public var duration: CMTime { waited(.duration, needsLength: true) ?? .indefinite }

  /// See `AVPartialAsyncProperty.providesPreciseDurationAndTiming`. Waits for the medium.
  public var providesPreciseDurationAndTiming: Bool { waited(.providesPreciseDurationAndTiming) ?? false }

  /// See `AVPartialAsyncProperty.tracks`. Waits for the medium; empty when it cannot be opened.
  public var tracks: [AVAssetTrack] { waited(.tracks) ?? [] }

  /// See `AVPartialAsyncProperty.metadata`. Waits for the medium; empty when it cannot be opened.
  public var metadata: [AVMetadataItem] { waited(.metadata) ?? [] }

  /// See `AVPartialAsyncProperty.commonMetadata`. Waits for the medium; empty when it cannot be opened.
  public var commonMetadata: [AVMetadataItem] { waited(.commonMetadata) ?? [] }

  /// See `AVPartialAsyncProperty.availableMetadataFormats`. Waits for the medium.
  public var availableMetadataFormats: [AVMetadataFormat] { waited(.availableMetadataFormats) ?? [] }

  /// See `AVPartialAsyncProperty.creationDate`. Waits for the medium.
  public var creationDate: AVMetadataItem? { waited(.creationDate) ?? nil }

  /// See `AVPartialAsyncProperty.lyrics`. Waits for the medium.
  public var lyrics: String? { waited(.lyrics) ?? nil }

  /// See `AVPartialAsyncProperty.isPlayable`. Waits for the medium; false when it cannot be opened.
  public var isPlayable: Bool { waited(.isPlayable) ?? false }

  /// See `AVPartialAsyncProperty.isReadable`. Waits for the medium; false when it cannot be opened.
  public var isReadable: Bool { waited(.isReadable) ?? false }

  /// False.
  public var hasProtectedContent: Bool { false }

  /// 1.
  public var preferredRate: Float { 1 }

  /// 1.
  public var preferredVolume: Float { 1 }

  /// See `AVPartialAsyncProperty.preferredTransform`. Waits for the medium.
  public var preferredTransform: CGAffineTransform { waited(.preferredTransform) ?? .identity }

  private func waited<Value>(_ property: AVAsyncProperty<AVAsset, Value>, needsLength: Bool = false) -> Value? {
    loader.waitUntilLoaded(needsLength: needsLength)
    return try? property.read(self)
  }
}
