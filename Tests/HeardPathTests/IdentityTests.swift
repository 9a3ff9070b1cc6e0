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
        for _ in 0..<26 {
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
        let trace = heard.trace(of: file, from: start, levels: Self.levels)
        #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(trace.runs)")
        #expect(trace.runs.last?.origin == .silence)
        #expect(trace.runs.reduce(0) { $0 + ($1.media?.count ?? 0) } > 48_000)
      }
      #expect(heard.answers.all.map(\.seek).sorted() == Array(0..<heard.seekCount))
    }

    private func act(_ heard: HeardPlayer, _ random: inout SeededGenerator) {
      if Bool.random(using: &random) {
        // What is silent is not so for long.
        if heard.player.isMuted { return heard.setMuted(false) }
        if heard.player.rate == 0 { return heard.play() }
      }
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: heard.setVolume(Self.levels.randomElement(using: &random) ?? 1)
      case 2, 3, 4: heard.setMuted(!heard.player.isMuted)
      case 5, 6, 7: if heard.player.rate == 0 { heard.play() } else { heard.pause() }
      default: heard.seek(toFrame: .random(in: 0..<Int64(NoiseFile.frames) - 15 * 48_000, using: &random))
      }
    }
  }
}
