import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

/// B24: outputs that are suspended, changed, or taken away.
extension HeardPathTests {
  @Suite struct Devices {
    @Test("suspended in mid-play: time stands still, nothing is lost, B24")
    func aSuspendedSinkStopsTimeAndLosesNothing() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let (heard, file) = try playing(on: server)
      try server.run("pactl", "suspend-sink", "lab", "1")
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      let pause = Log<Bool>()
      // What the sink had taken is heard to its end.
      _ = pause.wait(seconds: 0.1) { !$0.isEmpty }
      let stood = heard.player.currentTime()
      _ = pause.wait(seconds: 0.7) { !$0.isEmpty }
      #expect(heard.player.currentTime() == stood)
      let count = server.capture.frameCount
      try server.run("pactl", "suspend-sink", "lab", "0")
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.5)
      let told = heard.player.currentTime().seconds
      heard.pause()
      heard.wait(seconds: 0.2)
      let trace = heard.trace(of: file)
      #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(trace.runs)")
      let media = trace.runs.compactMap(\.media)
      #expect(media.count <= 2)
      // What is told is what is heard.
      let last = Double(media.last?.upperBound ?? 0) / 48_000
      #expect(abs(last - told) < 0.1, "\(last) \(told) \(trace.runs) \(count)")
    }

    @Test("played, sought and paused while suspended: it waits, and says so, B24")
    func aSuspendedSinkIsWaitedFor() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      try server.run("pactl", "suspend-sink", "lab", "1")
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      let isWaiting = { waitUntil(heard.player, \.reasonForWaitingToPlay) { $0 == .outputUnavailable } }
      #expect(isWaiting())
      heard.seek(toFrame: 480_000)
      #expect(heard.waitForAnswers())
      #expect(isWaiting())
      heard.pause()
      heard.play()
      #expect(isWaiting())
      #expect(heard.player.currentTime() == CMTime(value: 10, timescale: 1))
      try server.run("pactl", "suspend-sink", "lab", "0")
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.5)
      let runs = file.runs(in: server.capture.samples).filter { $0.origin != .silence }
      #expect(runs.first?.media?.lowerBound == 480_000 && runs.count == 1, "\(runs)")
    }

    @Test("moved to a suspended sink: it waits, B24") func aStreamMovedToASuspendedSinkWaits() throws {
      let server = try PrivatePulseServer(.init { $0.nullSinks = 1 })
      defer { server.stop() }
      let (heard, _) = try playing(on: server)
      try server.run("pactl", "suspend-sink", "n1", "1")
      let stream = try #require(heard.streams().last).index
      try server.run("pactl", "move-sink-input", "\(stream)", "n1")
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      try server.run("pactl", "move-sink-input", "\(stream)", "lab")
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
    }

    @Test("a moved stream goes on, B24") func aMovedStreamGoesOn() throws {
      let server = try PrivatePulseServer(.init { $0.nullSinks = 1 })
      defer { server.stop() }
      let (heard, file) = try playing(on: server)
      let stream = try #require(heard.streams().last).index
      try server.run("pactl", "move-sink-input", "\(stream)", "n1")
      heard.wait(seconds: 0.5)
      #expect(heard.player.timeControlStatus == .playing)
      try server.run("pactl", "move-sink-input", "\(stream)", "lab")
      heard.wait(seconds: 0.5)
      try expectHole(heard, file, seconds: 0.3...0.9)
    }

    /// Where the rate is another one, a new stream takes over, on the sink that the user chose.
    @Test func aStreamMovedToAnotherRateGoesOnThere() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      try server.run("pactl", "load-module", "module-null-sink", "sink_name=slow", "rate=44100")
      // Only a sink that is idle would follow the stream's rate.
      _ = try server.launch("pacat", "--playback", "--device=slow", "--rate=44100", "/dev/zero")
      let (heard, file) = try playing(on: server)
      let stream = try #require(heard.streams().last).index
      try server.run("pactl", "move-sink-input", "\(stream)", "slow")
      heard.wait(seconds: 0.7)
      #expect(heard.player.timeControlStatus == .playing)
      let again = try #require(heard.streams().last).index
      #expect(again != stream)
      #expect(try sink(ofStream: again, server) == "slow")
      try server.run("pactl", "move-sink-input", "\(again)", "lab")
      heard.wait(seconds: 0.7)
      // Until the next stream takes over the server resamples what it has.
      try expectHole(heard, file, seconds: 0.4...1.4, resampled: true)
    }

    @Test("a sink that is taken away is left, B24") func aSinkThatIsTakenAwayIsLeft() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let module = try server.run("pactl", "load-module", "module-null-sink", "sink_name=gone", "rate=48000")
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.player.audioOutputDeviceUniqueID = "gone"
      heard.load(file.url)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      // A null sink that was idle has up to two seconds of silence to play first.
      let log = Log<Bool>()
      let observer = heard.player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 5), queue: DispatchQueue(label: "test.observer")
      ) { if $0.seconds >= 0.4 { log.add(true) } }
      #expect(log.wait { !$0.isEmpty })
      heard.player.removeTimeObserver(observer)
      let before = heard.player.currentTime().seconds
      try server.run("pactl", "unload-module", module.trimmingCharacters(in: .whitespacesAndNewlines))
      let after = heard.player.currentTime().seconds
      heard.wait(seconds: 0.7)
      #expect(heard.player.timeControlStatus == .playing)
      let runs = file.runs(in: server.capture.samples).filter { $0.media != nil }
      let first = try #require(runs.first?.media?.lowerBound)
      #expect((before - 0.1...after + 0.4).contains(Double(first) / 48_000), "\(runs) \(before) \(after)")
    }

    @Test("the last sink is taken away: it waits, ends at once when asked, goes on when there is one again, B24")
    func theLastSinkIsTakenAway() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let (first, _) = try playing(on: server)
      let (second, _) = try playing(on: server)
      try server.run("pactl", "unload-module", "module-pipe-sink")
      for heard in [first, second] {
        #expect(waitUntil(heard.player, \.reasonForWaitingToPlay, seconds: 3) { $0 == .outputUnavailable })
      }
      let time = first.player.currentTime()
      let start = SystemClock().now
      second.player.pause()
      second.player.replaceCurrentItem(with: nil)
      #expect(SystemClock().now.seconds(since: start) < 0.2)
      try server.run("pactl", "load-module", "module-null-sink", "sink_name=new", "rate=48000")
      #expect(waitUntil(first.player, \.timeControlStatus) { $0 == .playing })
      #expect(first.player.currentTime() >= time && first.player.currentTime().seconds < time.seconds + 2)
    }

    private func playing(on server: PrivatePulseServer) throws -> (HeardPlayer, NoiseFile) {
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.5)
      return (heard, file)
    }

    private func sink(ofStream index: Int, _ server: PrivatePulseServer) throws -> String? {
      let inputs = try server.run("pactl", "list", "short", "sink-inputs").split(separator: "\n")
      let sinks = try server.run("pactl", "list", "short", "sinks").split(separator: "\n")
      let input = inputs.map { $0.split(separator: "\t") }.first { $0[0] == "\(index)" }
      let sink = sinks.map { $0.split(separator: "\t") }.first { $0[0] == input?[1] ?? "" }
      return (sink?[1]).map(String.init)
    }

    /// The sound was away and came back, and time had gone on meanwhile as it does.
    private func expectHole(
      _ heard: HeardPlayer, _ file: NoiseFile, seconds: ClosedRange<Double>, resampled: Bool = false
    ) throws {
      let runs = file.runs(in: heard.server.capture.samples)
      let unknown = runs.reduce(0) { $0 + ($1.origin == .unknown ? $1.frameCount : 0) }
      #expect(unknown <= (resampled ? 14_400 : 0), "\(runs)")
      let media = runs.filter { $0.media != nil }
      #expect(media.count == 2, "\(runs)")
      guard media.count == 2, let old = media[0].media, let new = media[1].media else { return }
      let hole = Double(media[1].captureFrame - media[0].captureEnd) / 48_000
      #expect(seconds.contains(hole), "\(runs)")
      let skipped = Double(new.lowerBound - old.upperBound) / 48_000
      #expect(abs(hole - skipped) < 0.3, "\(hole) \(skipped) \(runs)")
    }
  }
}
