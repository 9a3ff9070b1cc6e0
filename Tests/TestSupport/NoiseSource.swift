package import VPlayModel

/// A medium without a file: noise of which every frame is known, with the faults that a test asks for.
package final class NoiseSource: MediaSource {
  package struct Configuration: Sendable {
    package var noise = NoiseMedia()
    package var sampleRate = 48_000
    /// The end of the sound, from item time zero.
    package var lengthFrames: Int64
    /// Where the sound begins; before it the item is silent.
    package var firstFrame: Int64 = 0
    package var packetFrames = 1024
    /// Frames of the blocks that the decoder hands out.
    package var blockFrames = 1024
    /// Packets that a seek goes back for the decoder's sake.
    package var prerollPackets = 1
    package var isSeekable = true
    package var isRemote = false
    package var isDurationKnown = true
    package var isDurationExact = true
    /// What the description claims, where that differs from the truth.
    package var claimedFrames: Int64?
    package var openDelaySeconds = 0.0
    /// Before each packet.
    package var readDelaySeconds = 0.0
    package var openError: MediaError?
    /// The packet that holds this frame cannot be read.
    package var failingFrame: Int64?
    /// False: only the first reading of that packet fails, and passes over it. True: each one does.
    package var failsForGood = false
    /// The packet that holds this frame cannot be decoded.
    package var undecodableFrame: Int64?

    package init(lengthFrames: Int64) {
      self.lengthFrames = lengthFrames
    }
  }

  private struct State {
    var isOpen = false
    var isInterrupted = false
    var isStalled = false
    var isSelected = true
    var position: Int64 = 0
    var reads = 0
    var seeks: [MediaTime] = []
  }

  package let configuration: Configuration
  private let clock: any HostClock
  private let state: Monitor<State>

  package init(_ configuration: Configuration, clock: any HostClock) {
    self.configuration = configuration
    self.clock = clock
    state = Monitor(State())
  }

  /// Packets read so far.
  package var reads: Int { state.withLock { $0.reads } }
  /// Where it was asked to go.
  package var seeks: [MediaTime] { state.withLock { $0.seeks } }
  package var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// While stalled nothing can be read.
  package func setStalled(_ stalled: Bool) {
    state.withLockAndWake { $0.isStalled = stalled }
  }

  package func open() throws(MediaError) -> MediaDescription {
    try pass(seconds: configuration.openDelaySeconds)
    if let error = configuration.openError { throw error }
    state.withLock { state in
      state.isOpen = true
      state.position = gridFrame(configuration.firstFrame)
    }
    let end = configuration.claimedFrames ?? configuration.lengthFrames
    let isExact = configuration.isDurationKnown && configuration.isDurationExact
    let track = AudioTrack(
      id: 0, format: format, exactEndFrame: isExact ? end : nil, codecName: "noise")
    return MediaDescription(
      duration: configuration.isDurationKnown
        ? MediaTime(frame: end, rate: configuration.sampleRate) : nil,
      isDurationExact: isExact, audioTracks: [track], hasVideo: false,
      isSeekable: configuration.isSeekable, isRemote: configuration.isRemote)
  }

  package func select(trackIDs: [Int]) {
    state.withLock { $0.isSelected = trackIDs.contains(0) }
  }

  package func read() throws(MediaError) -> (any MediaPacket)? {
    try pass(seconds: configuration.readDelaySeconds)
    let outcome = state.withLock { state -> Result<NoisePacket?, MediaError> in
      guard state.isSelected, state.position < configuration.lengthFrames else { return .success(nil) }
      let first = max(state.position, configuration.firstFrame)
      let end = min(state.position + Int64(configuration.packetFrames), configuration.lengthFrames)
      if let failing = configuration.failingFrame, (first..<end).contains(failing) {
        if configuration.failsForGood { return .failure(MediaError(.damaged, "the data broke off")) }
        state.position = end
        return .failure(MediaError(.damaged, "a packet is damaged"))
      }
      state.position = end
      state.reads += 1
      return .success(
        NoisePacket(firstFrame: first, frameCount: Int(end - first), sampleRate: configuration.sampleRate))
    }
    return try outcome.get()
  }

  package func seek(to time: MediaTime) throws(MediaError) {
    try pass(seconds: 0)
    guard configuration.isSeekable else { throw MediaError(.notSeekable, "the medium cannot be sought in") }
    let preroll = Int64(configuration.prerollPackets * configuration.packetFrames)
    state.withLock { state in
      state.seeks.append(time)
      state.position = gridFrame(
        max(configuration.firstFrame, time.frame(rate: configuration.sampleRate) - preroll))
    }
  }

  package func interrupt() {
    state.withLockAndWake { $0.isInterrupted = true }
  }

  package func makeAudioDecoder(trackID: Int) throws(MediaError) -> any AudioDecoder {
    guard trackID == 0 else { throw MediaError(.nothingPlayable, "there is no such track") }
    return NoiseDecoder(configuration, format: format)
  }

  package var format: AudioFormat {
    switch configuration.noise.channels {
    case 1: .mono(configuration.sampleRate)
    case 2: .stereo(configuration.sampleRate)
    case let count:
      AudioFormat(
        sampleRate: configuration.sampleRate,
        channels: (0..<count).map { $0 < 18 ? ChannelPosition.allCases[$0] : .unknown })
    }
  }

  private func gridFrame(_ frame: Int64) -> Int64 {
    frame - frame % Int64(configuration.packetFrames)
  }

  /// Waits for the clock, and for a stall to end.
  private func pass(seconds: Double) throws(MediaError) {
    let due = clock.now.advanced(bySeconds: seconds)
    let isReady = { (state: State) in state.isInterrupted || !state.isStalled }
    if seconds > 0 {
      _ = clock.wait(on: state, until: due) { $0.isInterrupted ? true : nil }
    }
    _ = clock.wait(on: state, until: nil) { isReady($0) ? true : nil }
    if isInterrupted { throw MediaError(.interrupted, "the operation was ended") }
  }
}

/// A packet of a `NoiseSource`: the frames are worked out when it is decoded.
final class NoisePacket: MediaPacket {
  let firstFrame: Int64
  let frameCount: Int
  let trackID = 0
  let time: MediaTime?
  let duration: MediaTime
  var sizeBytes: Int { frameCount * 4 }

  init(firstFrame: Int64, frameCount: Int, sampleRate: Int) {
    self.firstFrame = firstFrame
    self.frameCount = frameCount
    time = MediaTime(frame: firstFrame, rate: sampleRate)
    duration = MediaTime(frame: Int64(frameCount), rate: sampleRate)
  }
}

/// The decoder of a `NoiseSource`.
final class NoiseDecoder: AudioDecoder {
  private let configuration: NoiseSource.Configuration
  private let format: AudioFormat
  private var dropBefore: Int64 = 0

  init(_ configuration: NoiseSource.Configuration, format: AudioFormat) {
    self.configuration = configuration
    self.format = format
  }

  func decode(_ packet: (any MediaPacket)?, output: (DecodedAudio) -> Void) throws(MediaError) {
    guard let packet = packet as? NoisePacket else { return }
    let end = packet.firstFrame + Int64(packet.frameCount)
    if let frame = configuration.undecodableFrame, (packet.firstFrame..<end).contains(frame) {
      throw MediaError(.damaged, "a packet cannot be decoded")
    }
    var frame = max(packet.firstFrame, dropBefore)
    while frame < end {
      let count = min(configuration.blockFrames, Int(end - frame))
      configuration.noise.floats(fromFrame: frame, count: count).withUnsafeBufferPointer { samples in
        output(DecodedAudio(samples: samples, frameCount: count, format: format, startFrame: frame))
      }
      frame += Int64(count)
    }
  }

  func restart(at time: MediaTime) {
    dropBefore = time.frame(rate: configuration.sampleRate)
  }
}
