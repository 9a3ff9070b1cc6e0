import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  @Suite struct Seeks {
    @Test("random seeks: the first frame heard is the asked one, and none is stale, B18", arguments: [false, true])
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

    @Test("in mid-play the new place is heard within 100 ms, and nothing of the old one after it, B18")
    func isHeardSoon() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      heard.wait(seconds: 0.5)
      var delays: [Double] = []
      for round in 1...5 {
        let target = Int64(round) * 240_000
        let (frame, asked) = (server.capture.frameCount, SystemClock().now)
        heard.seek(toFrame: target)
        heard.wait(seconds: 0.4)
        let runs = file.runs(in: server.capture.samples(from: frame))
        let first = try #require(runs.firstIndex { $0.media?.lowerBound == target }, "\(runs)")
        delays.append(server.capture.hostTime(ofFrame: frame + runs[first].captureFrame).seconds(since: asked))
        #expect(runs[first...].count == 1, "\(runs)")
      }
      // A machine that was busy just then delays some.
      #expect(delays.min() ?? .infinity < 0.1, "\(delays)")
    }

    @Test("in a pause nothing is heard, and the time is the asked one from the call on, B18, B31")
    func whilePaused() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      let file = try NoiseFile.wav()
      heard.load(file.url)
      heard.play()
      heard.wait(seconds: 0.7)
      heard.pause()
      heard.wait(seconds: 0.3)
      let paused = server.capture.frameCount
      heard.seek(toFrame: 480_000)
      for _ in 0..<20 {
        #expect(heard.player.currentTime() == CMTime(value: 10, timescale: 1))
        heard.wait(seconds: 0.005)
      }
      for seconds in [4, 15, 6] as [Int64] { heard.seek(toFrame: seconds * 48_000) }
      #expect(heard.player.currentTime() == CMTime(value: 6, timescale: 1))
      #expect(heard.waitForAnswers())
      #expect(heard.answers.all.map(\.seek).sorted() == [0, 1, 2, 3])
      #expect(heard.answers.all.last?.seek == 3 && heard.answers.all.last?.isDone == true)
      heard.wait(seconds: 0.3)
      #expect(heard.player.currentTime() == CMTime(value: 6, timescale: 1))
      #expect(heard.player.rate == 0)
      #expect(server.capture.samples(from: paused).allSatisfy { $0 == 0 })
      heard.play()
      heard.wait(seconds: 0.4)
      let runs = file.runs(in: server.capture.samples(from: paused)).filter { $0.origin != .silence }
      #expect(runs.first?.media?.lowerBound == 6 * 48_000 && runs.count == 1, "\(runs)")
    }

    /// Several at once: but the last, each is told that it was superseded.
    @Test("superseded seeks are told so, each once, B31") func supersededSeeksAreToldSo() throws {
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
