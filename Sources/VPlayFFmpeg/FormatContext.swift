internal import CVPlayFFmpeg
internal import VPlayModel

/// One open demuxer of FFmpeg's, the input it reads from, and the interrupter that ends its waits. Demux thread.
final class FormatContext {
  private var format: UnsafeMutablePointer<AVFormatContext>?
  private let input: any MediaInput
  private let interrupter: Interrupter
  private let opener: NestedOpener

  var pointer: UnsafeMutablePointer<AVFormatContext> {
    guard let format else { preconditionFailure("a format context is open from init on") }
    return format
  }

  /// 8K; and less of codecs whose pixels may have eight bytes.
  private static let mostFilmPixels: Int64 = 7680 * 4320
  private static let mostStillPixels: Int64 = 4096 * 4096
  private static let stillCodecs: Set<UInt32> = [AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF, AV_CODEC_ID_APNG]
    .reduce(into: []) { $0.insert($1.rawValue) }

  /// Opens the demuxer that knows the input. `name` is the address, NUL-terminated, as FFmpeg writes it.
  init(
    input: any MediaInput, name: [CChar], interrupter: Interrupter, options: [String: String],
    request: HTTPRequest
  ) throws(MediaError) {
    self.input = input
    self.interrupter = interrupter
    guard let format = avformat_alloc_context() else { throw MediaError(.outOfMemory, "out of memory") }
    format.pointee.pb = input.context
    format.pointee.interrupt_callback = interrupter.callback
    opener = NestedOpener(format, request: request, isRemote: input is NetworkInput)
    self.format = format
    var dictionary = makeDictionary(options)
    defer { av_dict_free(&dictionary) }
    // Frees the context when it fails.
    let code = avformat_open_input(&self.format, name, nil, &dictionary)
    if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted", code: code) }
    guard code >= 0, self.format != nil else { throw mediaError(code, during: .open) }
  }

  deinit {
    // The input stays ours (AVFMT_FLAG_CUSTOM_IO) and goes after this.
    avformat_close_input(&format)
  }

  /// The demuxer's names, such as `mov,mp4,m4a,3gp,3g2,mj2`.
  var names: [Substring] {
    guard let name = pointer.pointee.iformat?.pointee.name else { return [] }
    return String(cString: name).split(separator: ",")
  }

  /// A list of segments, of which each is a resource of its own.
  var isSegmented: Bool { names.contains("hls") || names.contains("dash") }

  /// Whether there is no way back, as in a list that goes on growing.
  var isLive: Bool {
    pointer.pointee.ctx_flags & AVFMTCTX_UNSEEKABLE != 0 || pointer.pointee.duration == vplay_no_timestamp()
  }

  var streams: UnsafeMutableBufferPointer<UnsafeMutablePointer<AVStream>?> {
    UnsafeMutableBufferPointer(start: pointer.pointee.streams, count: Int(pointer.pointee.nb_streams))
  }

  /// Reads ahead until all streams are known well enough.
  func findStreamInfo() throws(MediaError) {
    // FFmpeg decodes pictures to know them: a few damaged bytes must not cost a picture of gigabytes.
    var options: [OpaquePointer?] = streams.map { stream in
      var options: OpaquePointer?
      let codec = stream?.pointee.codecpar?.pointee.codec_id ?? AV_CODEC_ID_NONE
      let isStill = Self.stillCodecs.contains(codec.rawValue)
      av_dict_set_int(&options, "max_pixels", isStill ? Self.mostStillPixels : Self.mostFilmPixels, 0)
      return options
    }
    defer { for index in options.indices { av_dict_free(&options[index]) } }
    let code = avformat_find_stream_info(pointer, &options)
    if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted", code: code) }
    if code < 0 { throw mediaError(code, during: .open) }
  }

  func tags() -> [String: String] {
    var tags: [String: String] = [:]
    func add(_ dictionary: OpaquePointer?) {
      var entry: UnsafeMutablePointer<AVDictionaryEntry>?
      while true {
        entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
        guard let found = entry?.pointee else { return }
        tags[String(cString: found.key).lowercased()] = String(cString: found.value)
      }
    }
    // Ogg keeps its tags with the stream.
    for stream in streams {
      if let stream, stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
        add(stream.pointee.metadata)
        break
      }
    }
    add(pointer.pointee.metadata)
    return tags
  }
}
