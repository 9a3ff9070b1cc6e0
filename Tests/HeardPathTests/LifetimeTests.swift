import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayKit
import VPlayModel
import VPlayPulse

extension HeardPathTests {
  @Suite struct Lifetimes {
    /// Players opened, played and dropped leave nothing behind.
    @Test("500 players opened, played and dropped leave nothing behind, B36, B40")
    func fiveHundredPlayersLeaveNothingBehind() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let url = try NoiseFile.wav().url
      let sink = PulseSink(applicationName: "VPlayTests", server: server.server)
      let heard = HeardPlayer.environment(server, sink: sink)
      for index in 0..<50 { round(url, index % 8 == 0 ? heard : nil) }
      let before = Held.settled { _ in true }
      for index in 0..<500 { round(url, index % 8 == 0 ? heard : nil) }
      let after = Held.settled { $0.threads <= before.threads + 2 && $0.descriptors <= before.descriptors + 2 }
      #expect(after.threads <= before.threads + 2, "\(before) \(after)")
      #expect(after.descriptors <= before.descriptors + 2, "\(before) \(after)")
      #expect(after.kilobytes < before.kilobytes + 16_384, "\(before) \(after)")
      #expect(try server.run("pactl", "list", "short", "sink-inputs") == "")
      // With nothing to do, nothing is done.
      let idle = Held.cpuSeconds
      Thread.sleep(forTimeInterval: 1)
      #expect(Held.cpuSeconds - idle < 0.02)
    }

    private func round(_ url: URL, _ environment: PlayerEnvironment?) {
      let player = environment.map { AVPlayer(environment: $0) } ?? AVPlayer()
      if environment == nil { player.audioOutput = .null }
      player.replaceCurrentItem(with: AVPlayerItem(url: url))
      let log = Log<Bool>()
      let token = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 100), queue: DispatchQueue(label: "test.observer")
      ) { if $0 > .zero { log.add(true) } }
      player.play()
      #expect(log.wait { !$0.isEmpty })
      withExtendedLifetime(token) {}
    }
  }
}
