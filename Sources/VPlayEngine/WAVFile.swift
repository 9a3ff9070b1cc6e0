import Glibc
import VPlayModel

/// A WAV file of 32-bit floats that grows at its end. Owns its descriptor.
final class WAVFile: Sendable {
  private struct State {
    var descriptor: Int32
    var dataBytes: UInt64 = 0
    /// `dataBytes` when the header was last brought up to date.
    var settledBytes: UInt64 = 0
    /// What broke off writing; every later write fails alike.
    var failure: SinkError?
  }

  let format: AudioFormat
  private let isSeekable: Bool
  private let header: WAVHeader
  private let state: Monitor<State>

  /// Makes or empties the file at `path`, which ends in a zero byte.
  init(path: [CChar], format: AudioFormat) throws(SinkError) {
    // Non-blocking, so that a pipe which nobody reads is an error at once; files do not care.
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else {
      throw SinkError(.writeFailed, errno == ENXIO ? "nobody reads the pipe" : WAVFile.reason(errno))
    }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    self.format = format
    isSeekable = isRegular
    header = WAVHeader(format: format)
    state = Monitor(State(descriptor: descriptor))
    let size = isRegular ? 0 : UInt64.max
    let bytes = header.bytes(dataBytes: size)
    let outcome = state.withLock { state in
      bytes.withUnsafeBytes { WAVFile.writeAll($0, to: state.descriptor, isEnded: { false }) }
    }
    if let outcome { throw outcome }
  }

  deinit {
    state.withLock { state in
      settle(&state)
      if state.descriptor >= 0 { Glibc.close(state.descriptor) }
    }
  }

  /// Writes samples behind what is there. Waits for a slow reader of a pipe until `isEnded`.
  func append(_ samples: [Float], isEnded: () -> Bool) throws(SinkError) {
    let failure = state.withLock { state -> SinkError? in
      if let failure = state.failure { return failure }
      let outcome = WAVFile.withLittleEndianBytes(samples) { bytes in
        WAVFile.writeAll(bytes, to: state.descriptor, isEnded: isEnded)
      }
      if let outcome {
        if outcome.kind == .writeFailed { state.failure = outcome }
        return outcome
      }
      state.dataBytes += UInt64(samples.count * 4)
      if isSeekable { settle(&state) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Brings the header's sizes up to date.
  func settleSizes() {
    guard isSeekable else { return }
    state.withLock { settle(&$0) }
  }

  /// Closes the file. Throws what broke off writing, if anything did.
  func finish() throws(SinkError) {
    let failure = state.withLock { state -> SinkError? in
      settle(&state)
      if state.descriptor >= 0, Glibc.close(state.descriptor) != 0, state.failure == nil {
        state.failure = SinkError(.writeFailed, WAVFile.reason(errno))
      }
      state.descriptor = -1
      defer { state.failure = state.failure ?? SinkError(.writeFailed, "the file is closed") }
      return state.failure
    }
    if let failure { throw failure }
  }

  private func settle(_ state: inout State) {
    guard isSeekable, state.descriptor >= 0, state.dataBytes != state.settledBytes else { return }
    let bytes = header.bytes(dataBytes: state.dataBytes)
    let count = bytes.withUnsafeBytes { pwrite(state.descriptor, $0.baseAddress, $0.count, 0) }
    if count == bytes.count {
      state.settledBytes = state.dataBytes
    } else if state.failure == nil {
      state.failure = SinkError(.writeFailed, WAVFile.reason(errno))
    }
  }

  private static func withLittleEndianBytes<Answer>(
    _ samples: [Float], _ body: (UnsafeRawBufferPointer) -> Answer
  ) -> Answer {
    #if _endian(little)
      samples.withUnsafeBytes(body)
    #else
      samples.map(\.bitPattern.littleEndian).withUnsafeBytes(body)
    #endif
  }

  /// Writes all of `bytes`; returns what prevented it.
  private static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, isEnded: () -> Bool
  ) -> SinkError? {
    var rest = bytes
    while !rest.isEmpty {
      let (count, code) = BrokenPipe.shielded { Glibc.write(descriptor, rest.baseAddress, rest.count) }
      if count > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        continue
      }
      switch code {
      case EINTR:
        continue
      case EAGAIN:
        // A slow reader. Looks up now and then, since nothing else ends this wait.
        if isEnded() { return SinkError(.cancelled, "the wait was ended") }
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, 50)
      default:
        return SinkError(.writeFailed, reason(code))
      }
    }
    return nil
  }

  private static func reason(_ code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let scratch = buffer.baseAddress, strerror_r(code, scratch, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: scratch)
    }
  }
}
