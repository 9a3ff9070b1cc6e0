import Foundation
import Glibc
import VPlayFFmpeg
import VPlayModel

/// Reads a list and those in it. `read` blocks; `cancel` comes from any thread.
final class PlaylistReader: Sendable {
  private static let limitBytes = 4 << 20
  /// What a list and the lists in it may name in all, so that they cannot multiply without end.
  private static let limitEntries = 100_000
  private static let limitDepth = 8

  private struct State {
    var isCancelled = false
    var source: AddressReader?
  }

  private let state = Monitor(State())
  private let fetch: @Sendable (URL, AddressReader) throws(MediaError) -> [UInt8]

  /// `fetch` reads what lies at an address, by the reader given.
  init(fetch: @escaping @Sendable (URL, AddressReader) throws(MediaError) -> [UInt8] = PlaylistReader.bytes) {
    self.fetch = fetch
  }

  static func bytes(at url: URL, with reader: AddressReader) throws(MediaError) -> [UInt8] {
    try reader.read(limitBytes: limitBytes)
  }

  func cancel() {
    let source = state.withLock { state in
      state.isCancelled = true
      return state.source
    }
    source?.interrupt()
  }

  func read(_ url: URL) -> Result<[MediaPlaylist.Entry], any Error> {
    var count = 0
    do throws(AVError) {
      return .success(try read(url, within: [], &count))
    } catch {
      return .failure(error)
    }
  }

  /// `chain` are the lists around this one.
  private func read(
    _ url: URL, within chain: [String], _ count: inout Int
  ) throws(AVError) -> [MediaPlaylist.Entry] {
    let identity = Self.identity(of: url)
    if chain.contains(identity) { throw AVError(.operationNotSupportedForAsset, reason: "the list contains itself") }
    if chain.count >= Self.limitDepth {
      throw AVError(.operationNotSupportedForAsset, reason: "more than \(Self.limitDepth) lists within each other")
    }
    var entries: [MediaPlaylist.Entry] = []
    switch try PlaylistText.parse(bytes(at: url)) {
    case .medium: return [MediaPlaylist.Entry(url: url)]
    case .list(let lines):
      for line in lines {
        var entry = PlaylistAddress.entry(for: line, in: url)
        count += 1
        if count > Self.limitEntries { throw AVError(.operationNotSupportedForAsset, reason: "the list is too long") }
        if entry.error == nil, MediaPlaylist.isPlaylist(entry.url) {
          do throws(AVError) {
            entries += try read(entry.url, within: chain + [identity], &count)
            continue
          } catch {
            entry.error = error
          }
        }
        entries.append(entry)
      }
    }
    if entries.isEmpty { throw AVError(.noSourceTrack, reason: "the list is empty") }
    return entries
  }

  private func bytes(at url: URL) throws(AVError) -> [UInt8] {
    let source = AddressReader(url: url.absoluteString)
    let isCancelled = state.withLock { state in
      state.source = source
      return state.isCancelled
    }
    if isCancelled { source.interrupt() }
    do throws(MediaError) {
      return try fetch(url, source)
    } catch {
      throw AVError(error)
    }
  }

  /// The same for all names of a list that can be told to be one.
  private static func identity(of url: URL) -> String {
    guard url.isFileURL, let path = url.withPathBytes({ realpath($0, nil) }) ?? nil else { return url.absoluteString }
    defer { free(path) }
    return "file:"
      + String(
        decoding: UnsafeBufferPointer(start: path, count: strlen(path)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
