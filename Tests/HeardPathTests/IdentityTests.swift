import TestSupport
import Testing
import VPlayKit

extension HeardPathTests {
  @Suite struct Identity {
    private static let levels: [Float] = [1, 0.6, 0.3]

    @Test(arguments: ServerKind.allCases)
    func everyFrameHeardIsTheAskedOne(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      for (file, seed) in [(try NoiseFile.wav(), UInt64(1)), (try NoiseFile.flac(offset: 1 << 24), 2)] {
        let start = server.capture.frameCount
        heard.load(file.url)
        var random = SeededGenerator(seed: seed)
        heard.play()
        for _ in 0..<32 {
          heard.wait(seconds: .random(in: 0.04...0.3, using: &random))
          act(heard, &random)
        }
        heard.setVolume(1)
        heard.setMuted(false)
        heard.play()
        #expect(heard.waitForAnswers())
        heard.wait(seconds: 0.5)
        heard.pause()
        heard.wait(seconds: 0.3)
        let runs = file.runs(in: server.capture.samples(from: start), levels: Self.levels)
        let trace = HeardTrace(runs, heard.acts, from: start)
        #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(runs)")
        #expect(runs.last?.origin == .silence)
      }
      #expect(heard.answers.all.map(\.seek).sorted() == Array(0..<heard.seekCount))
    }

    private func act(_ heard: HeardPlayer, _ random: inout SeededGenerator) {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: heard.setVolume(Self.levels.randomElement(using: &random) ?? 1)
      case 2, 3: heard.setMuted(!heard.player.isMuted)
      case 4, 5, 6: if heard.player.rate == 0 { heard.play() } else { heard.pause() }
      default: heard.seek(toFrame: .random(in: 0..<Int64(NoiseFile.frames) - 15 * 48_000, using: &random))
      }
    }
  }
}
