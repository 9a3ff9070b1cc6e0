import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayKit
import VPlayModel

extension HeardPathTests {
  /// Rates and layouts, as they are heard from a server's sink.
  @Suite struct Formats {
    /// What a server's sink gave for some files in a row, from the first sound to the last.
    private func hear(_ urls: [URL], _ options: PrivatePulseServer.Options = .init()) throws -> HeardTones {
      let server = try PrivatePulseServer(options)
      defer { server.stop() }
      let player = AVQueuePlayer(environment: HeardPlayer.environment(server))
      let items = urls.map { AVPlayerItem(url: $0) }
      let ends = Log<ObjectIdentifier>()
      let names = Set(items.map { ObjectIdentifier($0) })
      let token = NotificationCenter.default.addObserver(
        forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: nil
      ) { note in
        if let item = note.object, names.contains(ObjectIdentifier(item as AnyObject)) {
          ends.add(ObjectIdentifier(item as AnyObject))
        }
      }
      defer { NotificationCenter.default.removeObserver(token) }
      let times = Log<Double>()
      let observer = player.addPeriodicTimeObserver(
        forInterval: CMTime(value: 1, timescale: 50), queue: DispatchQueue(label: "times")
      ) { times.add($0.seconds) }
      defer { player.removeTimeObserver(observer) }
      for item in items { player.insert(item, after: nil) }
      player.play()
      #expect(ends.wait(seconds: 30) { $0.count >= urls.count })
      #expect(ends.all == items.map { ObjectIdentifier($0) })
      server.capture.wait(seconds: 0.2)
      return HeardTones(
        samples: server.capture.samples, channels: options.channels, rate: options.rate, times: times.all,
        durations: items.map(\.duration.seconds))
    }

    /// B04: a link of another rate and layout; a stale rate would give 880 Hz.
    @Test func `B04: a chained Ogg goes on at the right pitch`() throws {
      let first = try MediaFixtures.ffmpeg(
        "chain-1.ogg", ["-f", "lavfi", "-i", "sine=440:r=44100:d=1.5", "-ac", "2", "-c:a", "libvorbis"])
      let second = try MediaFixtures.ffmpeg(
        "chain-2.ogg", ["-f", "lavfi", "-i", "sine=440:r=22050:d=1.5", "-ac", "1", "-c:a", "libvorbis"])
      let bytes = [UInt8](try Data(contentsOf: first)) + [UInt8](try Data(contentsOf: second))
      let heard = try hear([try MediaFixtures.bytes("heard-chain.ogg", bytes)])
      #expect(abs(heard.seconds - 3) < 0.005, "\(heard.seconds)")
      for window in stride(from: 0.05, to: 2.85, by: 0.1) {
        let tone = heard.level(of: 440, channel: 0, from: window, seconds: 0.1)
        #expect(tone > 0.08 && heard.level(of: 880, channel: 0, from: window, seconds: 0.1) < 0.01, "\(window)")
      }
      // Behind the end there is no item, and its time is 0.
      let times = heard.times.prefix(through: heard.times.lastIndex { $0 > 0 } ?? 0)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(try abs(#require(heard.durations.first) - 3) < 0.005)
    }

    @Test func `B07: five channels, with and without a mask, are all heard in stereo`() throws {
      let tones = [300.0, 500, 700, 900, 1100]
      let expressions = tones.map { "0.9*sin(2*PI*\($0)*t)" }.joined(separator: "|")
      let masked = try MediaFixtures.ffmpeg(
        "five-tones.ogg", ["-f", "lavfi", "-i", "aevalsrc=\(expressions):s=48000:d=1:c=5.0", "-c:a", "libvorbis"])
      var samples: [Int16] = []
      for frame in 0..<48_000 {
        for tone in tones { samples.append(Int16(29_000 * sin(2 * Double.pi * tone * Double(frame) / 48_000))) }
      }
      let plain = try MediaFixtures.wav("five-plain.wav", samples: samples, rate: 48_000, channels: 5)
      for file in [masked, plain] {
        let heard = try hear([file])
        #expect(abs(heard.seconds - 1) < 0.002)
        for tone in tones {
          let level = (0..<2).map { heard.level(of: tone, channel: $0, from: 0.2, seconds: 0.5) }.max() ?? 0
          #expect(level > 0.05, "\(file.lastPathComponent) \(tone)")
        }
      }
    }

    /// One file of a tone of 0.5 in one channel of a layout.
    private func lone(_ name: String, _ layout: String, channel: Int, of channels: Int) throws -> URL {
      let expressions = (0..<channels).map { $0 == channel ? "0.5*sin(2*PI*700*t)" : "0" }.joined(separator: "|")
      return try MediaFixtures.ffmpeg(
        name, ["-f", "lavfi", "-i", "aevalsrc=\(expressions):s=48000:d=0.6:c=\(layout)", "-c:a", "flac"])
    }

    @Test func `B08: the centre is heard on both sides, a side on its own`() throws {
      for (layout, channels) in [("FL+FR+FC", 3), ("5.1", 6), ("7.1", 8)] {
        let heard = try hear([try lone("center-\(channels).flac", layout, channel: 2, of: channels)])
        let levels = (0..<2).map { heard.level(of: 700, channel: $0, from: 0.1, seconds: 0.4) }
        #expect(levels[0] > 0.1 && abs(levels[0] / levels[1] - 1) < 0.05, "\(layout) \(levels)")
      }
      let side = try hear([try lone("side-8.flac", "7.1", channel: 6, of: 8)])
      let levels = (0..<2).map { side.level(of: 700, channel: $0, from: 0.1, seconds: 0.4) }
      #expect(levels[0] > 0.05 && levels[1] < levels[0] / 100, "\(levels)")
    }

    @Test func `B08: a full downmix does not wrap round`() throws {
      let full = (0..<6).map { $0 == 3 ? "0" : "sin(2*PI*440*t)" }.joined(separator: "|")
      let file = try MediaFixtures.ffmpeg(
        "loud-6.flac", ["-f", "lavfi", "-i", "aevalsrc=\(full):s=48000:d=0.6:c=5.1", "-c:a", "flac"])
      let heard = try hear([file])
      let level = heard.level(of: 440, channel: 0, from: 0.1, seconds: 0.5)
      #expect(level > 0.9 && level < 1.001)
      #expect(heard.rest(of: 440, channel: 0, from: 0.1, seconds: 0.5) < 0.001)
    }

    @Test func `B08: on speakers of its own each channel stays where it belongs`() throws {
      let options = PrivatePulseServer.Options(.pulseAudio) {
        $0.channels = 6
        $0.channelMap = "front-left,front-right,front-center,lfe,rear-left,rear-right"
      }
      for (layout, channel) in [("5.1", 2), ("5.1", 4), ("5.1(side)", 5)] {
        let heard = try hear([try lone("own-\(channel).flac", layout, channel: channel, of: 6)], options)
        let levels = (0..<6).map { heard.level(of: 700, channel: $0, from: 0.1, seconds: 0.4) }
        for (index, level) in levels.enumerated() {
          #expect(index == channel ? abs(level - 0.5) < 0.001 : level < 0.0001, "\(layout) \(levels)")
        }
      }
    }

    @Test func `mono keeps its level`() throws {
      let samples = (0..<24_000).map { Int16(16_384 * sin(2 * .pi * 700 * Double($0) / 48_000)) }
      let heard = try hear([try MediaFixtures.wav("mono-tone.wav", samples: samples, rate: 48_000, channels: 1)])
      #expect(heard.isClose(to: samples))
      #expect(heard.frames(channel: 0) == heard.frames(channel: 1))
    }

    /// Three rates, three layouts: each as its own conversion gives it, one right behind the other.
    @Test func `a queue of unlike items has no frame too few or too many`() throws {
      let files = try Self.unlikeFiles()
      let heard = try hear(files)
      var expected: [Float] = []
      for file in files { expected += try Self.converted(file, to: .stereo(48_000)) }
      let integers = expected.map { Int16(clamping: Int(($0 * 32_768).rounded())) }
      let whole = HeardTones(samples: integers, channels: 2, rate: 48_000, times: [], durations: [])
      #expect(heard.frameCount == whole.frameCount)
      var worst = 0
      for (sample, value) in zip(heard.samples, whole.samples) { worst = max(worst, abs(Int(sample) - Int(value))) }
      #expect(worst <= 1)
    }

    private static func unlikeFiles() throws -> [URL] {
      let mono = try MediaFixtures.wav(
        "queue-1.wav", samples: MediaFixtures.noise(frames: 44_101, channels: 1, seed: 3), rate: 44_100, channels: 1)
      let surround = try MediaFixtures.wav(
        "queue-2.wav", samples: MediaFixtures.noise(frames: 47_999, channels: 6, seed: 4), rate: 48_000, channels: 6)
      let fine = try MediaFixtures.wav(
        "queue-3.wav", samples: MediaFixtures.noise(frames: 96_007, channels: 2, seed: 5), rate: 96_000, channels: 2)
      return [
        try MediaFixtures.encode(mono, as: "queue-1.mp3", ["-c:a", "libmp3lame", "-b:a", "160k"]),
        try MediaFixtures.encode(surround, as: "queue-2.m4a", ["-c:a", "aac", "-aac_pns", "0", "-b:a", "400k"]),
        try MediaFixtures.encode(fine, as: "queue-3.flac", ["-c:a", "flac"]),
      ]
    }

    private static func converted(_ file: URL, to output: AudioFormat) throws -> [Float] {
      let decoded = try DecodedFile(file)
      let format = try #require(decoded.blocks.first).format
      let converter = try FFmpegAudioConverter(from: format, to: output)
      var result: [Float] = []
      try decoded.samples.withUnsafeBufferPointer {
        try converter.convert($0, frameCount: decoded.frameCount) { samples, _ in result += samples }
      }
      try converter.flush { samples, _ in result += samples }
      return result
    }
  }
}
