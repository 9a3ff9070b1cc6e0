internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// An `http` or `https` address, read through FFmpeg's protocols.
final class NetworkInput: MediaInput {
  private var io: UnsafeMutablePointer<AVIOContext>?
  private let interrupter: Interrupter

  var context: UnsafeMutablePointer<AVIOContext> {
    guard let io else { preconditionFailure("an input has its context from init on") }
    return io
  }

  var isSeekable: Bool { context.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 }

  var sizeBytes: Int64 { avio_size(context) }

  init(url: String, allowedProtocols: String, interrupter: Interrupter) throws(MediaError) {
    self.interrupter = interrupter
    var callback = interrupter.callback
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    av_dict_set(&options, "protocol_whitelist", allowedProtocols, 0)
    let code = avio_open2(&io, url, AVIO_FLAG_READ, &callback, &options)
    guard code >= 0, io != nil else { throw networkOpenError(code) }
  }

  func endPeeking() {
    if isSeekable { avio_seek(context, 0, SEEK_SET) }
  }

  deinit {
    avio_closep(&io)
  }

  func peek(at offset: Int64, count: Int) -> [UInt8]? {
    // At the very start the buffer serves; elsewhere only a server that knows ranges does.
    guard isSeekable, avio_seek(context, offset, SEEK_SET) >= 0 else { return nil }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = buffer.baseAddress.map { Int(max(0, avio_read(context, $0, Int32(clamping: count)))) } ?? 0
    }
  }
}

/// An address that cannot be reached is the network's fault, whatever code FFmpeg picks for it.
private func networkOpenError(_ code: Int32) -> MediaError {
  let error = mediaError(code, during: .open)
  switch error.kind {
  case .other, .damaged, .unrecognizedFormat:
    return MediaError(.network, "the address could not be reached (\(errorText(code)))", code: code)
  default: return error
  }
}
