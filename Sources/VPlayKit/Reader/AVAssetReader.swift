public import Foundation
import VPlayModel

/// Reads the sound of an asset as PCM, as fast as it decodes.
///
/// As Apple's [AVAssetReader](https://developer.apple.com/documentation/avfoundation/avassetreader). Make one, add
/// outputs, ``startReading()``, then take buffers from each output until there is none; ``status`` then tells whether
/// that was all. Frames are exact: none is lost or added, and a 16-bit file read as 16 bits or as floats is the same.
///
/// Each output reads the medium for itself, so that they need not be read in step. Opening and reading happen on the
/// calling thread. All calls may come from any thread.
// Safe to share: its stored properties are `let`s of Sendable types.
open class AVAssetReader: NSObject, @unchecked Sendable {
  /// How far the reading has come.
  public enum Status: Int, Sendable {
    case unknown
    case reading
    /// All outputs have given all they had.
    case completed
    /// ``AVAssetReader/error`` tells why.
    case failed
    case cancelled
  }

  private struct State {
    var status = Status.unknown
    var error: AVError?
    var timeRange = CMTimeRange(start: .zero, duration: .positiveInfinity)
    var outputs: [AVAssetReaderOutput] = []
    var unfinished = 0
    var sources: [any MediaSource] = []
  }

  /// What is read.
  public let asset: AVAsset
  private let state = Monitor(State())

  /// - Throws: ``AVError`` when the asset was loaded and cannot be read.
  public init(asset: AVAsset) throws {
    if case .failed(let error) = asset.status(of: .tracks) { throw error }
    self.asset = asset
  }

  deinit {
    cancelReading()
  }

  /// How far the reading has come.
  open var status: Status { state.withLock { $0.status } }

  /// Why the status is `failed`: an ``AVError``; else nil.
  open var error: (any Error)? { state.withLock { $0.error } }

  /// What of the asset is read: all at first. Its frames are those that begin from its start on and before its end, each
  /// rounded to the nearest. Not to be set any more once reading has started; then nothing happens, where Apple's raises.
  open var timeRange: CMTimeRange {
    get { state.withLock { $0.timeRange } }
    set { state.withLock { if $0.status == .unknown { $0.timeRange = newValue } } }
  }

  /// The outputs added.
  open var outputs: [AVAssetReaderOutput] { state.withLock { $0.outputs } }

  /// Whether the output is of this asset's sound, of a format that can be made, and no reader's yet.
  open func canAdd(_ output: AVAssetReaderOutput) -> Bool {
    status == .unknown && output.canBeAdded(to: self)
  }

  /// Adds an output. Where Apple's raises, for one that cannot be added, nothing happens.
  open func add(_ output: AVAssetReaderOutput) {
    guard canAdd(output), output.claim(by: self) else { return }
    state.withLock { $0.outputs.append(output) }
  }

  /// Opens the medium for each output; false when that fails, or reading had started before.
  open func startReading() -> Bool {
    let start: (range: CMTimeRange, outputs: [AVAssetReaderOutput])? = state.withLock { state in
      guard state.status == .unknown else { return nil }
      state.status = .reading
      state.unfinished = state.outputs.count
      return (state.timeRange, state.outputs)
    }
    guard let (range, outputs) = start else { return false }
    do throws(AVError) {
      guard range.isValid, let from = range.start.mediaTime else {
        throw AVError(.unknown, reason: "the time range is invalid")
      }
      for output in outputs { try output.open(from: from, to: range.end.mediaTime) }
    } catch {
      fail(error)
      return false
    }
    if outputs.isEmpty { state.withLock { $0.status = .completed } }
    return status == .reading || outputs.isEmpty
  }

  /// Ends the reading: outputs give nothing more, also those that are just being read.
  open func cancelReading() {
    let sources = state.withLock { state in
      if state.status == .reading { state.status = .cancelled }
      defer { state.sources = [] }
      return state.sources
    }
    for source in sources { source.interrupt() }
  }

  // MARK: - For outputs

  /// A source of the asset's that ends with the reading.
  func makeSource() throws(MediaError) -> any MediaSource {
    let source = try asset.loader.source()
    let isReading = state.withLock { state in
      guard state.status == .reading else { return false }
      state.sources.append(source)
      return true
    }
    if !isReading { source.interrupt() }
    return source
  }

  func fail(_ error: AVError) {
    state.withLock { state in
      guard state.status == .reading else { return }
      state.status = .failed
      state.error = error
    }
  }

  func outputFinished() {
    state.withLock { state in
      state.unfinished -= 1
      if state.unfinished == 0, state.status == .reading { state.status = .completed }
    }
  }
}
