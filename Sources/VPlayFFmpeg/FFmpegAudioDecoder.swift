internal import CVPlayFFmpeg
internal import VPlayModel

/// Decodes one sound track, trims it, and hands it out as interleaved floats.
final class FFmpegAudioDecoder: AudioDecoder {
  /// More broken blocks than this in one packet, and the rest of it is given up.
  private static let errorLimit = 16

  /// A Vorbis stream glued on to the first: FFmpeg goes by the first one's block sizes, and cannot tell where it ends.
  private struct LaterLink {
    /// Frames decoded of it.
    var frames: Int64 = 0
    /// Where the last packet says that the stream ends, in frames.
    var end: Int64?
  }

  private let info: TrackInfo
  private var codec: CodecContext
  private let frame: Frame
  /// The time base of the packet that went in last.
  private var timeBase: AVRational
  private let zero: MediaTime
  private let ignoresSkips: Bool
  private var trimmer: Trimmer
  private var interleaver = SampleInterleaver()
  /// Whether a Vorbis decoder has had its first packet, which gives no sound (though FFmpeg 7 makes some of it).
  private var isPrimed: Bool
  private var link: LaterLink?
  private var format: AudioFormat
  /// The layout that `format` was made from.
  private var layout = AVChannelLayout()

  init(_ info: TrackInfo, zero: MediaTime) throws(MediaError) {
    self.info = info
    codec = try CodecContext(info.parameters, timeBase: info.timeBase)
    frame = try Frame()
    timeBase = info.timeBase
    self.zero = zero
    ignoresSkips = info.ignoresSkips
    isPrimed = codec.pointer.pointee.codec_id != AV_CODEC_ID_VORBIS
    format = info.track.format
    trimmer = Trimmer(
      window: info.window, tick: MediaTime(1, info.timeBase), grid: info.grid, clock: info.clock)
  }

  deinit {
    av_channel_layout_uninit(&layout)
  }

  func restart(at time: MediaTime) {
    if link != nil, let anew = try? CodecContext(info.parameters, timeBase: info.timeBase) {
      // The headers of another stream are of no use for the first.
      codec = anew
      link = nil
    } else {
      avcodec_flush_buffers(codec.pointer)
    }
    isPrimed = codec.pointer.pointee.codec_id != AV_CODEC_ID_VORBIS
    trimmer.restart(at: time)
  }

  func decode(
    _ packet: (any MediaPacket)?, output: (DecodedAudio) -> Void
  ) throws(MediaError) {
    guard let packet else { return try drain(output) }
    guard let packet = packet as? Packet else { throw MediaError(.other, "a packet of another source") }
    timeBase = packet.timeBase
    if beginsLink(packet) { return try begin(packet) }
    if isVorbis, vplay_packet_has_headers(packet.pointer) != 0 {
      // FFmpeg 8 keeps the headers to itself, and hands them over with the first packet.
      isPrimed = false
      link = LaterLink()
    }
    if !isPrimed { return try prime(packet) }
    link?.end = packet.timestamp.map { $0 + packet.shortDuration }
    var failure: MediaError?
    var code = avcodec_send_packet(codec.pointer, packet.pointer)
    if code == vplay_averror(EAGAIN) {
      failure = receive(output)
      code = avcodec_send_packet(codec.pointer, packet.pointer)
    }
    if code < 0 && code != vplay_averror_eof() { failure = mediaError(code, during: .decode) }
    failure = receive(output) ?? failure
    if let failure { throw failure }
  }

  private var isVorbis: Bool { codec.pointer.pointee.codec_id == AV_CODEC_ID_VORBIS }

  /// Whether a packet is one of the headers of a Vorbis stream glued on to the first.
  private func beginsLink(_ packet: Packet) -> Bool {
    guard isVorbis, packet.sizeBytes > 7,
      let bytes = packet.pointer.pointee.data, bytes[0] & 1 == 1
    else { return false }
    return UnsafeBufferPointer(start: bytes + 1, count: 6).elementsEqual("vorbis".utf8)
  }

  /// The decoder takes over the new stream's headers; that stream, too, begins with a packet without sound.
  private func begin(_ packet: Packet) throws(MediaError) {
    isPrimed = false
    link = LaterLink()
    let code = avcodec_send_packet(codec.pointer, packet.pointer)
    while avcodec_receive_frame(codec.pointer, frame.pointer) >= 0 { av_frame_unref(frame.pointer) }
    if code < 0 { throw mediaError(code, during: .decode) }
  }

  /// Decodes a first packet for its effect on the next one alone.
  private func prime(_ packet: Packet) throws(MediaError) {
    isPrimed = true
    let code = avcodec_send_packet(codec.pointer, packet.pointer)
    while avcodec_receive_frame(codec.pointer, frame.pointer) >= 0 { av_frame_unref(frame.pointer) }
    if packet.beginsTrack { trimmer.beginTrack() }
    if code < 0 { throw mediaError(code, during: .decode) }
  }

  private func drain(_ output: (DecodedAudio) -> Void) throws(MediaError) {
    // Sending nil twice is an end-of-file error, and means no more than that.
    _ = avcodec_send_packet(codec.pointer, nil)
    if let failure = receive(output) { throw failure }
  }

  /// Takes all blocks that are ready; returns the last error among them.
  private func receive(_ output: (DecodedAudio) -> Void) -> MediaError? {
    var failure: MediaError?
    var errors = 0
    while errors < Self.errorLimit {
      let code = avcodec_receive_frame(codec.pointer, frame.pointer)
      if code == vplay_averror(EAGAIN) || code == vplay_averror_eof() { break }
      if code < 0 {
        failure = mediaError(code, during: .decode)
        errors += 1
        continue
      }
      failure = handOut(output) ?? failure
      av_frame_unref(frame.pointer)
    }
    return failure
  }

  private func handOut(_ output: (DecodedAudio) -> Void) -> MediaError? {
    let count = Int(frame.pointer.pointee.nb_samples)
    guard count > 0 else { return nil }
    guard adoptFormat() else { return MediaError(.damaged, "a block of sound of a format that cannot be") }
    var startSkip: UInt32 = 0
    var endSkip: UInt32 = 0
    if !ignoresSkips { vplay_frame_skips(frame.pointer, &startSkip, &endSkip) }
    if link != nil { endSkip = UInt32(endOfLink(count, endSkip: Int(endSkip))) }
    let pts = frame.pointer.pointee.pts
    let time = pts == vplay_no_timestamp() ? nil : MediaTime(pts, timeBase) - zero
    let placement = trimmer.place(
      frameCount: count, rate: format.sampleRate, time: time, startSkip: Int(startSkip),
      endSkip: Int(endSkip))
    guard let placement else { return nil }
    let samples = interleaver.interleave(
      frame.pointer.pointee, channels: format.channelCount, offset: placement.offset,
      count: placement.frameCount)
    guard let samples else { return MediaError(.unsupportedCodec, "an unknown kind of samples") }
    output(
      DecodedAudio(
        samples: samples, frameCount: placement.frameCount, format: format,
        startFrame: placement.startFrame))
    return nil
  }

  /// How much of a block lies behind a later link's end; counts the rest.
  private func endOfLink(_ count: Int, endSkip: Int) -> Int {
    guard let known = link else { return endSkip }
    let rest = (known.end ?? .max) - known.frames
    // Where FFmpeg sees an end, its place is the last packet's own.
    let skip = endSkip > 0 && (0...Int64(count)).contains(rest) ? count - Int(rest) : 0
    link?.frames += Int64(count - skip)
    return skip
  }

  /// Takes over the block's rate and layout; false when they make no sense.
  private func adoptFormat() -> Bool {
    let rate = Int(frame.pointer.pointee.sample_rate)
    let channels = Int(frame.pointer.pointee.ch_layout.nb_channels)
    guard SoundLimits.accept(rate: rate, channels: channels) else { return false }
    if rate == format.sampleRate && av_channel_layout_compare(&layout, &frame.pointer.pointee.ch_layout) == 0 {
      return true
    }
    guard av_channel_layout_copy(&layout, &frame.pointer.pointee.ch_layout) >= 0 else { return false }
    format = AudioFormat(sampleRate: rate, channels: layout.positions)
    return true
  }
}
