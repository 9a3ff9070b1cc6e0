public import Foundation
import VPlayModel

/// Where an ``AVAssetReader`` puts what it reads: see ``AVAssetReaderTrackOutput`` and ``AVAssetReaderAudioMixOutput``.
///
/// As Apple's [AVAssetReaderOutput](https://developer.apple.com/documentation/avfoundation/avassetreaderoutput).
// Safe to share: its stored properties are `let`s of Sendable types.
open class AVAssetReaderOutput: NSObject, @unchecked Sendable {
  private enum Phase {
    case idle
    case open(SoundMixer)
    case over
  }

  private struct State {
    var phase = Phase.idle
    weak var reader: AVAssetReader?
    var isClaimed = false
    var copies = true
  }

  /// The most frames of a buffer.
  private static let bufferFrames = 8192

  let tracks: [AVAssetTrack]
  let settings: Result<AudioSettings, AVError>
  /// Whether the output begins with the range that is read, silent where the sound is later.
  private let beginsWithRange: Bool
  private let state = Monitor(State())
  /// Held while the medium is read: one thread at a time reads it. `state`'s lock is taken within it.
  private let reading = Monitor(())

  init(_ tracks: [AVAssetTrack], _ settings: [String: Any]?, beginsWithRange: Bool) {
    self.tracks = tracks
    self.beginsWithRange = beginsWithRange
    do throws(AVError) {
      self.settings = .success(try AudioSettings(settings))
    } catch {
      self.settings = .failure(error)
    }
  }

  /// Sound.
  open var mediaType: AVMediaType { .audio }

  /// Buffers are always copies that are the caller's own; setting it changes nothing.
  open var alwaysCopiesSampleData: Bool {
    get { state.withLock { $0.copies } }
    set { state.withLock { $0.copies = newValue } }
  }

  /// False: what is read is read once.
  open var supportsRandomAccess: Bool { false }

  /// The next frames, 8192 but for the last; nil at the end, or when the reading was cancelled or has failed: see
  /// ``AVAssetReader/status``. Reads and decodes on the calling thread.
  open func copyNextSampleBuffer() -> CMSampleBuffer? {
    reading.withLock { _ in
      let (phase, reader) = state.withLock { ($0.phase, $0.reader) }
      guard case .open(let mixer) = phase, let reader, reader.status == .reading else { return nil }
      do throws(MediaError) {
        if let chunk = try mixer.next(atMost: Self.bufferFrames) { return try buffer(chunk, mixer.output) }
        state.withLock { $0.phase = .over }
        reader.outputFinished()
      } catch {
        state.withLock { $0.phase = .over }
        if error.kind != .interrupted { reader.fail(AVError(error)) }
      }
      return nil
    }
  }

  private func buffer(_ chunk: SoundMixer.Chunk, _ format: AudioFormat) throws(MediaError) -> CMSampleBuffer {
    guard case .success(let settings) = settings else { throw MediaError(.other, "no format") }
    let encoder = PCMEncoder(settings: settings)
    let data = CMBlockBuffer(byteCount: chunk.samples.count * encoder.sampleBytes) { bytes in
      encoder.encode(chunk.samples, channels: format.channelCount, to: bytes)
    }
    let description = CMFormatDescription(
      mediaType: .audio, mediaSubType: .linearPCM, codecName: "pcm",
      audioStreamBasicDescription: settings.description(of: format),
      audioChannelLayout: ManagedAudioChannelLayout(format.channels))
    return CMSampleBuffer(
      data, numSamples: chunk.samples.count / format.channelCount,
      at: CMTime(MediaTime(frame: chunk.startFrame, rate: format.sampleRate)), format: description)
  }

  // MARK: - For readers

  func canBeAdded(to reader: AVAssetReader) -> Bool {
    guard case .success = settings, !tracks.isEmpty, !state.withLock({ $0.isClaimed }) else { return false }
    return tracks.allSatisfy { $0.asset === reader.asset && $0.mediaType == .audio && $0.isDecodable }
  }

  /// False when it has a reader.
  func claim(by reader: AVAssetReader) -> Bool {
    state.withLock { state in
      guard !state.isClaimed else { return false }
      state.isClaimed = true
      state.reader = reader
      return true
    }
  }

  /// Opens the medium, on the calling thread.
  func open(from start: MediaTime, to end: MediaTime?) throws(AVError) {
    guard let reader = state.withLock({ $0.reader }) else { return }
    let settings = try settings.get()
    do throws(MediaError) {
      var rendered: [RenderedTrack] = []
      var format: AudioFormat?
      for track in tracks {
        let source = try reader.makeSource()
        let description = try source.open()
        let rendering = try RenderedTrack(
          source: source, description: description, trackIndex: track.details.index, start: max(start, .zero), end: end
        ) { format ?? settings.format(from: $0) }
        format = rendering.output
        rendered.append(rendering)
      }
      guard let format else { return }
      let mixer = SoundMixer(rendered, output: format, start: beginsWithRange ? max(start, .zero) : nil)
      state.withLock { $0.phase = .open(mixer) }
    } catch {
      throw AVError(error)
    }
  }
}

/// The sound of one track.
///
/// As Apple's [AVAssetReaderTrackOutput](https://developer.apple.com/documentation/avfoundation/avassetreadertrackoutput).
// Safe to share: it stores nothing of its own that changes.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  /// The track that is read.
  open var track: AVAssetTrack { tracks[0] }

  /// `outputSettings` are those of linear PCM: ``AVFormatIDKey``, ``AVSampleRateKey``, ``AVNumberOfChannelsKey``,
  /// ``AVLinearPCMBitDepthKey`` and so on. Nil gives 32-bit floats at the track's own rate and layout, where Apple's
  /// gives packets.
  ///
  /// The first buffer begins where the track's sound does, later ones follow without a gap: what is missing or damaged
  /// is silent.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    super.init([track], outputSettings, beginsWithRange: false)
  }
}

/// The sound of some tracks as one, their samples added.
///
/// As Apple's [AVAssetReaderAudioMixOutput](https://developer.apple.com/documentation/avfoundation/avassetreaderaudiomixoutput).
// Safe to share: it stores nothing of its own that changes.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  /// The tracks that are mixed.
  open var audioTracks: [AVAssetTrack] { tracks }

  /// `audioSettings` are those of linear PCM; nil gives 32-bit floats at the first track's own rate and layout.
  ///
  /// The first buffer begins where the range that is read does, silent where no track sounds yet; the last one ends with
  /// the longest track.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    super.init(audioTracks, audioSettings, beginsWithRange: true)
  }
}
