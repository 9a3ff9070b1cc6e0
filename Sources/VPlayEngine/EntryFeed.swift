import VPlayModel

/// One entry's sound as a sequence of chunks, pass after pass: reader, decoder, and the bounds of a pass.
///
/// Lives on the engine's thread. Positions are frames from item time zero at `format.sampleRate`.
final class EntryFeed {
  enum Step {
    /// Frames are in `chunk`, in `format`.
    case audio(frames: Int)
    /// So many frames of silence follow, in `format`.
    case silence(frames: Int)
    /// The medium has not delivered in time.
    case starved
    /// The pass is complete.
    case end
    /// The medium broke off, or never opened.
    case failed(MediaError)
  }

  /// The most that one step gives: some codecs' blocks last for seconds, which no stream's buffer need hold.
  private static let stepFrames: Int64 = 8192
  private static let stepsPerSecond: Int64 = 8
  /// Sound that ends this many seconds before the container's claim has broken off; less is rounding.
  private static let truncationSeconds = 0.25
  /// Packets from this long before the heard position are kept for media that cannot be sought in; more than any
  /// codec's preroll.
  private static let keptSeconds = 0.6

  let id: EntryID
  let reader: EntryReader
  private(set) var description: MediaDescription?
  private(set) var track: AudioTrack?
  private var decoder: (any AudioDecoder)?
  /// Format of what the next steps give.
  private(set) var format = AudioFormat.stereo(48_000)
  /// The next frame that a step gives.
  private(set) var position: Int64 = 0
  /// `position` when it last (re)started.
  private var startPosition: Int64 = 0
  private var end: MediaTime?
  /// Set once the medium's end, learned by decoding, is known.
  private(set) var decodedEnd: MediaTime?

  private var hasReportedDecodedEnd = false

  /// Interleaved samples of the last `.audio` step.
  private var chunk: [Float] = []
  /// Blocks decoded and not yet given, with their first frames.
  private var blocks: [(format: AudioFormat, startFrame: Int64, frames: Int, offset: Int)] = []
  private var blockSamples: [Float] = []
  private var isDrained = false
  /// Nothing has been read yet: the reader stands at the item's beginning.
  private var isFresh = true
  private var lastDecodeError: MediaError?
  private var hasDecoded = false
  /// Why nothing more can be read; what was read is given first.
  private var brokenBy: MediaError?
  /// What a stream said of itself, and from when on; earliest first.
  private var tagChanges: [(time: MediaTime, tags: [String: String])] = []
  /// Packets read lately, for a join without a seek. Only of media that cannot be sought in.
  private var kept: [any MediaPacket] = []

  init(entry: QueueEntry, clock: any HostClock, wake: @escaping @Sendable () -> Void) {
    id = entry.id
    end = entry.end
    reader = EntryReader(source: entry.makeSource(), clock: clock, wake: wake)
    reader.setBuffer(seconds: entry.bufferSeconds)
  }

  var isSeekable: Bool { description?.isSeekable ?? false }
  var hasAudio: Bool { track != nil }

  /// The item's length, as far as it is known.
  var duration: MediaTime? { decodedEnd ?? description?.duration }

  /// Takes over what the reader found when it opened the medium; nil while it is still opening.
  func opened() throws(MediaError) -> MediaDescription? {
    if let description { return description }
    switch reader.phase {
    case .opening: return nil
    case .failed(let error): throw error
    case .open(let found):
      guard !found.audioTracks.isEmpty || found.hasVideo else {
        throw MediaError(.nothingPlayable, "there is no sound or picture in it that can be played")
      }
      if let first = found.audioTracks.first {
        decoder = try reader.source.makeAudioDecoder(trackID: first.id)
        track = first
        format = first.format
        reader.start(trackIDs: [first.id])
      }
      description = found
      return found
    }
  }

  /// Ends each pass here from now on.
  func setEnd(_ time: MediaTime?) {
    end = time
  }

  /// Starts giving frames from `time`, to the frame.
  func seek(to time: MediaTime) {
    isFresh = false
    reader.seek(to: time)
    restart(at: time)
    kept.removeAll()
    tagChanges.removeAll()
  }

  /// Starts giving frames from `time`, without a seek where the reader is there already.
  func begin(at time: MediaTime) {
    if isFresh, time <= .zero { restart(at: .zero) } else { seek(to: time) }
  }

  /// Goes back to `time` with the packets kept; false when they do not reach that far.
  func rejoin(at time: MediaTime) -> Bool {
    guard let first = kept.first?.time, first <= time else { return false }
    reader.putBack(kept)
    kept.removeAll()
    restart(at: time)
    return true
  }

  private func restart(at time: MediaTime) {
    decoder?.restart(at: time)
    position = time.frame(rate: format.sampleRate)
    startPosition = position
    blocks.removeAll()
    blockSamples.removeAll(keepingCapacity: true)
    isDrained = false
    brokenBy = nil
  }

  func close() {
    reader.close()
  }

  /// The samples of the last `.audio` step, interleaved.
  func withChunk(_ body: (UnsafeBufferPointer<Float>) throws(MediaError) -> Void) throws(MediaError) {
    var failure: MediaError?
    chunk.withUnsafeBufferPointer { chunk in
      do throws(MediaError) {
        try body(chunk)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// True once, when decoding has shown an end that was not known before.
  func reportsDecodedEnd() -> Bool {
    guard decodedEnd != nil, !hasReportedDecodedEnd else { return false }
    hasReportedDecodedEnd = true
    return true
  }

  // MARK: - Steps

  private var stepFrames: Int64 {
    max(1, min(EntryFeed.stepFrames, Int64(format.sampleRate) / EntryFeed.stepsPerSecond))
  }

  /// The end of the pass in frames, where it is known beforehand.
  private var endFrame: Int64? {
    let known = knownEnd
    switch (end, known) {
    case (let end?, let known?): return min(end, known).frame(rate: format.sampleRate)
    case (let end?, nil): return end.frame(rate: format.sampleRate)
    case (nil, let known?): return known.frame(rate: format.sampleRate)
    case (nil, nil): return nil
    }
  }

  /// The item's own end when the container tells it exactly.
  private var knownEnd: MediaTime? {
    guard let description, description.isDurationExact else { return nil }
    return description.duration
  }

  /// Decodes a little further.
  func step() -> Step {
    guard hasAudio else { return silentStep() }
    while true {
      if let endFrame, position >= endFrame { return .end }
      if let block = blocks.first {
        if let step = give(block) { return step }
        continue
      }
      if isDrained { return finish() }
      switch pull() {
      case .packet(let packet): decode(packet)
      case .end: decode(nil)
      case .empty: return .starved
      case .failed(let error):
        brokenBy = error
        decode(nil)
      }
    }
  }

  /// Passes a packet without decoding it and says how much time went by: for playback that nobody hears.
  func stepUnheard() -> Step {
    guard hasAudio else { return silentStep() }
    if let endFrame, position >= endFrame { return .end }
    if !blocks.isEmpty {
      blocks.removeAll()
      blockSamples.removeAll(keepingCapacity: true)
    }
    switch pull() {
    case .empty: return .starved
    case .failed(let error):
      brokenBy = error
      isDrained = true
      return finish()
    case .end:
      isDrained = true
      return finish()
    case .packet(let packet):
      guard let time = packet.time else { return .silence(frames: 0) }
      var packetEnd = (time + packet.duration).frame(rate: format.sampleRate)
      if let endFrame { packetEnd = min(packetEnd, endFrame) }
      let frames = max(0, packetEnd - position)
      position += frames
      hasDecoded = true
      return .silence(frames: Int(frames))
    }
  }

  private func pull() -> EntryReader.Next {
    let next = reader.next()
    isFresh = false
    if case .packet(let packet) = next {
      if !isSeekable { kept.append(packet) }
      if let tags = packet.tags {
        let time = packet.time ?? MediaTime(frame: position, rate: format.sampleRate)
        if tagChanges.last.map({ $0.time < time }) ?? true { tagChanges.append((time, tags)) }
      }
    }
    return next
  }

  /// What the stream says by the time that is heard now, if that is news.
  func takeTags(heard time: MediaTime) -> (time: MediaTime, tags: [String: String])? {
    let count = tagChanges.prefix { $0.time <= time }.count
    defer { tagChanges.removeFirst(count) }
    return count > 0 ? tagChanges[count - 1] : nil
  }

  /// Drops kept packets that lie before the heard position by more than any preroll.
  func forgetKept(before time: MediaTime) {
    guard !kept.isEmpty else { return }
    let limit = time.seconds - EntryFeed.keptSeconds
    let count = kept.prefix { ($0.time?.seconds ?? 0) < limit }.count
    if count > 32 || count == kept.count { kept.removeFirst(count) }
  }

  private func silentStep() -> Step {
    // Nothing is read that would show the true end: the estimate is the best there is.
    let claim = description?.duration?.frame(rate: format.sampleRate)
    guard let last = [endFrame, claim].compactMap({ $0 }).min(), position < last else { return .end }
    let frames = min(last - position, stepFrames)
    position += frames
    return .silence(frames: Int(frames))
  }

  private func decode(_ packet: (any MediaPacket)?) {
    if packet == nil { isDrained = true }
    do throws(MediaError) {
      try decoder?.decode(packet) { audio in
        blocks.append((audio.format, audio.startFrame, audio.frameCount, blockSamples.count))
        blockSamples.append(contentsOf: audio.samples)
      }
    } catch {
      lastDecodeError = error
    }
  }

  /// Gives the first block, or the silence before it; nil when nothing of it is within the pass.
  private func give(_ block: (format: AudioFormat, startFrame: Int64, frames: Int, offset: Int)) -> Step? {
    if block.format != format {
      position = MediaTime(frame: position, rate: format.sampleRate).frame(rate: block.format.sampleRate)
      format = block.format
    }
    var limit = Int64.max
    if let endFrame { limit = endFrame }
    if block.startFrame > position {
      let frames = min(min(block.startFrame, limit) - position, stepFrames)
      position += frames
      return .silence(frames: Int(frames))
    }
    let first = position - block.startFrame
    let rest = min(Int64(block.frames), limit - block.startFrame) - first
    let frames = min(rest, stepFrames)
    defer {
      if frames == rest { blocks.removeFirst() }
      if blocks.isEmpty { blockSamples.removeAll(keepingCapacity: true) }
    }
    guard frames > 0 else { return nil }
    let channels = format.channelCount
    let start = block.offset + Int(first) * channels
    chunk.replaceSubrange(0..<chunk.count, with: blockSamples[start..<start + Int(frames) * channels])
    position += frames
    hasDecoded = true
    return .audio(frames: Int(frames))
  }

  /// After the last packet: the shorter track is held to the longer, but what broke off is not stretched.
  private func finish() -> Step {
    if let brokenBy { return .failed(brokenBy) }
    if !hasDecoded, let lastDecodeError { return .failed(lastDecodeError) }
    guard knownEnd != nil, let endFrame else {
      if position > startPosition || startPosition == 0 {
        decodedEnd = MediaTime(frame: position, rate: format.sampleRate)
      }
      if !hasDecoded, startPosition == 0, let claim = description?.duration, claim > .zero {
        return .failed(MediaError(.damaged, "it holds no sound that can be read"))
      }
      return .end
    }
    if position >= endFrame { return .end }
    let soundEnd = track?.exactEndFrame ?? endFrame
    let missing = Double(min(soundEnd, endFrame) - position) / Double(format.sampleRate)
    if missing > EntryFeed.truncationSeconds {
      decodedEnd = MediaTime(frame: position, rate: format.sampleRate)
      return .failed(MediaError(.damaged, "the file breaks off before its stated end"))
    }
    let frames = min(endFrame - position, stepFrames)
    position += frames
    return .silence(frames: Int(frames))
  }
}
