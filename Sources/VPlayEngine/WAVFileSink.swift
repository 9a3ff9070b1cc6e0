import Synchronization
package import VPlayModel

/// An output that writes what it is given into a WAV file, as fast as it comes.
///
/// Samples are 32-bit floats, so that a decoder's 16 and 24 bits, and gains of them, are kept bit for bit; more than two
/// channels are named in an extensible header. All that is written while uncorked counts as heard at once. The file
/// keeps the format of its first stream: later ones are granted that, and continue the file. One stream is open at a
/// time. Its header is brought up to date with each write, so that a run which ends at any moment leaves a readable file.
/// A pipe or a device that cannot be sought in gets the header of an endless file.
package final class WAVFileSink: AudioSink {
  private struct State {
    var file: WAVFile?
    var isStreaming = false
  }

  private let path: [CChar]
  private let state = Monitor(State())

  /// `path` is the file's exact bytes. The file is made, or emptied, when the first stream is opened.
  package init(pathBytes: some Sequence<UInt8>) {
    path = pathBytes.map { CChar(bitPattern: $0) } + [0]
  }

  package convenience init(path: String) {
    self.init(pathBytes: path.utf8)
  }

  package var isRealTime: Bool { false }

  package func prepare() {}

  package func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream {
    if cancellation.isCancelled { throw SinkError(.cancelled, "the opening was ended") }
    let opened = state.withLock { state -> Result<WAVFile, SinkError> in
      if state.isStreaming { return .failure(SinkError(.unavailable, "the file takes one stream at a time")) }
      do throws(SinkError) {
        let file: WAVFile
        if let known = state.file {
          file = known
        } else {
          file = try WAVFile(path: path, format: WAVFileSink.grantedFormat(request.format))
        }
        state.file = file
        state.isStreaming = true
        return .success(file)
      } catch {
        return .failure(error)
      }
    }
    let file = try opened.get()
    return WAVFileStream(file: file, cancellation: cancellation) { [state] in
      state.withLock { $0.isStreaming = false }
    }
  }

  /// There is always room: calls `action` at once.
  package func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject {
    action()
    return AvailabilityToken()
  }

  /// Brings the header up to date and closes the file, telling of failures that came late. No stream follows.
  package func finish() throws(SinkError) {
    let file = state.withLock { $0.file }
    try file?.finish()
  }

  /// WAV files hold channels in the order of their positions.
  private static func grantedFormat(_ format: AudioFormat) -> AudioFormat {
    guard Set(format.channels).count == format.channelCount, !format.channels.contains(.unknown) else {
      return format
    }
    return AudioFormat(
      sampleRate: format.sampleRate, channels: format.channels.sorted { $0.rawValue < $1.rawValue })
  }
}

/// A stream of a `WAVFileSink`.
final class WAVFileStream: AudioSinkStream {
  private struct State {
    var isCorked = true
    /// One past the last frame in the file.
    var writtenFrame: Int64 = 0
    /// What was written while corked, from `writtenFrame` on.
    var pending: [Float] = []
  }

  /// However slow the medium's rate is, there is room.
  private static let leastFrames = 4096

  let format: AudioFormat
  let bufferFrames: Int
  private let file: WAVFile
  private let cancellation: SinkCancellation
  private let onClose: @Sendable () -> Void
  private let isClosed = Atomic(false)
  private let state = Monitor(State())

  init(file: WAVFile, cancellation: SinkCancellation, onClose: @escaping @Sendable () -> Void) {
    self.file = file
    self.cancellation = cancellation
    self.onClose = onClose
    format = file.format
    bufferFrames = max(Self.leastFrames, format.sampleRate / 2)
  }

  deinit {
    close()
  }

  func timing() throws(SinkError) -> SinkTiming {
    try access { state throws(SinkError) in
      SinkTiming(
        hostTime: SystemClock().now, readFrame: state.writtenFrame, heardFrame: state.writtenFrame,
        rewriteFrame: state.writtenFrame, isRunning: false)
    }
  }

  func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {
    try access { state throws(SinkError) in
      let channels = format.channelCount
      let late = max(0, state.writtenFrame - frame)
      guard late < samples.count / channels else { return }
      let offset = Int(frame + late - state.writtenFrame) * channels
      let fresh = samples[(Int(late) * channels)...]
      // The caller leaves no holes; were there one, it would be silent.
      let hole = max(0, offset - state.pending.count)
      if hole > 0 { state.pending.append(contentsOf: repeatElement(0, count: hole)) }
      let replacedEnd = min(state.pending.count, offset + fresh.count)
      state.pending.replaceSubrange(offset..<replacedEnd, with: fresh)
      try flush(&state)
    }
  }

  func setCorked(_ corked: Bool) throws(SinkError) {
    try access { state throws(SinkError) in
      state.isCorked = corked
      try flush(&state)
    }
  }

  func nextWake(endFrame: Int64, now: HostTime) -> HostTime? {
    state.withLock { $0.isCorked ? nil : now }
  }

  func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    file.settleSizes()
    onClose()
  }

  private func flush(_ state: inout State) throws(SinkError) {
    guard !state.isCorked, !state.pending.isEmpty else { return }
    try file.append(state.pending) {
      cancellation.isCancelled || isClosed.load(ordering: .acquiring)
    }
    state.writtenFrame += Int64(state.pending.count / format.channelCount)
    state.pending.removeAll(keepingCapacity: true)
  }

  private func access<Answer>(
    _ body: (inout State) throws(SinkError) -> Answer
  ) throws(SinkError) -> Answer {
    let outcome = state.withLock { state -> Result<Answer, SinkError> in
      if cancellation.isCancelled { return .failure(SinkError(.cancelled, "the wait was ended")) }
      if isClosed.load(ordering: .acquiring) { return .failure(SinkError(.lost, "the stream is closed")) }
      do throws(SinkError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}
