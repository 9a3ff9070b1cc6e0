import VPlayModel

extension CMFormatDescription {
  /// What a track is coded in.
  convenience init(_ track: TrackDetails) {
    let type: MediaType =
      switch track.kind {
      case .audio: .audio
      case .video: .video
      case .subtitle: .subtitle
      case .closedCaption: .closedCaption
      case .timecode: .timeCode
      case .metadata, .other: .metadata
      }
    let subType = Self.subType(track)
    self.init(
      mediaType: type, mediaSubType: MediaSubType(rawValue: subType), codecName: track.codecName,
      audioStreamBasicDescription: track.sound.map { AudioStreamBasicDescription($0, formatID: subType) },
      audioChannelLayout: track.sound.map { ManagedAudioChannelLayout($0.format.channels) },
      dimensions: CMVideoDimensions(
        width: Int32(clamping: track.picture?.widthPixels ?? 0),
        height: Int32(clamping: track.picture?.heightPixels ?? 0)))
  }

  /// Apple's number of the codec; where there is none, the container's, else the beginning of FFmpeg's name.
  private static func subType(_ track: TrackDetails) -> FourCharCode {
    if track.codecName.hasPrefix("pcm_"), !["pcm_mulaw", "pcm_alaw"].contains(track.codecName) {
      return kAudioFormatLinearPCM
    }
    if let known = known[track.codecName] { return known }
    // As a container writes it, the first character lowest.
    let tag = track.codecTag.byteSwapped
    if (0..<4).allSatisfy({ (32..<127).contains(tag >> (8 * $0) & 255) }) { return tag }
    return (track.codecName + "    ").utf8.prefix(4).reduce(0) { $0 << 8 | FourCharCode($1) }
  }

  private static let known: [String: FourCharCode] = [
    "aac": kAudioFormatMPEG4AAC, "mp1": kAudioFormatMPEGLayer1, "mp2": kAudioFormatMPEGLayer2,
    "mp3": kAudioFormatMPEGLayer3, "alac": kAudioFormatAppleLossless, "flac": kAudioFormatFLAC,
    "opus": kAudioFormatOpus, "ac3": kAudioFormatAC3, "eac3": kAudioFormatEnhancedAC3,
    "pcm_mulaw": kAudioFormatULaw, "pcm_alaw": kAudioFormatALaw, "amr_nb": kAudioFormatAMR,
    "amr_wb": kAudioFormatAMR_WB, "vorbis": fourCharacters("vorb"),
    "h264": fourCharacters("avc1"), "hevc": fourCharacters("hvc1"), "mpeg4": fourCharacters("mp4v"),
    "vp8": fourCharacters("vp08"), "vp9": fourCharacters("vp09"), "av1": fourCharacters("av01"),
    "mjpeg": fourCharacters("jpeg"), "h263": fourCharacters("h263"), "mpeg2video": fourCharacters("mp2v"),
    "mpeg1video": fourCharacters("mp1v"), "mov_text": fourCharacters("tx3g"), "webvtt": fourCharacters("wvtt"),
  ]
}

extension AudioStreamBasicDescription {
  fileprivate init(_ sound: SoundDetails, formatID: UInt32) {
    if formatID == kAudioFormatLinearPCM {
      self.init(
        pcmRate: Double(sound.format.sampleRate), channels: sound.format.channelCount, bits: sound.bitsPerSample,
        isFloat: sound.isFloat, isSigned: sound.isSigned, isBigEndian: sound.isBigEndian)
    } else {
      self.init()
      mSampleRate = Double(sound.format.sampleRate)
      mFormatID = formatID
      mFramesPerPacket = UInt32(clamping: sound.packetFrames)
      mChannelsPerFrame = UInt32(clamping: sound.format.channelCount)
    }
  }
}
