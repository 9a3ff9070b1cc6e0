/// One sound track of a medium.
package struct AudioTrack: Sendable, Equatable {
  /// The container's stream index.
  package var id: Int
  /// The format as the container claims it; a decoded block's own format rules.
  package var format: AudioFormat
  /// Exact length in frames at `format.sampleRate`, from item time zero, where the container tells it to the frame.
  package var exactEndFrame: Int64?
  package var codecName: String

  package init(id: Int, format: AudioFormat, exactEndFrame: Int64?, codecName: String) {
    self.id = id
    self.format = format
    self.exactEndFrame = exactEndFrame
    self.codecName = codecName
  }
}

/// What a medium holds, as known once it is open.
///
/// Item time zero is where the earliest track begins, whatever timestamps the container uses.
package struct MediaDescription: Sendable, Equatable {
  /// The longest track's end; nil when not known (pipes, live streams).
  package var duration: MediaTime?
  /// False when `duration` is an estimate, which decoding corrects.
  package var isDurationExact: Bool
  /// Playable sound tracks, the default one first.
  package var audioTracks: [AudioTrack]
  /// Whether there is a moving picture (an attached picture is none).
  package var hasVideo: Bool
  package var isSeekable: Bool
  /// Whether the data comes over a network, at a pace that nobody knows.
  package var isRemote: Bool
  /// Tags of the container: keys as FFmpeg names them, lower case.
  package var tags: [String: String]

  package init(
    duration: MediaTime?, isDurationExact: Bool, audioTracks: [AudioTrack], hasVideo: Bool,
    isSeekable: Bool, isRemote: Bool = false, tags: [String: String] = [:]
  ) {
    self.duration = duration
    self.isDurationExact = isDurationExact
    self.audioTracks = audioTracks
    self.hasVideo = hasVideo
    self.isSeekable = isSeekable
    self.isRemote = isRemote
    self.tags = tags
  }
}

/// A compressed packet. Owned by one thread at a time: the demux thread hands it over and forgets it.
package protocol MediaPacket: AnyObject, Sendable {
  var trackID: Int { get }
  /// Item time at which the packet begins; nil when the container does not say.
  var time: MediaTime? { get }
  /// How long it lasts, zero when not known.
  var duration: MediaTime { get }
  var sizeBytes: Int { get }
  /// What a stream says of itself from this packet on, such as its `title`; nil where nothing has changed.
  var tags: [String: String]? { get }
}

extension MediaPacket {
  package var tags: [String: String]? { nil }
}

/// The media source contract: a URL, opened, as packets and decoders.
///
/// Blocking calls (`open`, `read`, `seek`) are made by one thread at a time, the demux thread.
package protocol MediaSource: AnyObject, Sendable {
  /// Says how a medium on the network is asked for. Before `open`, if at all.
  func configure(_ options: SourceOptions)

  /// Opens and probes. Called once. Throws `MediaError`.
  func open() throws(MediaError) -> MediaDescription

  /// What the open medium says of itself beyond its description; nil where there is no more. Demux thread.
  func details() throws(MediaError) -> MediaDetails?

  /// Only these tracks are read from now on; others are discarded unread.
  func select(trackIDs: [Int])

  /// The next packet of a selected track, in file order; nil at the end.
  ///
  /// After a throw the caller may call again: damage is passed over where the container allows it. A second throw
  /// in a row with nothing read between ends the medium.
  func read() throws(MediaError) -> (any MediaPacket)?

  /// Places the reader so that the packets which follow let a decoder, restarted, give every frame from `time` on,
  /// the codec's preroll included. Throws `.notSeekable` where the medium cannot.
  func seek(to time: MediaTime) throws(MediaError)

  /// Ends a blocking call at once, and each later one: they throw `.interrupted`. Any thread; not undone.
  func interrupt()

  /// A new decoder of a track. Any thread, after `open`.
  func makeAudioDecoder(trackID: Int) throws(MediaError) -> any AudioDecoder
}

extension MediaSource {
  package func configure(_ options: SourceOptions) {}
  package func details() throws(MediaError) -> MediaDetails? { nil }
}

/// One block of decoded sound, already trimmed to the track's true frames.
package struct DecodedAudio {
  /// Interleaved, `frameCount * format.channelCount` samples. Valid during the call that hands it out.
  package var samples: UnsafeBufferPointer<Float>
  package var frameCount: Int
  package var format: AudioFormat
  /// Position of the first frame from item time zero, in frames at `format.sampleRate`. Never negative.
  package var startFrame: Int64

  package init(samples: UnsafeBufferPointer<Float>, frameCount: Int, format: AudioFormat, startFrame: Int64) {
    self.samples = samples
    self.frameCount = frameCount
    self.format = format
    self.startFrame = startFrame
  }
}

/// Packets to PCM, trimmed (priming, padding, edit list). Used by one thread at a time.
package protocol AudioDecoder: AnyObject {
  /// Decodes one packet, or drains with nil, and hands out blocks in order of `startFrame` without overlap.
  ///
  /// A throw says that this packet could not be decoded; the next may. An error thrown by `output` is passed on.
  func decode(_ packet: (any MediaPacket)?, output: (DecodedAudio) -> Void) throws(MediaError)

  /// Forgets all state; blocks before item time `time` are dropped, to the frame (the first one handed out starts at
  /// the frame nearest to `time`, when the medium has sound there).
  func restart(at time: MediaTime)
}

/// PCM of one format to PCM of another: rate, layout. Never flushed between passes of a loop. One thread.
package protocol AudioConverter: AnyObject {
  var input: AudioFormat { get }
  var output: AudioFormat { get }
  /// Converts `frameCount` frames and hands out what is ready (interleaved; the count is in frames at output's rate).
  func convert(
    _ samples: UnsafeBufferPointer<Float>, frameCount: Int, output: (UnsafeBufferPointer<Float>, Int) -> Void
  ) throws(MediaError)
  /// Hands out what is still held back. Afterwards the converter is as new.
  func flush(output: (UnsafeBufferPointer<Float>, Int) -> Void) throws(MediaError)
}
