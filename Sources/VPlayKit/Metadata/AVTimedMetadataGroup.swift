public import Foundation
import VPlayModel

/// Some metadata that belong together.
///
/// As Apple's [AVMetadataGroup](https://developer.apple.com/documentation/avfoundation/avmetadatagroup).
// Safe to share: its one stored property is a `let` of a Sendable type.
open class AVMetadataGroup: NSObject, @unchecked Sendable {
  private let all: [AVMetadataItem]

  init(all: [AVMetadataItem]) {
    self.all = all
  }

  /// What is said.
  open var items: [AVMetadataItem] { all }
}

/// Some metadata that hold for a part of a medium, such as a chapter's title.
///
/// As Apple's [AVTimedMetadataGroup](https://developer.apple.com/documentation/avfoundation/avtimedmetadatagroup).
// Safe to share: its one stored property is a `let` of a Sendable type.
open class AVTimedMetadataGroup: AVMetadataGroup, @unchecked Sendable {
  private let range: CMTimeRange

  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    range = timeRange
    super.init(all: items)
  }

  /// When they hold.
  open var timeRange: CMTimeRange { range }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  /// The languages in which chapters have titles: an undetermined one where there are chapters, as containers do not
  /// say.
  public static var availableChapterLocales: AVAsyncProperty<Root, [Locale]> {
    AVAsyncProperty { try $0.loader.loaded().details.chapters.isEmpty ? [] : [Locale(identifier: "und")] }
  }
}

extension AVAsset {
  /// The chapters, in order, each with its title if it has one. Loads.
  ///
  /// Containers do not say what language their chapters are in: any locale gives all. `commonKeys` are what else a group
  /// may hold; nothing else is there.
  public func loadChapterMetadataGroups(
    withTitleLocale locale: Locale, containingItemsWithCommonKeys commonKeys: [AVMetadataKey] = [],
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVTimedMetadataGroup] {
    try await load(.chapters, isolation: isolation)
  }

  /// The chapters, in order, each with its title if it has one, whatever languages are preferred. Loads.
  public func loadChapterMetadataGroups(
    bestMatchingPreferredLanguages preferredLanguages: [String], isolation: isolated (any Actor)? = #isolation
  ) async throws -> [AVTimedMetadataGroup] {
    try await load(.chapters, isolation: isolation)
  }
}

extension AVPartialAsyncProperty where Root: AVAsset {
  fileprivate static var chapters: AVAsyncProperty<Root, [AVTimedMetadataGroup]> {
    AVAsyncProperty { asset in
      let details = try asset.loader.loaded().details
      return details.chapters.map { chapter in
        let range = CMTimeRange(start: CMTime(chapter.start), end: CMTime(chapter.end))
        return AVTimedMetadataGroup(
          items: MetadataMapping(details).items(chapter.tags, range: range), timeRange: range)
      }
    }
  }
}
