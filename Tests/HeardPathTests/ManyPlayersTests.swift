import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  @Suite struct ManyPlayersTests {
    private static let count = 64
    private static let rate = 48_000

    private static func frequency(_ index: Int) -> Double { Double(300 + 100 * index) }

    /// 64 players in one process, each with a tone of its own: all are heard, and go on in step.
    ///
    /// PulseAudio mixes 32 streams on a sink and leaves the others waiting: there the second half has a sink of its own.
    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func sixtyFourPlayersAreHeardInStep(_ kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind) { $0.nullSinks = kind == .pulseAudio ? 1 : 0 })
      defer { server.stop() }
      let files = try (0..<Self.count).map { try Self.tone($0) }
      let environment = HeardPlayer.environment(server)
      let first = AVPlayer(environment: environment)
      first.replaceCurrentItem(with: AVPlayerItem(url: files[0]))
      #expect(waitUntil(first, \.status) { $0 == .readyToPlay })
      let before = Held()
      let players =
        [first]
        + files.dropFirst().map { file in
          let player = AVPlayer(environment: environment)
          player.replaceCurrentItem(with: AVPlayerItem(url: file))
          return player
        }
      for player in players { #expect(waitUntil(player, \.status) { $0 == .readyToPlay }) }
      let heard = kind == .pulseAudio ? Self.count / 2 : Self.count
      for player in players[heard...] { player.audioOutput = .pulse(device: "n1") }
      for player in players { player.play() }
      for player in players { #expect(waitUntil(player, \.timeControlStatus, seconds: 30) { $0 == .playing }) }
      server.capture.wait(seconds: 1)
      let early = Self.spread(players)
      server.capture.wait(seconds: 3)
      let late = Self.spread(players)
      // Each is where it would be alone, and none has lost on another.
      // PipeWire tells its time by the block, and at 64 streams late.
      let limit = kind == .pulseAudio ? 0.01 : 0.1
      for (one, other) in zip(early, late) { #expect(abs(one - other) < limit) }
      let end = server.capture.frameCount
      #expect(server.capture.wait(forFrames: end + Self.rate))
      let samples = server.capture.samples(from: end)
      for index in 0..<heard {
        let level = Self.level(of: Self.frequency(index), in: samples)
        #expect(abs(level - 1.0 / 80) < 0.002, "\(Self.frequency(index)) Hz: \(level)")
      }
      let after = Held()
      let kilobytes = (after.kilobytes - before.kilobytes) / (Self.count - 1)
      #expect(kilobytes < 4096)
      print("64 players, \(kind): \(kilobytes) KB, \(Double(after.threads - before.threads) / 63) threads each")
    }

    /// How far each player is from the first, in seconds.
    private static func spread(_ players: [AVPlayer]) -> [Double] {
      let clock = SystemClock()
      let start = clock.now
      let times = players.map { $0.currentTime().seconds - clock.now.seconds(since: start) }
      return times.map { $0 - times[0] }
    }

    private static func tone(_ index: Int) throws -> URL {
      let step = 2 * Double.pi * frequency(index) / Double(rate)
      // By recurrence: a sine for each frame would take long.
      var (last, next) = (0.0, sin(step) * 32_767 / 80)
      let factor = 2 * cos(step)
      var samples: [Int16] = []
      samples.reserveCapacity(rate * 30)
      for _ in 0..<rate * 30 {
        samples.append(Int16(last.rounded()))
        (last, next) = (next, factor * next - last)
      }
      let header = MediaFixtures.wavHeader(dataBytes: samples.count * 2, rate: rate, channels: 1)
      return try MediaFixtures.bytes("tone-\(index).wav", header + samples.withUnsafeBytes { Array($0) })
    }

    /// The amplitude of a frequency in a second of the left channel, full scale 1.
    private static func level(of frequency: Double, in samples: [Int16]) -> Double {
      let factor = 2 * cos(2 * Double.pi * frequency / Double(rate))
      var (first, second) = (0.0, 0.0)
      for index in stride(from: 0, to: 2 * rate, by: 2) {
        (first, second) = (Double(samples[index]) + factor * first - second, first)
      }
      let power = first * first + second * second - factor * first * second
      return 2 * power.squareRoot() / Double(rate) / 32_768
    }
  }
}
