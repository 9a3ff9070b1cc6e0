internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// A file, FIFO, pipe or device, read through its descriptor so that each wait can be interrupted.
///
/// FFmpeg's own file protocol blocks in `open` and `read` on a FIFO and cannot be called off there.
final class FileInput: MediaInput {
  /// How far into a pipe `peek` may look; it is kept in memory until the demuxer has read it.
  private static let prefixLimitBytes = 16 << 20

  let isSeekable: Bool
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let interrupter: Interrupter
  private var io: UnsafeMutablePointer<AVIOContext>?
  /// Where in the file the medium begins.
  private let base: Int64
  /// Next byte of the medium for the demuxer.
  private var position: Int64 = 0
  /// A pipe's first bytes, read ahead by `peek`.
  private var prefix: [UInt8] = []

  var context: UnsafeMutablePointer<AVIOContext> {
    guard let io else { preconditionFailure("an input has its context from init on") }
    return io
  }

  convenience init(path: [UInt8], interrupter: Interrupter) throws(MediaError) {
    // Non-blocking, so that a FIFO without a writer does not hold us; waiting is done by poll.
    let descriptor = (path + [0]).withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) } ?? -1
      }
    }
    guard descriptor >= 0 else { throw mediaError(-errno, during: .open) }
    do {
      try self.init(descriptor: descriptor, ownsDescriptor: true, interrupter: interrupter)
    } catch {
      close(descriptor)
      throw error
    }
  }

  init(descriptor: Int32, ownsDescriptor: Bool, interrupter: Interrupter) throws(MediaError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw mediaError(-errno, during: .open) }
    let kind = status.st_mode & S_IFMT
    guard kind != S_IFDIR else { throw mediaError(-EISDIR, during: .open) }
    isSeekable = kind == S_IFREG || kind == S_IFBLK
    // A descriptor that was handed to us may have been read from before: what is left of it is the medium.
    base = isSeekable && !ownsDescriptor ? max(0, Int64(lseek(descriptor, 0, SEEK_CUR))) : 0
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    self.interrupter = interrupter

    let size: Int32 = 32 << 10
    guard let buffer = av_malloc(Int(size)) else { throw MediaError(.outOfMemory, "out of memory") }
    // Unretained: the context is freed in deinit, before this object is gone.
    let opaque = Unmanaged.passUnretained(self).toOpaque()
    guard
      let io = avio_alloc_context(
        buffer, size, 0, opaque, readCallback, nil, isSeekable ? seekCallback : nil)
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
    if ownsDescriptor { close(descriptor) }
  }

  func peek(at offset: Int64, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    if isSeekable {
      return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        while filled < count, let target = buffer.baseAddress {
          let n = pread(
            descriptor, target + filled, count - filled, off_t(base + offset) + off_t(filled))
          if n <= 0 { break }
          filled += n
        }
      }
    }
    guard offset <= Self.prefixLimitBytes, count <= Self.prefixLimitBytes - Int(offset) else { return nil }
    let end = Int(offset) + count
    while prefix.count < end {
      let more = [UInt8](unsafeUninitializedCapacity: 32 << 10) { buffer, filled in
        filled = buffer.baseAddress.map { max(0, wait(reading: $0, buffer.count)) } ?? 0
      }
      if more.isEmpty { break }
      prefix += more
    }
    return offset < prefix.count ? Array(prefix[Int(offset)..<min(end, prefix.count)]) : []
  }

  func endPeeking() {}

  fileprivate func read(into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    if interrupter.isInterrupted { return vplay_averror_exit() }
    if isSeekable {
      let n = pread(descriptor, buffer, count, off_t(base + position))
      if n > 0 { position += Int64(n) }
      return n > 0 ? Int32(n) : n == 0 ? vplay_averror_eof() : vplay_averror(errno)
    }
    if Int(position) < prefix.count {
      let n = min(count, prefix.count - Int(position))
      prefix.withUnsafeBufferPointer { bytes in
        if let base = bytes.baseAddress { buffer.update(from: base + Int(position), count: n) }
      }
      position += Int64(n)
      return Int32(n)
    }
    prefix = []
    let n = wait(reading: buffer, count)
    if n > 0 { position += Int64(n) }
    return n > 0 ? Int32(n) : n == 0 ? vplay_averror_eof() : Int32(n)
  }

  fileprivate func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return sizeBytes }
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

  /// The medium's size now, or an error code of FFmpeg.
  var sizeBytes: Int64 {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Int64(vplay_averror(errno)) }
    return max(0, Int64(status.st_size) - base)
  }

  /// Reads once there is something: a count, 0 at the end, or an error code of FFmpeg.
  private func wait(reading buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    while true {
      var waits = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: interrupter.wakeDescriptor, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&waits, 2, -1)
      if interrupter.isInterrupted { return Int(vplay_averror_exit()) }
      if ready < 0 {
        if errno == EINTR { continue }
        return Int(vplay_averror(errno))
      }
      guard waits[0].revents != 0 else { continue }
      let n = Glibc.read(descriptor, buffer, count)
      if n >= 0 { return n }
      if errno != EINTR && errno != EAGAIN { return Int(vplay_averror(errno)) }
    }
  }
}

private func readCallback(
  _ opaque: UnsafeMutableRawPointer?, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
  guard let opaque, let buffer else { return vplay_averror(EINVAL) }
  // Unretained: see `FileInput.init`.
  return Unmanaged<FileInput>.fromOpaque(opaque).takeUnretainedValue().read(into: buffer, Int(count))
}

private func seekCallback(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32) -> Int64 {
  guard let opaque else { return Int64(vplay_averror(EINVAL)) }
  // Unretained: see `FileInput.init`.
  return Unmanaged<FileInput>.fromOpaque(opaque).takeUnretainedValue().seek(to: offset, whence)
}
