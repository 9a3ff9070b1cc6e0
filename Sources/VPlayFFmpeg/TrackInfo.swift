internal import CVPlayFFmpeg
internal import VPlayModel

/// What a decoder, and the demuxer's seeks, need to know of one sound track. Fixed once the medium is open.
struct TrackInfo: Sendable {
  var track: AudioTrack
  var parameters: CodecParameters
  /// The container's clock tick of this track.
  var timeBase: AVRational
  /// The part that is presented, in item time.
  var window: Trimmer.Window
  var grid: Trimmer.Grid?
  /// Whether the container's skips are left aside, the window being exact.
  var ignoresSkips: Bool
  /// Whether the first packet's time and length cannot be trusted after a seek (Ogg Vorbis): sound begins with it.
  var startIsUnclocked: Bool
  /// Whether the times on the page where a seek lands are guesses (Ogg, but for Vorbis and Opus).
  var firstPageIsUnclocked: Bool
  var clock: Trimmer.Clock
  /// How long the decoder has to run before its output can be trusted.
  var preroll: MediaTime
}

/// How far before a seek's target decoding has to begin.
func codecPreroll(_ parameters: AVCodecParameters) -> MediaTime {
  let rate = max(1, Int(parameters.sample_rate))
  let codec = parameters.codec_id
  switch codec {
  case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM:
    // Spectral band replication has a longer memory, and at low rates may be there without being announced.
    let isPlain = parameters.profile == vplay_profile_aac_low() && rate > 24_000
    return MediaTime(frame: isPlain ? 2 * 1024 : 8 * 1024, rate: rate)
  case AV_CODEC_ID_MP3, AV_CODEC_ID_MP2, AV_CODEC_ID_MP1:
    // A frame may use bits of several before it.
    return MediaTime(frame: 10 * 1152, rate: rate)
  // 80 ms are prescribed; loud noise needs three times that to be the same to the last bits.
  case AV_CODEC_ID_OPUS: return MediaTime(value: 240, timescale: 1000)
  case AV_CODEC_ID_VORBIS: return MediaTime(frame: 8192, rate: rate)
  case AV_CODEC_ID_FLAC, AV_CODEC_ID_ALAC: return .zero
  default:
    if isPCM(codec) { return .zero }
    return MediaTime(frame: 4 * Int64(max(2048, parameters.frame_size)), rate: rate)
  }
}

/// The frames of which all of a codec's blocks are multiples; nil where that is not fixed.
func blockUnit(_ codec: AVCodecID) -> Int? {
  switch codec {
  case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM: 1024
  case AV_CODEC_ID_MP3: 576
  case AV_CODEC_ID_MP2: 1152
  case AV_CODEC_ID_OPUS: 120
  case AV_CODEC_ID_VORBIS: 64
  case AV_CODEC_ID_AC3, AV_CODEC_ID_EAC3: 256
  case AV_CODEC_ID_DTS: 512
  default: nil
  }
}

func isPCM(_ codec: AVCodecID) -> Bool {
  (AV_CODEC_ID_PCM_S16LE.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue).contains(codec.rawValue)
}
