import Foundation
import Glibc
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

/// What this process holds of the system.
private struct Held {
  var descriptors = Held.count("/proc/self/fd")
  var threads = Held.count("/proc/self/task")
  var kilobytes = Held.residentKilobytes()

  /// Waits, for a while, until it is what is expected: threads end in their own time, and the queues' are kept for some
  /// seconds.
  static func settled(_ isExpected: (Held) -> Bool) -> Held {
    let clock = SystemClock()
    let pause = Log<Bool>()
    let start = clock.now
    while true {
      _ = pause.wait(seconds: 0.2) { !$0.isEmpty }
      let held = Held()
      let passed = clock.now.seconds(since: start)
      if passed > 1, isExpected(held) { return held }
      if passed > 12 { return held }
    }
  }

  private static func count(_ folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }

  private static func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
  }
}
