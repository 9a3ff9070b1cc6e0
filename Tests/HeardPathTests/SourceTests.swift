import Foundation
import Glibc
import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  /// What is heard, on a real server, of media that come late, in pieces, or over the network.
  @Suite(.serialized) struct SourceTests {
    private func isSound(_ runs: [TracedRun], frames: Int) -> Bool {
      var next: Int64 = 0
      for run in runs {
        guard let media = run.media else { continue }
        if media.lowerBound != next { return false }
        next = media.upperBound
      }
      return next == Int64(frames)
    }

    /// B26: a source that falls silent for longer than all that is buffered.
    @Test(arguments: ServerKind.allCases)
    func b26ASlowPipeIsHeardWhole(_ kind: ServerKind) throws {
      let server = try kind.start()
      let file = try NoiseFile.wav()
      let frames = 100_000
      var bytes = [UInt8](try Data(contentsOf: file.url).prefix(44 + frames * 4))
      bytes.replaceSubrange(40..<44, with: [255, 255, 255, 255])
      let pipe = Pipe()
      let writer = pipe.fileHandleForWriting
      let (start, rest) = (Data(bytes[..<200_000]), Data(bytes[200_000...]))
      Thread.detachNewThread { try? writer.write(contentsOf: start) }
      let heard = HeardPlayer(server)
      heard.player.replaceCurrentItem(
        with: AVPlayerItem(url: try #require(URL(string: "pipe:\(pipe.fileHandleForReading.fileDescriptor)"))))
      let item = try #require(heard.player.currentItem)
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      heard.wait(seconds: 0.5)
      let stood = heard.player.currentTime()
      heard.wait(seconds: 2.5)
      #expect(heard.player.currentTime() == stood && !item.duration.isNumeric)
      Thread.detachNewThread {
        try? writer.write(contentsOf: rest)
        try? writer.close()
      }
      #expect(waitUntil(heard.player, \.rate) { $0 == 0 })
      heard.wait(seconds: 0.5)
      let runs = file.runs(in: server.capture.samples)
      #expect(isSound(runs, frames: frames), "\(runs)")
    }

    /// B26: latencies that the environment asks of every stream.
    @Test(arguments: ["1", "3000"])
    func b26AnyLatencyIsHeardWholeAndSeeksAnswer(_ latency: String) throws {
      let server = try PrivatePulseServer()
      setenv("PULSE_LATENCY_MSEC", latency, 1)
      defer { unsetenv("PULSE_LATENCY_MSEC") }
      let file = try NoiseFile.wav()
      let heard = HeardPlayer(server)
      heard.load(file.url)
      heard.player.currentItem?.forwardPlaybackEndTime = CMTime(value: 144_000, timescale: 48_000)
      heard.play()
      #expect(waitUntil(heard.player, \.rate) { $0 == 0 })
      heard.wait(seconds: 0.5)
      #expect(isSound(file.runs(in: server.capture.samples), frames: 144_000))
      heard.player.currentItem?.forwardPlaybackEndTime = .invalid
      heard.play()
      for frame in [1_000_000, 50_000] as [Int64] {
        let start = SystemClock().now
        heard.seek(toFrame: frame)
        #expect(heard.waitForAnswers())
        #expect(SystemClock().now.seconds(since: start) < 0.3)
      }
      #expect(heard.answers.all.allSatisfy { $0.isDone })
    }

    /// A server that stalls and one that breaks off: all is heard, in order, with a hole where nothing came.
    @Test func aTroubledNetworkIsHeardWhole() throws {
      let file = try NoiseFile.wav()
      let frames = 200_000
      var bytes = [UInt8](try Data(contentsOf: file.url).prefix(44 + frames * 4))
      let size = UInt32(frames * 4)
      bytes.replaceSubrange(40..<44, with: withUnsafeBytes(of: size.littleEndian) { Array($0) })
      let whole = bytes
      let web = try HTTPServer { request in
        HTTPReply(whole) {
          if request.number == 0 { $0.dropsAt = 200_044 } else { $0.stallsAt = 400_044 }
        }
      }
      let server = try PrivatePulseServer()
      let heard = HeardPlayer(server)
      heard.load(try #require(URL(string: web.url("noise.wav"))))
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
      #expect(heard.player.reasonForWaitingToPlay == .toMinimizeStalls)
      heard.wait(seconds: 0.5)
      web.release()
      #expect(waitUntil(heard.player, \.rate) { $0 == 0 })
      heard.wait(seconds: 0.5)
      #expect(isSound(file.runs(in: server.capture.samples), frames: frames))
    }
  }
}
