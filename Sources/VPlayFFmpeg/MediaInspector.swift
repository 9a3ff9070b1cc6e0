internal import CVPlayFFmpeg
internal import VPlayModel

/// What an opened medium holds: its tracks, where item time zero lies, and how long all of it is.
struct MediaInspection {
  var description: MediaDescription
  var tracks: [TrackInfo]
  /// Item time zero in the container's own time.
  var zero: MediaTime
  /// Where each sound and each moving picture lies, in item time; the end as exactly as it is known.
  var spans: [Int: (start: MediaTime, end: MediaTime?)]
}

/// Looks at an open demuxer's streams, reading no more of the medium than it needs to. Demux thread.
struct MediaInspector {
  let format: FormatContext
  let outline: ContainerOutline
  let isSeekable: Bool

  /// Whether FFmpeg must read ahead to know the streams.
  var needsStreamInfo: Bool {
    guard isMovie && outline.hasOwnEdits && outline.movie?.isFragmented == false || isPlain else {
      return true
    }
    for stream in format.streams {
      guard let parameters = stream?.pointee.codecpar?.pointee else { return true }
      if parameters.codec_type == AVMEDIA_TYPE_AUDIO
        && (parameters.codec_id == AV_CODEC_ID_NONE || parameters.sample_rate <= 0
          || parameters.ch_layout.nb_channels <= 0 || needsParsing(parameters.codec_id))
      {
        return true
      }
    }
    return format.streams.isEmpty
  }

  private var isOgg: Bool { format.names.contains("ogg") }

  private var clock: Trimmer.Clock {
    if outline.ogg?.isChained == true { return .ofFirstLink }
    return vplay_has_timestamp_jumps(format.pointer.pointee.iformat) != 0 ? .jumping : .steady
  }

  private var isMovie: Bool { format.names.contains("mov") }

  /// Containers of one sound track whose header says all.
  private var isPlain: Bool {
    let plain: Set<Substring> = ["wav", "w64", "aiff", "au", "caf", "flac"]
    return format.names.contains(where: plain.contains)
  }

  /// Codecs whose container often does not know their true rate or layout.
  private func needsParsing(_ codec: AVCodecID) -> Bool {
    switch codec {
    case AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC, AV_CODEC_ID_OPUS: false
    // A movie's own field for the rate ends at 65 535.
    case AV_CODEC_ID_FLAC: isMovie
    default: !isPCM(codec)
    }
  }

  /// Sound streams that can be decoded, the default one first, then by number.
  func playableAudio() -> [Int] {
    var indices: [Int] = []
    for (index, stream) in format.streams.enumerated() {
      guard let parameters = stream?.pointee.codecpar?.pointee else { continue }
      if parameters.codec_type == AVMEDIA_TYPE_AUDIO && isSane(parameters)
        && avcodec_find_decoder(parameters.codec_id) != nil
      {
        indices.append(index)
      }
    }
    let best = Int(av_find_best_stream(format.pointer, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0))
    if let place = indices.firstIndex(of: best) { indices.insert(indices.remove(at: place), at: 0) }
    return indices
  }

  private func isSane(_ parameters: AVCodecParameters) -> Bool {
    SoundLimits.accept(rate: Int(parameters.sample_rate), channels: Int(parameters.ch_layout.nb_channels))
  }

  /// Streams of moving pictures.
  func video() -> [Int] {
    format.streams.indices.filter { index in
      guard let stream = format.streams[index], stream.pointee.codecpar != nil else { return false }
      let parameters = stream.pointee.codecpar.pointee
      return parameters.codec_type == AVMEDIA_TYPE_VIDEO && vplay_is_attached_picture(stream) == 0
        && parameters.codec_id != AV_CODEC_ID_NONE
    }
  }

  /// Formats of pictures, moving or not, that have neither a length nor sound.
  private var isPicture: Bool {
    format.names.contains { $0.hasSuffix("_pipe") || ["image2", "apng", "gif"].contains($0) }
  }

  /// Throws when there is nothing that could be played.
  func checkPlayable(audio: [Int], video: [Int]) throws(MediaError) {
    if audio.isEmpty && isPicture { throw MediaError(.nothingPlayable, "it is a picture, without sound") }
    guard audio.isEmpty && video.isEmpty else { return }
    let sound = format.streams.compactMap { $0?.pointee.codecpar?.pointee }
      .filter { $0.codec_type == AVMEDIA_TYPE_AUDIO }
    let isUndecodable = sound.allSatisfy { avcodec_find_decoder($0.codec_id) == nil || $0.sample_rate == 0 }
    if !sound.isEmpty && !isUndecodable {
      throw MediaError(.damaged, "its sound claims a rate or a number of channels that cannot be")
    }
    if !sound.isEmpty { throw MediaError(.unsupportedCodec, "no decoder for its sound") }
    throw MediaError(.nothingPlayable, "it has no sound or picture")
  }

  /// The whole picture. `firstPackets` are the first of each stream, as far as they were read.
  func inspect(audio: [Int], video: [Int], firstPackets: [Int: Packet], isEmpty: Bool) throws(MediaError)
    -> MediaInspection
  {
    var starts: [Int: MediaTime] = [:]
    for index in audio + video { starts[index] = start(of: index, firstPackets[index]) }
    let zero = starts.values.min() ?? .zero

    var tracks: [TrackInfo] = []
    var ends: [MediaTime] = []
    var spans: [Int: (start: MediaTime, end: MediaTime?)] = [:]
    var isExact = true
    for index in audio {
      guard let stream = format.streams[index] else { continue }
      let parameters = stream.pointee.codecpar.pointee
      let start = (starts[index] ?? zero) - zero
      // What is said to have a length and yet holds nothing is broken, not empty.
      let exact =
        isEmpty && statedDuration(of: stream) == nil
        ? start : exactEnd(of: index, firstPackets[index]).map { $0 - zero }
      let audioFormat = AudioFormat(
        sampleRate: Int(parameters.sample_rate), channels: parameters.ch_layout.positions)
      let track = AudioTrack(
        id: index, format: audioFormat, exactEndFrame: exact?.frame(rate: audioFormat.sampleRate),
        codecName: String(cString: avcodec_get_name(parameters.codec_id)))
      spans[index] = (start, exact ?? estimatedEnd(of: index, start: start))
      tracks.append(
        TrackInfo(
          track: track, parameters: try CodecParameters(copying: stream.pointee.codecpar),
          timeBase: stream.pointee.time_base, window: Trimmer.Window(start: start, end: exact),
          grid: grid(of: index, firstPackets[index], zero: zero),
          // An ALAC decoder gives the last block as short as it is; CAF's count of what to leave out, which newer
          // versions tell as a skip, has no say.
          ignoresSkips: exact != nil || parameters.codec_id == AV_CODEC_ID_ALAC,
          startIsUnclocked: isOgg && parameters.codec_id == AV_CODEC_ID_VORBIS,
          firstPageIsUnclocked: isOgg
            && ![AV_CODEC_ID_VORBIS, AV_CODEC_ID_OPUS].contains(parameters.codec_id),
          clock: clock,
          preroll: codecPreroll(parameters)))
      if let exact {
        ends.append(MediaTime(frame: exact.frame(rate: audioFormat.sampleRate), rate: audioFormat.sampleRate))
      } else {
        isExact = false
        if let end = estimatedEnd(of: index, start: start) { ends.append(end) }
      }
    }
    for index in video {
      let start = (starts[index] ?? zero) - zero
      let exact = presentation(of: index)?.end
      let end = exact.map { $0 - zero } ?? estimatedEnd(of: index, start: start)
      if exact == nil { isExact = false }
      if let end { ends.append(end) }
      spans[index] = (start, end)
    }
    if ends.isEmpty, let whole = wholeDuration { ends.append(whole) }
    // Of a chain only one link's length is told.
    let duration = outline.ogg?.isChained == true ? nil : ends.max()
    let description = MediaDescription(
      duration: duration, isDurationExact: isExact && duration != nil, audioTracks: tracks.map(\.track),
      hasVideo: !video.isEmpty, isSeekable: isSeekable, tags: format.tags())
    return MediaInspection(description: description, tracks: tracks, zero: zero, spans: spans)
  }

  /// The container's time at which a stream's own sound or picture begins.
  private func start(of index: Int, _ first: Packet?) -> MediaTime {
    if let presentation = presentation(of: index) { return presentation.start }
    guard let stream = format.streams[index] else { return .zero }
    let base = stream.pointee.time_base
    if let first, let time = first.timestamp, stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO {
      return MediaTime(time, base) + leadIn(of: stream, first)
    }
    if stream.pointee.start_time != vplay_no_timestamp() { return MediaTime(stream.pointee.start_time, base) }
    return .zero
  }

  /// Tracks whose first packet makes no sound and does not say how long it seems to last: Vorbis in Matroska. There
  /// the second packet's time is where the sound begins.
  func beginsWithSecondPacket(_ index: Int) -> Bool {
    guard let parameters = format.streams[index]?.pointee.codecpar.pointee else { return false }
    return parameters.codec_id == AV_CODEC_ID_VORBIS && format.names.contains("matroska")
  }

  /// How much of a stream's beginning is no sound of its own.
  private func leadIn(of stream: UnsafeMutablePointer<AVStream>, _ first: Packet) -> MediaTime {
    let parameters = stream.pointee.codecpar.pointee
    let base = stream.pointee.time_base
    if parameters.codec_id == AV_CODEC_ID_VORBIS && isOgg {
      // The first packet only primes the decoder, yet it has a duration.
      return MediaTime(first.pointer.pointee.duration, base)
    }
    var skip = Int64(vplay_packet_start_skip(first.pointer))
    // Matroska states the codec's delay once and leaves the skip to the decoder.
    if skip == 0, let time = first.timestamp, time < 0 { skip = Int64(parameters.initial_padding) }
    return MediaTime(frame: skip, rate: Int(parameters.sample_rate))
  }

  /// Where a stream's blocks begin, where its container rounds their times.
  private func grid(of index: Int, _ first: Packet?, zero: MediaTime) -> Trimmer.Grid? {
    guard let stream = format.streams[index], let first, let time = first.timestamp,
      let unit = blockUnit(stream.pointee.codecpar.pointee.codec_id)
    else { return nil }
    let base = stream.pointee.time_base
    guard base.num > 0, Int64(base.den) % Int64(stream.pointee.codecpar.pointee.sample_rate) != 0 else {
      return nil
    }
    return Trimmer.Grid(origin: MediaTime(time, base) - zero, unitFrames: unit)
  }

  /// The container's time at which a sound stream ends, where that is known to the frame.
  private func exactEnd(of index: Int, _ first: Packet?) -> MediaTime? {
    if let presentation = presentation(of: index) { return presentation.end }
    if format.names == ["mp3"], let xing = outline.xing, let first, let stream = format.streams[index],
      xing.sampleRate == Int(stream.pointee.codecpar.pointee.sample_rate),
      xing.startSkipFrames == Int64(vplay_packet_start_skip(first.pointer))
    {
      return start(of: index, first) + MediaTime(frame: xing.frameCount, rate: xing.sampleRate)
    }
    let isSingleOgg = isOgg && outline.ogg?.isSingleVorbis == true
    guard isPlain || isSingleOgg, let stream = format.streams[index] else { return nil }
    let parameters = stream.pointee.codecpar.pointee
    let rate = Int(parameters.sample_rate)
    var frames = statedDuration(of: stream)?.frame(rate: rate)
    if isPCM(parameters.codec_id) {
      // A header that was never completed, or a file cut short: what is there counts.
      frames = [frames, framesInFile(parameters, first)].compactMap { $0 }.min()
    } else if parameters.codec_id != AV_CODEC_ID_FLAC && !isSingleOgg {
      return nil
    }
    return frames.map { start(of: index, first) + MediaTime(frame: $0, rate: rate) }
  }

  /// How many frames of PCM lie from a stream's first packet to the end of the file.
  private func framesInFile(_ parameters: AVCodecParameters, _ first: Packet?) -> Int64? {
    guard isSeekable, parameters.block_align > 0, let position = first?.pointer.pointee.pos, position >= 0
    else { return nil }
    let size = avio_size(format.pointer.pointee.pb)
    return size > position ? (size - position) / Int64(parameters.block_align) : nil
  }

  private func estimatedEnd(of index: Int, start: MediaTime) -> MediaTime? {
    guard let stream = format.streams[index], let duration = statedDuration(of: stream) else {
      return wholeDuration
    }
    return start + duration
  }

  private func statedDuration(of stream: UnsafeMutablePointer<AVStream>) -> MediaTime? {
    guard stream.pointee.duration > 0, stream.pointee.duration != vplay_no_timestamp() else { return nil }
    return MediaTime(stream.pointee.duration, stream.pointee.time_base)
  }

  private var wholeDuration: MediaTime? {
    let duration = format.pointer.pointee.duration
    guard duration > 0, duration != vplay_no_timestamp() else { return nil }
    return MediaTime(value: duration, timescale: 1_000_000)
  }

  /// What of a movie's track is presented, in the container's time.
  private func presentation(of index: Int) -> (start: MediaTime, end: MediaTime)? {
    guard isMovie, outline.hasOwnEdits, let movie = outline.movie, !movie.isFragmented,
      movie.tracks.indices.contains(index),
      let stream = format.streams[index]
    else { return nil }
    let track = movie.tracks[index]
    let isSound = stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO
    guard track.handler == (isSound ? "soun" : "vide"),
      let scale = Int32(exactly: track.scale), stream.pointee.time_base.den == scale,
      var (start, end) = track.presentation(movieScale: movie.movieScale)
    else { return nil }
    if isSound, let gapless = GaplessTag(format.tags()["itunsmpb"]) {
      gapless.apply(
        to: track, start: &start, end: &end, rate: Int(stream.pointee.codecpar.pointee.sample_rate))
    }
    return (MediaTime(value: start, timescale: scale), MediaTime(value: end, timescale: scale))
  }
}
