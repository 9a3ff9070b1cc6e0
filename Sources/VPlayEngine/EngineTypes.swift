package import VPlayModel

/// Names one entry of a player's queue for its whole life.
package struct EntryID: Hashable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// Names one seek request.
package struct SeekID: Hashable, Sendable {
  package var rawValue: UInt64

  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// One medium to be played: what the engine needs to know of a player item.
package struct QueueEntry: Sendable {
  package var id: EntryID
  /// Makes the source, unopened. Called once, on the engine's thread.
  package var makeSource: @Sendable () -> any MediaSource
  /// Where each pass begins.
  package var start: MediaTime
  /// Where each pass ends, nil for the medium's own end.
  package var end: MediaTime?
  /// How often it is played before the next entry; nil repeats for ever.
  package var passes: Int?
  /// How much is read ahead, in seconds of the medium; 0 leaves it to the engine.
  package var bufferSeconds: Double
  /// How its sound is brought to rates other than 1.
  package var rateAlgorithm: RateAlgorithm

  package init(
    id: EntryID, start: MediaTime = .zero, end: MediaTime? = nil, passes: Int? = 1, bufferSeconds: Double = 0,
    rateAlgorithm: RateAlgorithm = .timeStretch,
    makeSource: @escaping @Sendable () -> any MediaSource
  ) {
    self.id = id
    self.start = start
    self.end = end
    self.passes = passes
    self.bufferSeconds = bufferSeconds
    self.rateAlgorithm = rateAlgorithm
    self.makeSource = makeSource
  }
}

/// Why time stands still though the rate is not 0.
package enum StallReason: Sendable, Equatable {
  /// The medium is not open yet, or its data does not arrive in time.
  case data
  /// The sound server or its device does not take sound.
  case output
}

/// What of an entry is there to be played.
package struct BufferStatus: Sendable, Equatable {
  /// Nothing is left: time stands still, or is about to.
  package var isEmpty = true
  /// Enough is there to begin, or all there is.
  package var isLikelyToKeepUp = false
  /// No more is read ahead for now.
  package var isFull = false

  package init(isEmpty: Bool = true, isLikelyToKeepUp: Bool = false, isFull: Bool = false) {
    self.isEmpty = isEmpty
    self.isLikelyToKeepUp = isLikelyToKeepUp
    self.isFull = isFull
  }
}

/// What the engine reports, in order, on its own thread. The receiver must not block.
package enum EngineEvent: Sendable {
  case entryReady(EntryID, MediaDescription)
  /// The entry cannot be played, or broke off where nothing more can be read. It is passed over.
  case entryFailed(EntryID, MediaError)
  /// The current entry's data came, or ran out.
  case bufferChanged(EntryID, BufferStatus)
  /// What a stream says of itself, as heard from this item time on.
  case tagsChanged(EntryID, [String: String], MediaTime)
  /// Decoding showed the true end.
  case durationChanged(EntryID, MediaTime)
  /// The seek's first frame is in place (true), or a newer seek, another item or a failure ended it (false).
  case seekFinished(SeekID, Bool)
  /// Time advances.
  case advancing
  /// Time stands still against the player's will.
  case stalled(StallReason)
  /// The last frame of a pass was heard, and the next pass began. `pass` counts from 0.
  case passEnded(EntryID, pass: Int)
  /// The last frame of the entry's last pass was heard.
  case entryEnded(EntryID)
  /// No output could be opened.
  case outputFailed(SinkError)
  /// The output was lost after it had worked; it comes back by itself.
  case outputLost
  case outputRestored
  /// The server asks to make way for a call (true), or says that it is over (false).
  case interrupted(Bool)
}

/// Where a player is, as heard.
package struct EnginePosition: Sendable, Equatable {
  package var entry: EntryID
  /// Passes of the entry already over.
  package var pass: Int
  package var time: MediaTime
  /// Media seconds a second of the host clock; 0 while time stands still.
  package var rate: Double

  package init(entry: EntryID, pass: Int, time: MediaTime, rate: Double) {
    self.entry = entry
    self.pass = pass
    self.time = time
    self.rate = rate
  }
}

/// What surrounds an engine: its clock, its output, its converters.
package struct EngineEnvironment: Sendable {
  package var clock: any HostClock
  /// Opens streams of sound.
  package var sink: any AudioSink
  package var makeConverter: @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  /// Brings sound of a format to a rate, at its own pitch.
  package var makeStretcher: StretcherMaker
  /// The role of a stream, by whether its medium has a picture.
  package var role: @Sendable (_ hasVideo: Bool) -> MediaRole

  package init(
    clock: any HostClock, sink: any AudioSink, makeStretcher: @escaping StretcherMaker = noStretcher,
    role: @escaping @Sendable (_ hasVideo: Bool) -> MediaRole = { $0 ? .video : .music },
    makeConverter: @escaping @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  ) {
    self.makeStretcher = makeStretcher
    self.clock = clock
    self.sink = sink
    self.makeConverter = makeConverter
    self.role = role
  }
}
