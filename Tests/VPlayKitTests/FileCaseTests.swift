import Foundation
import Glibc
import TestSupport
import Testing
import VPlayEngine
import VPlayKit
import VPlayModel

/// Reported faults of other players, by their numbers, on whole players of real files.
@Suite(.serialized) struct FileCaseTests {
  private static func seconds(_ value: Double) -> CMTime { CMTime(seconds: value, preferredTimescale: 90_000) }

  private static func seek(_ player: AVPlayer, _ time: CMTime) async -> Bool {
    await player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero)
  }

  static func clip() throws -> URL {
    try MediaFixtures.ffmpeg(
      "case-clip.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=6", "-f", "lavfi", "-i", "sine=440:r=48000:d=6"]
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "250", "-bf", "2", "-c:a", "aac", "-b:a", "128k"])
  }

  /// 4 s of silence in small frames make the length that the bit rate suggests more than twice the true one.
  static func noXing() throws -> URL {
    try MediaFixtures.ffmpeg(
      "case-noxing.mp3",
      ["-f", "lavfi", "-i", "sine=440:r=44100:d=4,volume=0"]
        + ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=16:a=0.5:seed=1"]
        + ["-filter_complex", "[0][1]concat=n=2:v=0:a=1,aformat=channel_layouts=stereo"]
        + ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", "-f", "mp3"])
  }

  @Test func `B02: a length that was a guess is corrected by decoding`() async throws {
    let rig = FileRig()
    let item = AVPlayerItem(url: try Self.noXing())
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    rig.player.insert(item, after: nil)
    #expect(waitUntil(item, \.duration) { $0.seconds > 40 })
    #expect(rig.playToEnd())
    #expect(ends.log.wait(count: 1) && ends.log.count == 1)
    #expect(abs(item.duration.seconds - 20) < 0.1)
    #expect(abs(item.currentTime().seconds - 20) < 0.1)
    #expect(abs(Double(try rig.rendered().frameCount) / 44_100 - 20) < 0.1)

    // Past the true end, inside the false length.
    let other = FileRig()
    let again = AVPlayerItem(url: try Self.noXing())
    let moreEnds = Posts(.AVPlayerItemDidPlayToEndTime, of: [again])
    other.player.insert(again, after: nil)
    #expect(waitUntil(again, \.status) { $0 == .readyToPlay })
    _ = await Self.seek(other.player, Self.seconds(30))
    #expect(other.playToEnd())
    #expect(moreEnds.log.wait(count: 1) && moreEnds.log.count == 1 && again.status == .readyToPlay)
    #expect(try other.rendered().frameCount == 0)
  }

  @Test(arguments: [3600, 95_440])
  func `B09: time begins at zero whatever the file's clock says`(offset: Int) async throws {
    let file = try MediaFixtures.encode(
      try Self.clip(), as: "case-\(offset).ts", ["-c", "copy", "-output_ts_offset", "\(offset)", "-f", "mpegts"])
    let player = AVPlayer(environment: FileRig.environment(NullSink(clock: SystemClock())))
    let item = AVPlayerItem(url: file)
    player.replaceCurrentItem(with: item)
    #expect(waitUntil(item, \.status) { $0 == .readyToPlay })
    #expect(abs(item.duration.seconds - 6) < 0.1)
    #expect(player.currentTime() == .zero)
    #expect(await Self.seek(player, Self.seconds(3)))
    #expect(abs(player.currentTime().seconds - 3) < 0.001)
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    let asked = SystemClock().now
    #expect(await Self.seek(player, Self.seconds(1)))
    let time = player.currentTime().seconds
    #expect((0.999...1.01 + SystemClock().now.seconds(since: asked)).contains(time))
    player.pause()

    let rig = FileRig()
    let looped = AVPlayerItem(url: file)
    let looper = AVPlayerLooper(player: rig.player, templateItem: looped, passes: 2)
    #expect(rig.playToEnd())
    #expect(looper.loopCount == 2)
    #expect(abs(Double(try rig.rendered().frameCount) / 48_000 - 12) < 0.2)
  }

  @Test(arguments: [(seek: 0.0, silence: 1.48), (1.0, 0.48), (4.0, 0.0)])
  func `B11: sound that starts late is heard late`(_ row: (seek: Double, silence: Double)) async throws {
    let clip = try Self.clip().path
    let file = try MediaFixtures.ffmpeg(
      "case-delay.mov",
      ["-i", clip, "-itsoffset", "1.5", "-i", clip, "-map", "0:v", "-map", "1:a", "-c", "copy", "-t", "7.5"])
    let rig = FileRig()
    let item = AVPlayerItem(url: file)
    rig.player.insert(item, after: nil)
    #expect(waitUntil(item, \.status) { $0 == .readyToPlay })
    #expect(await Self.seek(rig.player, Self.seconds(row.seek)))
    #expect(rig.playToEnd())
    #expect(abs(item.currentTime().seconds - 7.5) < 0.05)
    let rendered = try rig.rendered()
    let first = try #require(rendered.samples.firstIndex { abs($0) > 0.01 })
    #expect(abs(Double(first) / 48_000 - row.silence) < 0.06)
    #expect(abs(Double(rendered.frameCount) / 48_000 - (7.5 - row.seek)) < 0.05)
  }

  @Test func `B14 B35: a pipe of unknown length tells of none and ends where its data does`() async throws {
    let samples = MediaFixtures.noise(frames: 30_001, channels: 2)
    var bytes = MediaFixtures.wavBytes(samples: samples, rate: 44_100, channels: 2)
    for index in [4, 5, 6, 7, 40, 41, 42, 43] { bytes[index] = 255 }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-case-\(UUID().uuidString)")
    mkfifo(path.path, 0o600)
    defer { try? FileManager.default.removeItem(at: path) }
    startThread { [bytes] in try? Data(bytes).write(to: path, options: []) }

    let rig = FileRig()
    let item = AVPlayerItem(url: path)
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [item])
    #expect(item.duration == .indefinite)
    rig.player.insert(item, after: nil)
    #expect(waitUntil(item, \.status) { $0 == .readyToPlay })
    #expect(item.duration == .indefinite)
    let half = CMTimeMultiplyByFloat64(item.duration, multiplier: 0.5)
    for time in [item.duration, half, .invalid, Self.seconds(.nan), Self.seconds(0.2)] {
      let isDone = await Self.seek(rig.player, time)
      #expect(!isDone)
    }
    #expect(rig.playToEnd())
    #expect(ends.log.wait(count: 1) && ends.log.count == 1)
    #expect(item.duration == CMTime(value: 30_001, timescale: 44_100))
    #expect(item.currentTime() == item.duration)
    #expect(try rig.rendered().samples == samples.map { Float($0) / 32_768 })
  }

  @Test func `B14: sizes that were never filled in, and nothing at all`() throws {
    let samples = MediaFixtures.noise(frames: 30_001, channels: 2)
    var bytes = MediaFixtures.wavBytes(samples: samples, rate: 44_100, channels: 2)
    for index in [4, 5, 6, 7, 40, 41, 42, 43] { bytes[index] = 255 }
    let empty = MediaFixtures.wavBytes(samples: [], rate: 44_100, channels: 2)
    let rig = FileRig()
    let items = [
      AVPlayerItem(url: try MediaFixtures.bytes("case-streamed.wav", bytes)),
      AVPlayerItem(url: try MediaFixtures.bytes("case-zero.wav", empty)),
    ]
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: items)
    for item in items { rig.player.insert(item, after: nil) }
    #expect(waitUntil(items[0], \.status) { $0 == .readyToPlay })
    #expect(items[0].duration == CMTime(value: 30_001, timescale: 44_100))
    #expect(rig.playToEnd())
    #expect(ends.log.wait(count: items.count))
    #expect(ends.log.all == items.map { ObjectIdentifier($0) })
    #expect(items[1].duration == .zero)
    #expect(try rig.rendered().frameCount == 30_001)

    // Looped, an empty file neither spins nor floods.
    let looping = FileRig()
    let template = AVPlayerItem(url: try MediaFixtures.bytes("case-zero.wav", empty))
    let looper = AVPlayerLooper(player: looping.player, templateItem: template)
    #expect(looping.playToEnd())
    #expect(looper.loopCount <= 1)
  }

  /// FLAC's longest blocks last 8 s at 8 kHz, more than any stream's buffer.
  @Test func `blocks longer than the buffer are heard whole`() throws {
    let samples = MediaFixtures.noise(frames: 160_000, channels: 1)
    let wav = try MediaFixtures.wav("case-slow.wav", samples: samples, rate: 8000, channels: 1)
    let file = try MediaFixtures.encode(wav, as: "case-slow.flac", ["-c:a", "flac", "-frame_size", "65535"])
    let rig = FileRig()
    rig.player.insert(AVPlayerItem(url: file), after: nil)
    #expect(rig.playToEnd())
    let isSame = try rig.rendered().samples == samples.map { Float($0) / 32_768 }
    #expect(isSame)
  }

  /// A rate that only damage claims: a frame a second.
  @Test func `the slowest rate is played`() throws {
    var bytes = MediaFixtures.wavBytes(samples: [1, 2, 3, 4], rate: 1, channels: 1)
    bytes[28] = 2
    let rig = FileRig()
    rig.player.insert(AVPlayerItem(url: try MediaFixtures.bytes("case-1Hz.wav", bytes)), after: nil)
    #expect(rig.playToEnd())
    #expect(try rig.rendered().frameCount == 4)
  }
}
