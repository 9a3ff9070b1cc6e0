import Foundation
import Glibc
import VPlayFFmpeg
import VPlayModel

/// What an opened medium told of itself.
struct AssetContents: Sendable {
  var description: MediaDescription
  var details: MediaDetails
}

/// Loads what is to be known of one medium, each part once.
final class AssetLoader: Sendable {
  /// A medium that can be read only once, opened to be looked at, and kept for who plays it.
  private enum Kept {
    case none
    case opened(any MediaSource, MediaDescription)
    case taken
  }

  enum Progress {
    case notBegun, underWay, cancelled, over
  }

  /// Whether the length is measured where the medium's own word is a guess.
  let isPrecise: Bool
  private let contents: SharedLoad<AssetContents>
  /// The length, found by reading all of the medium.
  private let measured: SharedLoad<MediaTime?>
  private let kept: Monitor<Kept>
  private let url: URL
  private let makeSource: @Sendable (URL) -> any MediaSource

  init(url: URL, isPrecise: Bool, makeSource: @escaping @Sendable (URL) -> any MediaSource) {
    self.isPrecise = isPrecise
    self.url = url
    self.makeSource = makeSource
    let kept = Monitor(Kept.none)
    self.kept = kept
    let threads: LoaderThreads = url.isFileURL && !Self.isReadOnce(url) ? .local : .network
    contents = SharedLoad(on: threads) { (run) throws(MediaError) in
      let isReadOnce = Self.isReadOnce(url)
      if isReadOnce, case .taken = kept.withLock({ $0 }) { throw Self.isTaken }
      let source = makeSource(url)
      run.attach(source)
      defer { run.attach(nil) }
      let description = try source.open()
      let details = try source.details() ?? MediaDetails(description)
      if isReadOnce { kept.withLock { $0 = .opened(source, description) } }
      return AssetContents(description: description, details: details)
    }
    measured = SharedLoad(on: threads) { (run) throws(MediaError) in
      let source = makeSource(url)
      run.attach(source)
      defer { run.attach(nil) }
      return try MediaMeasure.duration(of: source)
    }
  }

  /// A source of the medium for who reads it; throws for a pipe that somebody reads already.
  func source() throws(MediaError) -> any MediaSource {
    if Self.isReadOnce(url), case .taken = kept.withLock({ $0 }) { throw Self.isTaken }
    return takeSource() ?? makeSource(url)
  }

  /// A medium that was opened to be looked at and cannot be opened again; nil where it can, or was not.
  func takeSource() -> (any MediaSource)? {
    guard Self.isReadOnce(url) else { return nil }
    return kept.withLock { kept in
      defer { kept = .taken }
      if case .opened(let source, let description) = kept { return OpenedSource(source, description) }
      return nil
    }
  }

  // MARK: - Loading

  /// Suspends until all is loaded, or cannot be. Throws when it was cancelled.
  func load(needsLength: Bool, isolation: isolated (any Actor)?) async throws {
    do {
      _ = try await contents.value(isolation: isolation)
      if needsLength, mustMeasure { _ = try await measured.value(isolation: isolation) }
    } catch {
      try throwIfCancelled(error)
    }
  }

  /// Waits on the calling thread until all is loaded, or cannot be.
  func waitUntilLoaded(needsLength: Bool) {
    do throws(MediaError) {
      _ = try contents.wait()
      if needsLength, mustMeasure { _ = try measured.wait() }
    } catch {
      // Who reads the values next meets the same error there.
    }
  }

  /// Calls `completion` once all is loaded, or cannot be: now, or on a thread of ours.
  func load(needsLength: Bool, completion: @escaping @Sendable () -> Void) {
    contents.start(contents.makeTicket()) { [weak self] _ in
      guard let self, needsLength, self.mustMeasure else { return completion() }
      self.measured.start(self.measured.makeTicket()) { _ in completion() }
    }
  }

  private func throwIfCancelled(_ error: any Error) throws {
    if Task.isCancelled { throw CancellationError() }
    if let error = error as? MediaError, error.kind == .interrupted { throw AVError(error) }
  }

  private var mustMeasure: Bool {
    guard isPrecise, case .loaded(let contents) = contents.phase else { return false }
    return !contents.description.isDurationExact && contents.description.isSeekable
  }

  func progress(needsLength: Bool) -> Progress {
    let progress = Self.progress(contents.phase)
    return progress == .over && needsLength && mustMeasure ? Self.progress(measured.phase) : progress
  }

  private static func progress<Value>(_ phase: SharedLoad<Value>.Phase) -> Progress {
    switch phase {
    case .idle: .notBegun
    case .loading: .underWay
    case .cancelled: .cancelled
    case .loaded, .failed: .over
    }
  }

  // MARK: - Values

  /// What was loaded; throws why it was not.
  func loaded() throws(AVError) -> AssetContents { try Self.value(contents.phase) }

  /// The length as well as it is known.
  func length() throws(AVError) -> MediaTime? {
    let claim = try loaded().description.duration
    return mustMeasure ? try Self.value(measured.phase) : claim
  }

  private static func value<Value>(_ phase: SharedLoad<Value>.Phase) throws(AVError) -> Value {
    switch phase {
    case .loaded(let value): return value
    case .failed(let error): throw AVError(error)
    case .idle, .loading, .cancelled: throw AVError(.operationCancelled, reason: "it was not loaded")
    }
  }

  func cancel() {
    contents.cancel()
    measured.cancel()
  }

  private static var isTaken: MediaError {
    MediaError(.notSeekable, "it can be read only once, and somebody does")
  }

  /// Pipes: what is read from them is gone.
  private static func isReadOnce(_ url: URL) -> Bool {
    if url.scheme?.lowercased() == "pipe" { return true }
    guard url.isFileURL else { return false }
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

/// A source that has been opened already.
private final class OpenedSource: MediaSource {
  private let source: any MediaSource
  private let description: MediaDescription

  init(_ source: any MediaSource, _ description: MediaDescription) {
    self.source = source
    self.description = description
  }

  func open() throws(MediaError) -> MediaDescription { description }
  func details() throws(MediaError) -> MediaDetails? { try source.details() }
  func select(trackIDs: [Int]) { source.select(trackIDs: trackIDs) }
  func read() throws(MediaError) -> (any MediaPacket)? { try source.read() }
  func seek(to time: MediaTime) throws(MediaError) { try source.seek(to: time) }
  func interrupt() { source.interrupt() }
  func makeAudioDecoder(trackID: Int) throws(MediaError) -> any AudioDecoder {
    try source.makeAudioDecoder(trackID: trackID)
  }
}
