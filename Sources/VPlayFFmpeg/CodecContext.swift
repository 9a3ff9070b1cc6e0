internal import CVPlayFFmpeg
internal import VPlayModel

/// One open decoder of FFmpeg's. Used by one thread at a time.
final class CodecContext {
  let pointer: UnsafeMutablePointer<AVCodecContext>

  /// Opens the decoder that `parameters` ask for. Trimming is left to us.
  init(_ parameters: CodecParameters, timeBase: AVRational) throws(MediaError) {
    guard let codec = Self.decoder(for: parameters.pointer.pointee.codec_id) else {
      throw mediaError(vplay_averror_decoder_not_found(), during: .decode)
    }
    guard let pointer = avcodec_alloc_context3(codec) else {
      throw MediaError(.outOfMemory, "out of memory")
    }
    self.pointer = pointer
    var code = avcodec_parameters_to_context(pointer, parameters.pointer)
    if code >= 0 {
      pointer.pointee.pkt_timebase = timeBase
      pointer.pointee.flags2 |= vplay_skip_manual_flag()
      pointer.pointee.thread_count = 1
      code = avcodec_open2(pointer, codec, nil)
    }
    guard code >= 0 else { throw mediaError(code, during: .decode) }
  }

  /// FFmpeg's own decoder of Speex gives wideband at twice its length (seen with 7.1): the codec's own library does not.
  private static func decoder(for codec: AVCodecID) -> UnsafePointer<AVCodec>? {
    if codec == AV_CODEC_ID_SPEEX, let library = avcodec_find_decoder_by_name("libspeex") { return library }
    return avcodec_find_decoder(codec)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
    avcodec_free_context(&pointer)
  }
}
