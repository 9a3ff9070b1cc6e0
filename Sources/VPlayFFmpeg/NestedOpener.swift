internal import CVPlayFFmpeg
internal import VPlayModel

/// Opens for FFmpeg what a list or a container names: with the medium's request options, and never a file once
/// something remote was opened. Demux thread; kept by the format context's owner.
final class NestedOpener {
  typealias Open =
    @convention(c) (
      UnsafeMutablePointer<AVFormatContext>?, UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
      UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32

  private let settings: [String: String]
  private let original: Open?
  private var hasOpenedRemote: Bool

  /// Takes over opening in a context that is not open yet, and must not outlive this.
  init(_ format: UnsafeMutablePointer<AVFormatContext>, request: HTTPRequest, isRemote: Bool) {
    settings = request.nestedSettings
    hasOpenedRemote = isRemote
    original = format.pointee.io_open
    // Unretained: the context's owner holds this object for longer than the context.
    format.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    format.pointee.io_open = openCallback
  }

  fileprivate func open(
    _ format: UnsafeMutablePointer<AVFormatContext>?,
    _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?, _ flags: Int32,
    _ options: UnsafeMutablePointer<OpaquePointer?>?
  ) -> Int32 {
    guard let original, let url else { return vplay_averror(EINVAL) }
    let name = String(cString: url).lowercased()
    // Decryption stands before the address that it reads from.
    let address = name.hasPrefix("crypto+") || name.hasPrefix("crypto:") ? name.dropFirst(7) : name[...]
    if address.hasPrefix("http:") || address.hasPrefix("https:") {
      hasOpenedRemote = true
      if let options {
        for (key, value) in settings { av_dict_set(options, key, value, AV_DICT_DONT_OVERWRITE) }
      }
    } else if hasOpenedRemote {
      return vplay_averror(EACCES)
    }
    return original(format, io, url, flags, options)
  }
}

private func openCallback(
  _ format: UnsafeMutablePointer<AVFormatContext>?,
  _ io: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?, _ url: UnsafePointer<CChar>?, _ flags: Int32,
  _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let opaque = format?.pointee.opaque else { return vplay_averror(EINVAL) }
  // Unretained: see `NestedOpener.init`.
  return Unmanaged<NestedOpener>.fromOpaque(opaque).takeUnretainedValue().open(format, io, url, flags, options)
}
