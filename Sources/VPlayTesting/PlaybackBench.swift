public import VPlayKit
internal import VPlayModel

/// Players without a sound server and without waiting: their output is simulated, their clock is moved by hand.
///
/// ```swift
/// let bench = PlaybackBench()
/// let player = bench.makePlayer()
/// player.replaceCurrentItem(with: AVPlayerItem(url: file))
/// player.volume = 0.5
/// player.play()
/// bench.advance(bySeconds: 2)
/// #expect(bench.heard[0].samples.max() ?? 0 <= 0.5)
/// ```
///
/// All but clock and output is as in a real player: files are opened, decoded, resampled, looped and mixed by the same code, on the
/// same threads. The output behaves as a PulseAudio server was measured to. It takes sound in blocks when they fall due, plays silence where it
/// has none, and keeps what is heard.
///
/// Observations and notifications come as ever, on queues of their own: wait for them, by an expectation or a
/// continuation, rather than expect them at once. Any thread may call; one at a time may move the clock.
public final class PlaybackBench: Sendable {
  /// One stream of the output, as it was heard.
  public struct HeardSound: Sendable, Equatable {
    /// Frames a second.
    public var sampleRate: Int
    public var channelCount: Int
    /// Interleaved, full scale ±1, after volume and mute.
    public var samples: [Float]
    /// A 64-bit FNV-1a digest of the samples in hexadecimal: equal sounds, bit for bit, have equal ones.
    public var digest: String

    /// Frames heard.
    public var frameCount: Int { samples.count / channelCount }
  }

  private let clock = ManualClock()
  private let start: HostTime
  private let sink: SimulatedSink
  private let players = Monitor<[WeakPlayer]>([])

  /// A bench whose output has, beside the default one, devices of these names.
  ///
  /// `latencySeconds` is the time from the taking of sound by the device to its being heard, 0 or more; what else is
  /// taken as 0.
  public init(latencySeconds: Double = 0, devices: Set<String> = []) {
    var configuration = SimulatedSink.Configuration()
    configuration.delaySeconds = latencySeconds.isFinite ? max(0, latencySeconds) : 0
    configuration.devices = devices
    start = clock.now
    sink = SimulatedSink(clock: clock, configuration: configuration)
  }

  // MARK: - Players

  /// A player on this bench, whatever its `audioOutput`, that plays one item at a time.
  public func makePlayer() -> AVPlayer { keep(AVPlayer(environment: environment)) }

  /// A player on this bench that plays a queue.
  public func makeQueuePlayer() -> AVQueuePlayer { keep(AVQueuePlayer(environment: environment)) }

  // MARK: - Time

  /// Seconds for which the clock was moved so far.
  public var elapsedSeconds: Double { clock.now.seconds(since: start) }

  /// The present time of the players' host clock, as `AVPlayer.setRate(_:time:atHostTime:)` takes it.
  public var hostTime: CMTime { CMTime(value: clock.now.nanoseconds, timescale: 1_000_000_000) }

  /// Moves the clock on; what falls due meanwhile happens, in order.
  ///
  /// Before, players that wait for their medium are given the time, up to ten seconds each, to open it.
  ///
  /// - Parameter seconds: What is not above 0 moves nothing.
  public func advance(bySeconds seconds: Double) {
    let players = players.withLock { $0.compactMap(\.player) }
    for player in players { waitForMedium(of: player) }
    guard seconds > 0, seconds.isFinite else { return }
    clock.advance(bySeconds: seconds, settling: players.count { $0.currentItem != nil })
  }

  // MARK: - What was heard

  /// What was heard of each stream so far, in order of their opening.
  public var heard: [HeardSound] {
    sink.captures.map {
      HeardSound(
        sampleRate: $0.format.sampleRate, channelCount: $0.format.channelCount, samples: $0.samples,
        digest: $0.digest.hex)
    }
  }

  /// Streams open on the output now: a muted player has none.
  public var openStreamCount: Int { sink.statistics.openStreams }

  // MARK: - What happens to an output

  /// A call begins, or is over.
  public func setInterrupted(_ interrupted: Bool) { sink.interrupt(interrupted) }

  /// The device is suspended, or goes on.
  public func setSuspended(_ suspended: Bool) { sink.setSuspended(suspended) }

  /// The server stops to answer, or answers again.
  public func setFrozen(_ frozen: Bool) { sink.setFrozen(frozen) }

  /// The server ends, and with it every stream, or is there again.
  public func setAvailable(_ available: Bool) { sink.setAvailable(available) }

  // MARK: - Within

  private struct WeakPlayer: Sendable {
    weak let player: AVPlayer?
  }

  private var environment: PlayerEnvironment {
    let sink = sink
    var environment = PlayerEnvironment.system
    environment.clock = clock
    environment.sink = { _ in sink }
    return environment
  }

  private func keep<Player: AVPlayer>(_ player: Player) -> Player {
    players.withLock { players in
      players.removeAll { $0.player == nil }
      players.append(WeakPlayer(player: player))
    }
    return player
  }

  /// Looks again and again: observations come on a queue that the caller may hold up.
  private func waitForMedium(of player: AVPlayer) {
    let limit = SystemClock().now.advanced(bySeconds: 10)
    let pause = Monitor(())
    while isReading(player), SystemClock().now < limit {
      _ = pause.wait(until: SystemClock().now.advanced(bySeconds: 0.001)) { _ in nil as Void? }
    }
  }

  private func isReading(_ player: AVPlayer) -> Bool {
    guard let item = player.currentItem else { return false }
    if item.status == .unknown { return true }
    clock.settle(threads: 1)
    return player.rate != 0 && item.status == .readyToPlay && item.isPlaybackBufferEmpty
  }
}
