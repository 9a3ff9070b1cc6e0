internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// What a call into FFmpeg was for; it decides how a code of FFmpeg reads.
enum FFmpegOperation {
  case open, read, seek, decode, convert
}

/// FFmpeg's error codes, worded for people.
func mediaError(_ code: Int32, during operation: FFmpegOperation) -> MediaError {
  if let posix = posixError(code, during: operation) { return posix }
  if let network = networkError(code) { return network }
  switch code {
  case vplay_averror(EINVAL) where operation != .convert: return damage(code, during: operation)
  case vplay_averror_exit():
    return MediaError(.interrupted, "interrupted", code: code)
  case vplay_averror_protocol_not_found():
    return MediaError(.protocolNotAllowed, "this kind of address may not be opened", code: code)
  case vplay_averror_decoder_not_found():
    return MediaError(.unsupportedCodec, "no decoder for this codec", code: code)
  case vplay_averror_demuxer_not_found():
    return MediaError(.unrecognizedFormat, "not a known media format", code: code)
  case vplay_averror_patch_welcome():
    return MediaError(.unsupportedCodec, "uses a feature that FFmpeg does not decode", code: code)
  case vplay_averror_invalid_data(), vplay_averror_eof():
    return damage(code, during: operation)
  default:
    return MediaError(.other, errorText(code), code: code)
  }
}

/// What a medium's bad data amounts to in each operation.
private func damage(_ code: Int32, during operation: FFmpegOperation) -> MediaError {
  switch operation {
  case .open: MediaError(.unrecognizedFormat, "not a known media format, or damaged", code: code)
  case .read: MediaError(.damaged, "the data is damaged or breaks off", code: code)
  case .seek: MediaError(.damaged, "the place could not be reached", code: code)
  case .decode: MediaError(.damaged, "the sound could not be decoded", code: code)
  case .convert: MediaError(.other, "the sound could not be converted", code: code)
  }
}

/// FFmpeg's (or the system's) own text for a code.
func errorText(_ code: Int32) -> String {
  withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
    guard let base = text.baseAddress, av_strerror(code, base, text.count) == 0 else {
      return "error \(code)"
    }
    return String(cString: base)
  }
}

private func posixError(_ code: Int32, during operation: FFmpegOperation) -> MediaError? {
  // FFmpeg returns a bare -1 for failures of any kind, which reads as EPERM.
  if code == -1 && operation != .open { return damage(code, during: operation) }
  switch -code {
  case ENOENT, ENOTDIR: return MediaError(.notFound, "no such file", code: code)
  case EACCES, EPERM: return MediaError(.permissionDenied, "permission denied", code: code)
  case EISDIR: return MediaError(.isDirectory, "is a folder", code: code)
  case ENOMEM: return MediaError(.outOfMemory, "out of memory", code: code)
  case EIO: return MediaError(.damaged, "input/output error", code: code)
  case ENAMETOOLONG: return MediaError(.notFound, "the name is too long", code: code)
  case ELOOP: return MediaError(.notFound, "too many symbolic links", code: code)
  case ECONNREFUSED, ECONNRESET, ECONNABORTED, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EPIPE:
    return MediaError(.network, errorText(code).lowercasedFirst, code: code)
  default: return nil
  }
}

private func networkError(_ code: Int32) -> MediaError? {
  switch code {
  case vplay_averror_http_not_found():
    return MediaError(.notFound, "the server has no such file (404)", code: code)
  case vplay_averror_http_unauthorized():
    return MediaError(.permissionDenied, "the server wants a login (401)", code: code)
  case vplay_averror_http_forbidden():
    return MediaError(.permissionDenied, "the server forbids it (403)", code: code)
  case vplay_averror_http_bad_request(), vplay_averror_http_other_4xx():
    return MediaError(.network, "the server refused the request (4xx)", code: code)
  case vplay_averror_http_server_error():
    return MediaError(.network, "the server failed (5xx)", code: code)
  default: return nil
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
