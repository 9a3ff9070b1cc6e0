internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// An `http` or `https` address, read through FFmpeg's protocols, and asked for anew where it broke off.
///
/// FFmpeg's own reconnecting begins from the start where a server does not know ranges, and differs by version.
final class NetworkInput: MediaInput {
  /// So far ahead it is quicker to read on than to ask anew.
  private static let shortSkipBytes: Int64 = 256 << 10
  private static let peekLimitBytes = 16 << 20
  private static let keptBytes = 1 << 20
  private static let blockBytes = 32 << 10
  private static let longestPauseSeconds = 4.0

  private let request: HTTPRequest
  private let interrupter: Interrupter
  private let clock = SystemClock()
  private var io: UnsafeMutablePointer<AVIOContext>?
  private var connection: HTTPConnection?
  private var givesRanges: Bool
  /// A part was asked for, and the whole was sent.
  private var hasRefusedRanges = false
  private let isStream: Bool
  let sizeBytes: Int64
  /// What the server says of an endless stream, such as `icy-name`.
  let streamHeaders: [String: String]
  /// Next byte of the medium for the demuxer.
  private var position: Int64 = 0
  private var peeked = PeekedBytes()
  /// Demuxers go back and forth while they open: what came is kept for that long.
  private var isOpening = true
  /// What an endless stream said, and before which byte.
  private var newTags: [(position: Int64, tags: [String: String])] = []

  var context: UnsafeMutablePointer<AVIOContext> {
    guard let io else { preconditionFailure("an input has its context from init on") }
    return io
  }

  let isSeekable: Bool

  init(_ request: HTTPRequest, interrupter: Interrupter) throws(MediaError) {
    self.request = request
    self.interrupter = interrupter
    let first: HTTPConnection
    do {
      first = try HTTPConnection(request, from: 0, interrupter: interrupter)
    } catch {
      switch error {
      case .media(let error): throw error
      case .rangeRefused: throw MediaError(.network, "the server does not answer for what it was asked")
      }
    }
    connection = first
    givesRanges = first.givesRanges
    isSeekable = first.givesRanges
    isStream = first.isStream
    sizeBytes = first.sizeBytes
    streamHeaders = first.streamHeaders

    guard let buffer = av_malloc(Self.blockBytes) else { throw MediaError(.outOfMemory, "out of memory") }
    // Unretained: the context is freed in deinit, before this object is gone.
    let opaque = Unmanaged.passUnretained(self).toOpaque()
    guard
      let io = avio_alloc_context(
        buffer, Int32(Self.blockBytes), 0, opaque, readCallback, nil, isSeekable ? seekCallback : nil)
    else {
      av_free(buffer)
      throw MediaError(.outOfMemory, "out of memory")
    }
    io.pointee.seekable = isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    self.io = io
  }

  deinit {
    if let io {
      // FFmpeg may have replaced the buffer: free the one that is there now.
      av_free(io.pointee.buffer)
      avio_context_free(&self.io)
    }
  }

  /// What an endless stream says is heard at a byte, once for each change.
  func takeTags(at position: Int64) -> [String: String]? {
    let count = newTags.prefix { $0.position <= position }.count
    defer { newTags.removeFirst(count) }
    return count > 0 ? newTags[count - 1].tags : nil
  }

  /// The demuxer is open.
  func endOpening() {
    isOpening = false
  }

  // MARK: - Peeking

  func peek(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, !isStream else { return nil }
    let limit = isSeekable ? Self.shortSkipBytes : Int64(Self.peekLimitBytes)
    while true {
      let known = peeked.bytes(at: offset, count: count)
      if known.count == count { return Array(known) }
      let wanted = offset + Int64(known.count)
      if sizeBytes > 0, wanted >= sizeBytes { return Array(known) }
      // Not seekable, all begins at the start, and what lies between is kept.
      let next = peeked.end(before: wanted, within: limit) ?? (isSeekable ? wanted : 0)
      guard peeked.totalBytes <= Self.peekLimitBytes, isSeekable || wanted - next <= limit else { return nil }
      var code = 0
      let more = [UInt8](unsafeUninitializedCapacity: Self.blockBytes) { buffer, filled in
        guard let base = buffer.baseAddress else { return }
        code = receive(at: next, into: base, buffer.count)
        filled = max(0, code)
      }
      if code < 0, code != Int(vplay_averror_eof()) { return nil }
      if more.isEmpty { return Array(known) }
      peeked.append(more, at: next)
    }
  }

  func endPeeking() {}

  // MARK: - For the demuxer

  fileprivate func read(into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    let known = peeked.bytes(at: position, count: count)
    if !known.isEmpty {
      known.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { buffer.update(from: base, count: bytes.count) }
      }
      position += Int64(known.count)
      if !isOpening { peeked.forget(readTo: position) }
      return Int32(known.count)
    }
    let n = receive(at: position, into: buffer, count)
    if n > 0, isOpening, peeked.totalBytes < Self.keptBytes {
      peeked.append(Array(UnsafeBufferPointer(start: buffer, count: n)), at: position)
    }
    if n > 0 { position += Int64(n) }
    return Int32(clamping: n)
  }

  fileprivate func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return sizeBytes > 0 ? sizeBytes : Int64(vplay_averror(ENOSYS)) }
    var target = offset
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: break
    case SEEK_CUR: target += position
    case SEEK_END: target += sizeBytes
    default: return Int64(vplay_averror(EINVAL))
    }
    guard target >= 0 else { return Int64(vplay_averror(EINVAL)) }
    position = target
    return target
  }

  // MARK: - Bytes of the medium

  /// Some bytes from `offset` on, waiting for them and asking anew for as long as the options say; or an error code
  /// of FFmpeg, its end included.
  private func receive(at offset: Int64, into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    if sizeBytes > 0, offset >= sizeBytes { return Int(vplay_averror_eof()) }
    var lastByte = clock.now
    var pause = 0.0
    while true {
      if interrupter.isInterrupted { return Int(vplay_averror_exit()) }
      let failure: Int32
      do {
        let connection = try connected(to: offset, scratch: buffer, count) { lastByte = clock.now }
        let n = connection.read(into: buffer, count)
        if n > 0 {
          if let tags = connection.takeTags() { newTags.append((offset, tags)) }
          return n
        }
        let code = Int32(clamping: n)
        if isEnd(code, of: connection) { return Int(vplay_averror_eof()) }
        failure = code
      } catch {
        guard let code = retryable(error) else {
          // A stream that is gone, and what had no length and has no more, have ended; a file has not.
          return sizeBytes <= 0 ? Int(vplay_averror_eof()) : Int(code(of: error))
        }
        failure = code
      }
      connection = nil
      guard failure != vplay_averror_exit(), !interrupter.isInterrupted else { return Int(vplay_averror_exit()) }
      guard canResume(at: offset), clock.now.seconds(since: lastByte) < request.options.persistenceSeconds else {
        return Int(worded(failure))
      }
      wait(seconds: pause)
      pause = min(max(0.25, pause * 2), Self.longestPauseSeconds)
    }
  }

  /// The connection, placed at `offset`: the one there is, or another one.
  private func connected(
    to offset: Int64, scratch: UnsafeMutablePointer<UInt8>, _ count: Int, progress: () -> Void
  ) throws(HTTPConnection.Failure) -> HTTPConnection {
    if let connection,
      offset < connection.position
        || (givesRanges && offset - connection.position > Self.shortSkipBytes)
    {
      self.connection = nil
    }
    let connection: HTTPConnection
    if let open = self.connection { connection = open } else { connection = try reconnect(at: offset) }
    self.connection = connection
    while connection.position < offset {
      let n = connection.read(into: scratch, min(count, Int(clamping: offset - connection.position)))
      if interrupter.isInterrupted { throw .media(MediaError(.interrupted, "interrupted")) }
      guard n > 0 else { throw .media(MediaError(.network, "the connection broke off", code: Int32(clamping: n))) }
      progress()
    }
    return connection
  }

  private func reconnect(at offset: Int64) throws(HTTPConnection.Failure) -> HTTPConnection {
    // An endless stream is joined where it is by now.
    if isStream { return try HTTPConnection(request, from: 0, place: offset, interrupter: interrupter) }
    let connection: HTTPConnection
    if offset == 0 || hasRefusedRanges {
      connection = try HTTPConnection(request, from: 0, interrupter: interrupter)
    } else {
      do throws(HTTPConnection.Failure) {
        connection = try HTTPConnection(request, from: offset, interrupter: interrupter)
      } catch {
        guard case .rangeRefused = error, sizeBytes > 0 else { throw error }
        // The whole comes anyway: what was read already is passed over.
        hasRefusedRanges = true
        givesRanges = false
        connection = try HTTPConnection(request, from: 0, interrupter: interrupter)
      }
    }
    guard sizeBytes <= 0 || connection.sizeBytes == sizeBytes else {
      throw .media(MediaError(.damaged, "it has changed on the server", code: vplay_averror_invalid_data()))
    }
    return connection
  }

  /// Whether the end of a connection's data is the medium's.
  ///
  /// Where no length was stated, FFmpeg takes the end for an error of input.
  private func isEnd(_ code: Int32, of connection: HTTPConnection) -> Bool {
    guard sizeBytes <= 0, !isStream else { return false }
    return code == 0 || code == vplay_averror_eof() || code == vplay_averror(EIO) && !connection.claimsRanges
  }

  /// Whether the medium can be had from `offset` on once more.
  private func canResume(at offset: Int64) -> Bool {
    isStream || sizeBytes > 0 || !hasRefusedRanges || offset == 0
  }

  /// The code of a failure that may pass; nil for one that will not.
  private func retryable(_ failure: HTTPConnection.Failure) -> Int32? {
    guard case .media(let error) = failure else { return nil }
    switch error.kind {
    case .network where ![vplay_averror_http_bad_request(), vplay_averror_http_other_4xx()].contains(error.code):
      return error.code
    default: return nil
    }
  }

  private func code(of failure: HTTPConnection.Failure) -> Int32 {
    switch failure {
    case .media(let error): error.kind == .interrupted ? vplay_averror_exit() : error.code
    case .rangeRefused: vplay_averror(ECONNRESET)
    }
  }

  /// An input or output error of a connection is the network's, not a device's.
  private func worded(_ code: Int32) -> Int32 {
    code == vplay_averror(EIO) || code == 0 || code == vplay_averror_eof() ? vplay_averror(ECONNRESET) : code
  }

  private func wait(seconds: Double) {
    guard seconds > 0 else { return }
    var waits = [pollfd(fd: interrupter.wakeDescriptor, events: Int16(POLLIN), revents: 0)]
    _ = poll(&waits, 1, Int32(seconds * 1000))
  }
}

private func readCallback(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
  guard let opaque, let buffer else { return vplay_averror(EINVAL) }
  // Unretained: see `NetworkInput.init`.
  return Unmanaged<NetworkInput>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, Int(count))
}

private func seekCallback(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
  guard let opaque else { return Int64(vplay_averror(EINVAL)) }
  // Unretained: see `NetworkInput.init`.
  return Unmanaged<NetworkInput>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence)
}
