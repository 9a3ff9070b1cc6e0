internal import CVPlayFFmpeg
internal import VPlayModel

/// Reads what a container says of itself and its tracks. Demux thread.
struct DetailsReader {
  let format: FormatContext
  let inspection: MediaInspection
  /// The size of all of it, negative when not known.
  let sizeBytes: Int64

  func details() -> MediaDetails {
    var details = MediaDetails()
    details.formatNames = format.names.map(String.init)
    if let title = format.pointer.pointee.iformat?.pointee.long_name {
      details.formatTitle = String(cString: title)
    }
    details.tags = tags(format.pointer.pointee.metadata)
    let keepsOwnIDs = hasOwnIDs
    for (index, stream) in format.streams.enumerated() {
      guard let stream, let parameters = stream.pointee.codecpar?.pointee else { continue }
      if vplay_is_attached_picture(stream) != 0 {
        if let picture = picture(stream, parameters) { details.pictures.append(picture) }
      } else if parameters.codec_type != AVMEDIA_TYPE_ATTACHMENT {
        details.tracks.append(track(index, stream, parameters, keepsOwnID: keepsOwnIDs))
      }
    }
    if details.tags.isEmpty || details.formatNames.contains("ogg") {
      // Ogg keeps what is said of the whole with its stream.
      details.tags += details.tracks.first { $0.kind == .audio }?.tags ?? []
    }
    details.chapters = chapters()
    estimateBitRate(&details)
    return details
  }

  private func chapters() -> [Chapter] {
    let format = format.pointer.pointee
    let chapters = UnsafeBufferPointer(start: format.chapters, count: Int(format.nb_chapters))
    // ID3 counts from the first sound that is heard, others by the container's clock.
    let zero = self.format.names == ["mp3"] ? MediaTime.zero : inspection.zero
    return chapters.compactMap { chapter in
      guard let chapter = chapter?.pointee else { return nil }
      let start = max(.zero, MediaTime(chapter.start, chapter.time_base) - zero)
      let end = MediaTime(chapter.end, chapter.time_base) - zero
      return end < start ? nil : Chapter(start: start, end: end, tags: tags(chapter.metadata))
    }.sorted { $0.start < $1.start }
  }

  /// Whether the container numbers its tracks.
  private var hasOwnIDs: Bool {
    let ids = format.streams.map { $0?.pointee.id ?? 0 }
    return ids.allSatisfy { $0 > 0 } && Set(ids).count == ids.count
  }

  private func track(
    _ index: Int, _ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters, keepsOwnID: Bool
  ) -> TrackDetails {
    var track = TrackDetails(
      index: index, id: keepsOwnID ? stream.pointee.id : Int32(clamping: index + 1), kind: kind(parameters),
      codecName: String(cString: avcodec_get_name(parameters.codec_id)))
    track.codecTag = parameters.codec_tag
    track.tags = tags(stream.pointee.metadata)
    let language = track.tags.first { $0.key.lowercased() == "language" }?.value
    track.language = language == "und" || language == "" ? nil : language
    track.isDefault = vplay_is_default(stream) != 0
    track.isForced = vplay_is_forced(stream) != 0
    track.isDecodable = avcodec_find_decoder(parameters.codec_id) != nil
    let base = stream.pointee.time_base
    if base.num > 0, base.den > 0 { track.timescale = max(1, base.den / base.num) }
    if let span = inspection.spans[index] {
      track.start = span.start
      track.duration = span.end.map { max(.zero, $0 - span.start) }
    } else if stream.pointee.duration > 0 {
      track.duration = MediaTime(stream.pointee.duration, base)
    }
    if parameters.bit_rate > 0 {
      track.bitsPerSecond = parameters.bit_rate
    } else if let stated = track.tags.first(where: { $0.key.uppercased().hasPrefix("BPS") }) {
      track.bitsPerSecond = Int64(stated.value)
    }
    switch track.kind {
    case .audio: track.sound = sound(parameters, track.codecName)
    case .video: track.picture = picture(ofVideo: stream, parameters)
    default: break
    }
    return track
  }

  private func kind(_ parameters: AVCodecParameters) -> TrackDetails.Kind {
    switch parameters.codec_type {
    case AVMEDIA_TYPE_AUDIO: return .audio
    case AVMEDIA_TYPE_VIDEO: return .video
    case AVMEDIA_TYPE_SUBTITLE: return parameters.codec_id == AV_CODEC_ID_EIA_608 ? .closedCaption : .subtitle
    case AVMEDIA_TYPE_DATA:
      // An index, such as Ogg's skeleton.
      if parameters.codec_id == AV_CODEC_ID_NONE && parameters.codec_tag == 0 { return .other }
      let timecode = Array("tmcd".utf8).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return parameters.codec_tag == timecode ? .timecode : .metadata
    default: return .other
    }
  }

  private func sound(_ parameters: AVCodecParameters, _ codec: String) -> SoundDetails? {
    guard parameters.sample_rate > 0, parameters.ch_layout.nb_channels > 0 else { return nil }
    var sound = SoundDetails(
      format: AudioFormat(
        sampleRate: Int(parameters.sample_rate), channels: parameters.ch_layout.positions))
    sound.bitsPerSample = Int(
      parameters.bits_per_raw_sample > 0 ? parameters.bits_per_raw_sample : parameters.bits_per_coded_sample)
    sound.packetFrames = Int(max(0, parameters.frame_size))
    if isPCM(parameters.codec_id) {
      sound.bitsPerSample = Int(av_get_bits_per_sample(parameters.codec_id))
      sound.packetFrames = 1
      sound.isFloat = codec.hasPrefix("pcm_f")
      sound.isBigEndian = codec.hasSuffix("be")
      sound.isSigned = !codec.hasPrefix("pcm_u")
    } else if sound.packetFrames == 0, let unit = usualPacketFrames(parameters.codec_id) {
      sound.packetFrames = unit
    }
    return sound
  }

  private func usualPacketFrames(_ codec: AVCodecID) -> Int? {
    switch codec {
    case AV_CODEC_ID_AAC: 1024
    case AV_CODEC_ID_MP3, AV_CODEC_ID_MP2: 1152
    case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: 1536
    default: nil
    }
  }

  private func picture(
    ofVideo stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters
  ) -> PictureDetails? {
    guard parameters.width > 0, parameters.height > 0 else { return nil }
    var picture = PictureDetails(widthPixels: Int(parameters.width), heightPixels: Int(parameters.height))
    let aspects = [stream.pointee.sample_aspect_ratio, parameters.sample_aspect_ratio]
    if let aspect = aspects.first(where: { $0.num > 0 && $0.den > 0 }) {
      picture.sampleAspectWidth = Int(aspect.num)
      picture.sampleAspectHeight = Int(aspect.den)
    }
    let rates = [stream.pointee.avg_frame_rate, stream.pointee.r_frame_rate]
    if let rate = rates.first(where: { $0.num > 0 && $0.den > 0 }) {
      picture.frameRateNumerator = Int(rate.num)
      picture.frameRateDenominator = Int(rate.den)
    }
    if let matrix = vplay_display_matrix(stream) {
      picture.displayMatrix = Array(UnsafeBufferPointer(start: matrix, count: 9))
    }
    return picture
  }

  private func picture(
    _ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters
  ) -> AttachedPicture? {
    let packet = stream.pointee.attached_pic
    guard let data = packet.data, packet.size > 0 else { return nil }
    let tags = tags(stream.pointee.metadata)
    let title = tags.first { ["comment", "title", "filename"].contains($0.key.lowercased()) }?.value
    return AttachedPicture(
      bytes: Array(UnsafeBufferPointer(start: data, count: Int(packet.size))),
      codecName: String(cString: avcodec_get_name(parameters.codec_id)), title: title)
  }

  /// Where one track is nearly all there is, its bit rate is nearly that of the whole.
  private func estimateBitRate(_ details: inout MediaDetails) {
    let places = details.tracks.indices.filter { [.audio, .video].contains(details.tracks[$0].kind) }
    guard places.count == 1, let place = places.first, details.tracks[place].bitsPerSecond == nil else { return }
    if format.pointer.pointee.bit_rate > 0 {
      details.tracks[place].bitsPerSecond = format.pointer.pointee.bit_rate
    } else if sizeBytes > 0, let seconds = inspection.description.duration?.seconds, seconds > 0 {
      details.tracks[place].bitsPerSecond = MediaTime(seconds: Double(sizeBytes) * 8 / seconds).units(per: 1)
    }
  }

  private func tags(_ dictionary: OpaquePointer?) -> [MediaTag] {
    var tags: [MediaTag] = []
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while true {
      entry = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX)
      guard let found = entry?.pointee else { return tags }
      tags.append(MediaTag(String(cString: found.key), String(cString: found.value)))
    }
  }
}
