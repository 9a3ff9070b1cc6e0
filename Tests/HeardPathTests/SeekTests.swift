import TestSupport
import Testing
import VPlayKit

extension HeardPathTests {
  @Suite struct Seeks {
    @Test(arguments: [false, true])
    func theFirstFrameHeardIsTheAskedOne(pausing: Bool) throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.flac(offset: 0)
      heard.load(file.url)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      var random = SeededGenerator(seed: pausing ? 4 : 3)
      var lasts: Set<Int> = []
      while heard.seekCount < 100 {
        if pausing {
          heard.pause()
          heard.wait(seconds: .random(in: 0...0.03, using: &random))
        }
        for index in 0..<Int.random(in: 1...4, using: &random) {
          if index > 0, Bool.random(using: &random) { heard.wait(seconds: .random(in: 0...0.02, using: &random)) }
          heard.seek(toFrame: .random(in: 0..<Int64(NoiseFile.frames) - 48_000, using: &random))
        }
        if Bool.random(using: &random) { #expect(heard.waitForAnswers()) }
        if pausing { heard.play() }
        #expect(heard.waitForAnswers())
        heard.wait(seconds: .random(in: 0.08...0.14, using: &random))
        lasts.insert(heard.seekCount - 1)
      }
      heard.pause()
      heard.wait(seconds: 0.2)
      let trace = heard.trace(of: file)
      #expect(trace.faults.isEmpty, "\(trace.faults.joined(separator: "\n"))\n\(trace.runs)")
      // On a machine that was busy just then a seek may have taken longer than it was given to sound.
      #expect(lasts.subtracting(trace.seeksHeard).count <= 2, "\(lasts.subtracting(trace.seeksHeard))")
      let answers = heard.answers.all
      #expect(answers.map(\.seek).sorted() == Array(0..<heard.seekCount))
      #expect(Set(answers.filter { !$0.isDone }.map(\.seek)).isDisjoint(with: lasts))
      #expect(answers.contains { !$0.isDone })
    }

    /// Several at once: but the last, each is told that it was superseded.
    @Test func supersededSeeksAreToldSo() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      heard.load(try NoiseFile.flac(offset: 0).url)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      for frame in [48_000, 480_000, 96_000] as [Int64] { heard.seek(toFrame: frame) }
      #expect(heard.player.currentTime() == CMTime(value: 2, timescale: 1))
      #expect(heard.waitForAnswers())
      #expect(heard.answers.all.last?.seek == 2)
      #expect(heard.answers.all.last?.isDone == true)
    }
  }
}
