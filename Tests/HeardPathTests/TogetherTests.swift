import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel
import VPlayPulse

extension HeardPathTests {
  /// Players that are given the same instant to begin at.
  @Suite struct Together {
    private static let rate = 48_000
    private static let spacing = 4800

    /// Silence with one click, at a place of its own.
    private func click(_ number: Int) throws -> URL {
      var samples = [Int16](repeating: 0, count: Self.rate * 7 / 5 * 2)
      let start = Self.rate / 2 + number * Self.spacing
      for index in start * 2..<(start + 48) * 2 { samples[index] = 6000 }
      return try MediaFixtures.wav("click-\(number).wav", samples: samples, rate: Self.rate, channels: 2)
    }

    /// Where the capture's clicks begin.
    private func clicks(in samples: [Int16]) -> [Int] {
      var starts: [Int] = []
      for frame in 0..<samples.count / 2 where abs(samples[frame * 2]) > 3000 {
        if starts.last.map({ frame - $0 > Self.spacing / 2 }) ?? true { starts.append(frame) }
      }
      return starts
    }

    @Test(arguments: [2, 8], ServerKind.allCases)
    func playersBeginTogether(count: Int, kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let players = try (0..<count).map { number in
        let player = AVPlayer(environment: HeardPlayer.environment(server, sink: sink))
        player.replaceCurrentItem(with: AVPlayerItem(url: try click(number)))
        return player
      }
      for player in players { #expect(waitUntil(player, \.currentItem?.status) { $0 == .readyToPlay }) }
      let start = CMClock.hostTimeClock.time + CMTime(value: 1, timescale: 1)
      for player in players { player.setRate(1, time: .zero, atHostTime: start) }
      for player in players { #expect(waitUntil(player, \.rate, seconds: 20) { $0 == 0 }) }
      let found = clicks(in: server.capture.samples)
      try #require(found.count == count, "\(found)")
      // PipeWire tells the time of its streams by quanta; here one is as long as the recorder's.
      let limit = Self.rate * (kind == .pipeWire ? 25 : 5) / 1000
      for (number, frame) in found.enumerated() {
        #expect(abs(frame - found[0] - number * Self.spacing) <= limit, "\(number): \(frame - found[0])")
      }
    }
  }
}
