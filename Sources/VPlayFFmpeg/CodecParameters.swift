internal import CVPlayFFmpeg
internal import VPlayModel

/// A copy of a stream's codec parameters, as they were once the medium was open.
// Safe to share: never changed after init.
final class CodecParameters: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  init(copying source: UnsafePointer<AVCodecParameters>) throws(MediaError) {
    guard let pointer = avcodec_parameters_alloc() else {
      throw MediaError(.outOfMemory, "out of memory")
    }
    self.pointer = pointer
    let code = avcodec_parameters_copy(pointer, source)
    guard code >= 0 else { throw mediaError(code, during: .open) }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }
}
