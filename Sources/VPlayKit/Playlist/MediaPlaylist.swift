public import Foundation
import VPlayEngine
import VPlayFFmpeg
import VPlayModel

/// A list of media, as an `.m3u` or `.m3u8` file holds it. VPlay's own.
///
/// A list names files and URLs, one a line, relative to its own folder; lines that begin with `#` are comments, of which
/// `#EXTINF:seconds,title` gives the next entry its title. It may be UTF-8, with a byte order mark or not, or Latin-1, with any
/// line ends. Lists in lists are taken in, up to eight deep, and none within itself. A list from the network cannot name local
/// files. An HLS playlist (one with `#EXT-X-…` in it) is a medium, not a list: it becomes the one entry.
public struct MediaPlaylist: Sendable {
  /// One medium of a list.
  public struct Entry: Sendable {
    public var url: URL
    /// What the list calls it.
    public var title: String?
    /// Why it is not to be played, whatever lies there: an address that this list may not name, or a list within the list
    /// that cannot be read. Nil for all else.
    public var error: AVError?

    public init(url: URL, title: String? = nil, error: AVError? = nil) {
      self.url = url
      self.title = title
      self.error = error
    }
  }

  /// The media in the list's order.
  public var entries: [Entry]

  public init(entries: [Entry]) {
    self.entries = entries
  }

  /// Whether the name at the end of `url` is that of a list: `.m3u` or `.m3u8`, in capitals or not.
  public static func isPlaylist(_ url: URL) -> Bool {
    let name = url.path(percentEncoded: true).lowercased()
    return name.hasSuffix(".m3u") || name.hasSuffix(".m3u8")
  }

  /// Reads the list at `url`, and the lists in it.
  ///
  /// The reading is done on a thread of its own, and ends at once when the task is cancelled.
  /// - Throws: ``AVError`` when the list cannot be read, is longer than 4 MiB, or names nothing.
  public init(contentsOf url: URL) async throws {
    let reader = PlaylistReader()
    let entries = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[Entry], any Error>) in
        let thread = NamedThread("vplay-list") { continuation.resume(with: reader.read(url)) }
        // It ends by itself, at once when it is cancelled.
        thread?.detach()
        if thread == nil {
          continuation.resume(throwing: AVError(.outOfMemory, reason: "no thread could be started"))
        }
      }
    } onCancel: {
      reader.cancel()
    }
    self.init(entries: entries)
  }
}
