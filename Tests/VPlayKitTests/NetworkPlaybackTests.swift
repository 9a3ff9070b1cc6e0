import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayKit
import VPlayModel
import VPlayTesting

/// Players of media over `http`, heard on an output that takes sound at the pace of the system's clock.
///
/// Serialized, as they wait for most of their time: others need the threads.
@Suite(.serialized) struct NetworkPlaybackTests {
  static let noise = NoiseMedia()

  static func wav(seconds: Double) -> [UInt8] {
    let frames = Int(seconds * 48_000)
    return MediaFixtures.wavHeader(dataBytes: frames * 4, rate: 48_000, channels: 2)
      + noise.bytes(fromFrame: 0, count: frames)
  }

  /// The byte of the file at which a time's sound begins.
  static func byte(_ seconds: Double) -> Int { 44 + Int(seconds * 48_000) * 4 }

  final class Rig {
    let sink: SimulatedSink
    let player: AVPlayer
    let item: AVPlayerItem

    init(_ url: String, options: [String: Any]? = nil, bufferSeconds: Double = 0) throws {
      let clock = SystemClock()
      let sink = SimulatedSink(clock: clock)
      self.sink = sink
      player = AVPlayer(
        environment: PlayerEnvironment(
          clock: clock, sink: { _ in sink },
          makeConverter: { (input, output) throws(MediaError) in try FFmpegAudioConverter(from: input, to: output) },
          makeSource: { FFmpegSource(url: $0.absoluteString) }))
      item = AVPlayerItem(asset: AVURLAsset(url: try #require(URL(string: url)), options: options))
      item.preferredForwardBufferDuration = bufferSeconds
      player.replaceCurrentItem(with: item)
    }

    /// The media frames heard, as stretches without a break; silence and ramps left out.
    var heard: [Range<Int64>] {
      var runs: [Range<Int64>] = []
      let samples = sink.heardSamples
      for index in stride(from: 0, to: samples.count - 1, by: 2) {
        let (left, right) = (samples[index] * 32_768, samples[index + 1] * 32_768)
        guard left != 0 || right != 0, left == left.rounded(), right == right.rounded() else { continue }
        let frame = NetworkPlaybackTests.noise.frame(low: Int(left), high: Int(right))
        guard (0..<10_000_000).contains(frame) else { continue }
        if let last = runs.last, last.upperBound == frame {
          runs[runs.count - 1] = last.lowerBound..<frame + 1
        } else {
          runs.append(frame..<frame + 1)
        }
      }
      return runs
    }

    /// Lets the output play on, whatever it plays.
    func play(seconds: Double) {
      let clock = SystemClock()
      _ = Monitor(()).wait(until: clock.now.advanced(bySeconds: seconds)) { _ in nil as Bool? }
    }
  }

  @Test func aStallIsToldAndPassesByItselfWithoutALostFrame() throws {
    let bytes = Self.wav(seconds: 4)
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.stallsAt = Self.byte(2) } }
    let rig = try Rig(server.url("a.wav"))
    let stalls = Posts(.AVPlayerItemPlaybackStalled, of: [rig.item])
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [rig.item])
    let fullness = Log<Bool>()
    let observation = rig.item.observe(\.isPlaybackLikelyToKeepUp, options: [.new]) { _, change in
      if let value = change.newValue { fullness.add(value) }
    }
    defer { observation.invalidate() }
    rig.player.play()
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    #expect(rig.item.isPlaybackLikelyToKeepUp && !rig.item.isPlaybackBufferEmpty)

    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
    #expect(rig.player.reasonForWaitingToPlay == .toMinimizeStalls && rig.player.rate == 1)
    #expect(stalls.log.wait(count: 1))
    #expect(waitUntil(rig.item, \.isPlaybackBufferEmpty) { $0 })
    #expect(!rig.item.isPlaybackLikelyToKeepUp && !rig.item.isPlaybackBufferFull)
    // What was read before the stall is heard out.
    rig.play(seconds: 0.2)
    let stall = rig.player.currentTime()
    #expect(abs(stall.seconds - 1.97) < 0.04)
    rig.play(seconds: 0.3)
    #expect(rig.player.currentTime() == stall)

    server.release()
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    #expect(ends.log.wait(count: 1))
    #expect(rig.heard == [0..<192_000])
    #expect(ends.log.wait(count: 1) && stalls.log.count == 1 && ends.log.count == 1)
    #expect(fullness.wait { $0 == [true, false, true] })
  }

  @Test func aStallFreezesNoCall() throws {
    let bytes = Self.wav(seconds: 30)
    // What is asked for later never comes at all.
    let server = try HTTPServer { request in
      HTTPReply(bytes) { $0.stallsAt = max(Self.byte(1), request.rangeStart ?? 0) }
    }
    var rig: Rig? = try Rig(server.url("a.wav"))
    let player = try #require(rig?.player)
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .waitingToPlayAtSpecifiedRate })
    let clock = SystemClock()
    let start = clock.now
    player.pause()
    #expect(player.timeControlStatus == .paused)
    player.play()
    let answers = Log<Bool>()
    for second in [20, 5, 25] {
      player.seek(to: CMTime(value: Int64(second), timescale: 1), toleranceBefore: .zero, toleranceAfter: .zero) {
        answers.add($0)
      }
      #expect(player.currentTime().seconds == Double(second))
    }
    #expect(answers.wait(count: 2))
    player.replaceCurrentItem(with: nil)
    #expect(answers.wait(count: 3))
    #expect(answers.all == [false, false, false])
    rig = nil
    #expect(clock.now.seconds(since: start) < 3)
  }

  @Test func aSeekOverTheNetworkIsHeardFromTheVeryFrame() throws {
    let bytes = Self.wav(seconds: 60)
    let server = try HTTPServer { _ in HTTPReply(bytes) }
    let rig = try Rig(server.url("a.wav"))
    rig.player.play()
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    for frame in [2_500_001, 77] {
      let answers = Log<Bool>()
      rig.player.seek(
        to: CMTime(value: Int64(frame), timescale: 48_000), toleranceBefore: .zero, toleranceAfter: .zero
      ) { answers.add($0) }
      #expect(answers.wait(count: 1) && answers.all == [true])
      rig.play(seconds: 0.3)
    }
    rig.player.pause()
    let starts = rig.heard.filter { $0.count > 1000 }.map(\.lowerBound)
    #expect(Array(starts.suffix(2)) == [2_500_001, 77])
  }

  @Test func aServerTooSlowIsWaitedForInFewPauses() throws {
    let bytes = Self.wav(seconds: 4)
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.bytesPerSecond = 96_000 } }
    let rig = try Rig(server.url("a.wav"))
    let stalls = Posts(.AVPlayerItemPlaybackStalled, of: [rig.item])
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [rig.item])
    rig.player.play()
    #expect(ends.log.wait(count: 1, seconds: 40))
    #expect(rig.heard == [0..<192_000])
    #expect(stalls.log.count <= 5)
  }

  @Test(arguments: [
    ("404 Not Found", AVError.Code.contentIsUnavailable), ("403 Forbidden", .contentIsNotAuthorized),
    ("500 Internal Server Error", .failedToLoadMediaData),
  ])
  func aRefusalIsTheItemsError(_ status: String, _ code: AVError.Code) throws {
    let server = try HTTPServer { _ in .status(status) }
    let rig = try Rig(server.url("a.wav"))
    rig.player.play()
    #expect(waitUntil(rig.item, \.status) { $0 == .failed })
    let error = try #require(rig.item.error as? AVError)
    #expect(error.code == code && !error.reason.isEmpty && error.underlyingError != nil)
  }

  @Test func aMediumThatBreaksOffForGoodFailsWhereItBroke() throws {
    let bytes = Self.wav(seconds: 4)
    let server = try HTTPServer { request in
      request.number == 0 ? HTTPReply(bytes) { $0.dropsAt = Self.byte(1) } : .status("404 Not Found")
    }
    let rig = try Rig(server.url("a.wav"))
    let failures = Posts(.AVPlayerItemFailedToPlayToEndTime, of: [rig.item])
    rig.player.play()
    #expect(failures.log.wait(count: 1))
    #expect(rig.heard == [0..<48_000])
    #expect((rig.item.error as? AVError)?.code == .contentIsUnavailable)
  }

  @Test func whatIsReadAheadIsBounded() throws {
    let bytes = Self.wav(seconds: 120)
    let server = try HTTPServer { _ in HTTPReply(bytes) }
    for (wanted, limit) in [(2.0, 2.5), (0.0, 20.5)] {
      let rig = try Rig(server.url("a.wav"), bufferSeconds: wanted)
      #expect(waitUntil(rig.item, \.isPlaybackBufferFull) { $0 })
      let loaded = try #require(rig.item.loadedRange)
      #expect(loaded.start == .zero && loaded.duration.seconds < limit && loaded.duration.seconds > limit * 0.8 - 1)
      #expect(rig.item.isPlaybackLikelyToKeepUp)
      #expect(rig.item.seekableRange?.duration.seconds == 120)
    }
  }

  @Test func anEndlessStreamHasNoLengthAndATitle() throws {
    let wav = try MediaFixtures.wav(
      "stream.wav", samples: MediaFixtures.noise(frames: 200_000, channels: 2), rate: 48_000, channels: 2)
    let bytes = [UInt8](
      try Data(
        contentsOf: try MediaFixtures.encode(wav, as: "stream.mp3", ["-write_xing", "0", "-id3v2_version", "0"])))
    let server = try HTTPServer { _ in
      HTTPReply(bytes) {
        $0.framing = .open
        $0.givesRanges = false
        $0.isEndless = true
        $0.headers["icy-name"] = "Radio Noise"
        $0.titles = ["one", "two"]
      }
    }
    let rig = try Rig(server.url("radio"))
    rig.player.play()
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    #expect(rig.item.duration.isIndefinite && rig.item.seekableRange == nil)
    #expect(eventually { rig.item.streamTags?.tags["title"] == "two" })
    let answers = Log<Bool>()
    rig.player.seek(to: CMTime(value: 3, timescale: 1)) { answers.add($0) }
    #expect(answers.wait(count: 1) && answers.all == [false])
  }

  @Test func anAssetsOptionsReachTheServer() throws {
    let bytes = Self.wav(seconds: 1)
    let server = try HTTPServer { _ in HTTPReply(bytes) }
    let rig = try Rig(
      server.url("a.wav"),
      options: [
        AVURLAssetHTTPUserAgentKey: "Kiosk/2", AVURLAssetHTTPHeaderFieldsKey: ["X-Shop": "7"],
        AVURLAssetRequestTimeoutKey: 3,
      ])
    #expect(waitUntil(rig.item, \.status) { $0 == .readyToPlay })
    #expect(server.requests.allSatisfy { $0.headers["user-agent"] == "Kiosk/2" && $0.headers["x-shop"] == "7" })
  }

  @Test func aTimeoutIsTheAssets() throws {
    let server = try HTTPServer { _ in HTTPReply(Self.wav(seconds: 1)) { $0.stallsAt = 0 } }
    let rig = try Rig(server.url("a.wav"), options: [AVURLAssetRequestTimeoutKey: 0.3, AVURLAssetPersistenceKey: 0.5])
    #expect(waitUntil(rig.item, \.status) { $0 == .failed })
    #expect((rig.item.error as? AVError)?.code == .failedToLoadMediaData)
  }

  @Test func playedImmediatelyItGoesOnWithTheFirstData() throws {
    let bytes = Self.wav(seconds: 30)
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.stallsAt = Self.byte(0.5) } }
    let rig = try Rig(server.url("a.wav"))
    rig.player.playImmediately(atRate: 1)
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    let range = try #require(rig.item.seekableTimeRanges.first?.timeRangeValue)
    #expect(range == CMTimeRange(start: .zero, duration: rig.item.duration))
  }

  @Test func withoutWaitingPlaybackGoesOnWithTheFirstData() throws {
    let bytes = Self.wav(seconds: 30)
    let server = try HTTPServer { _ in HTTPReply(bytes) { $0.stallsAt = Self.byte(0.5) } }
    let rig = try Rig(server.url("a.wav"))
    rig.player.automaticallyWaitsToMinimizeStalling = false
    rig.player.play()
    #expect(waitUntil(rig.player, \.timeControlStatus) { $0 == .playing })
    #expect(server.requests.count == 1)
  }
}
