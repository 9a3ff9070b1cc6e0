import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

/// Sound read from assets as PCM, to the frame.
@Suite struct AssetReaderTests {
  /// All that a reader gives.
  struct Reading {
    var bytes: [UInt8] = []
    var times: [CMTime] = []
    var counts: [Int] = []
    var status = AVAssetReader.Status.unknown
    var error: AVError?

    var frames: Int { counts.reduce(0, +) }
    var floats: [Float] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } }
    var shorts: [Int16] { bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } }
    /// Whether each buffer begins where the one before ended.
    var isContinuous: Bool {
      zip(zip(times, counts), times.dropFirst()).allSatisfy { before, time in
        before.0 + CMTime(value: Int64(before.1), timescale: before.0.timescale) == time
      }
    }
  }

  private static var shorts: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false,
    ]
  }

  private func read(
    _ file: URL, _ settings: [String: Any]? = nil, range: CMTimeRange? = nil, mixing: Bool = false
  ) async throws -> Reading {
    let asset = AVURLAsset(url: file)
    let tracks = try await asset.loadTracks(withMediaType: .audio)
    let reader = try AVAssetReader(asset: asset)
    let output =
      mixing
      ? AVAssetReaderAudioMixOutput(audioTracks: tracks, audioSettings: settings)
      : AVAssetReaderTrackOutput(track: tracks[0], outputSettings: settings)
    try #require(reader.canAdd(output))
    reader.add(output)
    if let range { reader.timeRange = range }
    #expect(reader.startReading())
    return try drain(reader, output)
  }

  private func drain(_ reader: AVAssetReader, _ output: AVAssetReaderOutput) throws -> Reading {
    var reading = Reading()
    while let buffer = output.copyNextSampleBuffer() {
      reading.times.append(buffer.presentationTimeStamp)
      reading.counts.append(buffer.numSamples)
      reading.bytes += [UInt8](try #require(buffer.dataBuffer).dataBytes())
      #expect(buffer.duration.value == Int64(buffer.numSamples))
    }
    reading.status = reader.status
    reading.error = reader.error as? AVError
    return reading
  }

  @Test func waveBitForBit() async throws {
    let samples = MediaFixtures.noise(frames: 20_001, channels: 2)
    let file = try MediaFixtures.wav("reader.wav", samples: samples, rate: 44_100, channels: 2)
    let reading = try await read(file, Self.shorts)
    #expect(reading.shorts == samples && reading.status == .completed && reading.error == nil)
    #expect(reading.counts == [8192, 8192, 3617] && reading.isContinuous)
    #expect(reading.times.first == CMTime(value: 0, timescale: 44_100))
    let floats = try await read(file)
    #expect(floats.floats == samples.map { Float($0) / 32768 })
    #expect(try await read(file, mixing: true).floats == floats.floats)
  }

  @Test func layoutsOfSamples() async throws {
    let samples = MediaFixtures.noise(frames: 100, channels: 2)
    let file = try MediaFixtures.wav("reader-short.wav", samples: samples, rate: 48_000, channels: 2)
    var settings = Self.shorts
    settings[AVLinearPCMIsBigEndianKey] = true
    #expect(try await read(file, settings).shorts == samples.map(\.bigEndian))
    settings[AVLinearPCMIsBigEndianKey] = false
    settings[AVLinearPCMIsNonInterleaved] = true
    let apart = try await read(file, settings).shorts
    #expect(Array(apart[..<100]) == stride(from: 0, to: 200, by: 2).map { samples[$0] })
    #expect(Array(apart[100...]) == stride(from: 1, to: 200, by: 2).map { samples[$0] })
    let wide = try await read(file, [AVLinearPCMBitDepthKey: 24]).bytes
    #expect(wide == samples.flatMap { [0, UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
    let double = try await read(file, [AVLinearPCMBitDepthKey: 64, AVLinearPCMIsFloatKey: true]).bytes
    #expect(
      double.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) } == samples.map { Double($0) / 32768 })
    let bytes = try await read(file, [AVLinearPCMBitDepthKey: 8]).bytes
    #expect(bytes.count == 200)
    let long = try await read(file, [AVLinearPCMBitDepthKey: 32]).bytes
    #expect(
      long.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) } == samples.map { Int32($0) << 16 })
  }

  /// Floats past full scale are clipped, not wrapped.
  @Test func clipping() async throws {
    let file = try MediaFixtures.ffmpeg(
      "reader-loud.wav",
      [
        "-f", "lavfi", "-i", "aevalsrc=if(eq(mod(n\\,2)\\,0)\\,1.5\\,-1.5):s=48000:d=0.01", "-c:a", "pcm_f32le",
      ])
    #expect(Set(try await read(file, Self.shorts).shorts) == [32767, -32768])
  }

  @Test(arguments: [("flac", "flac"), ("aac", "m4a"), ("alac", "m4a"), ("libopus", "opus"), ("libmp3lame", "mp3")])
  func lengths(codec: String, suffix: String) async throws {
    let frames = 33_333
    let source = try MediaFixtures.wav(
      "reader-source.wav", samples: MediaFixtures.noise(frames: frames, channels: 2), rate: 48_000, channels: 2)
    // With noise in its place, AAC's noise would be another one after a seek.
    let options = codec == "aac" ? ["-aac_pns", "0"] : []
    let file = try MediaFixtures.encode(source, as: "reader-\(codec).\(suffix)", ["-c:a", codec] + options)
    let whole = try await read(file)
    #expect(whole.frames == frames && whole.status == .completed && whole.isContinuous)
    // A part of it is that part, to the frame.
    let range = CMTimeRange(
      start: CMTime(value: 10_007, timescale: 48_000), duration: CMTime(value: 9999, timescale: 48_000))
    let part = try await read(file, range: range)
    #expect(part.frames == 9999 && part.times.first == range.start && part.status == .completed)
    let wanted = whole.floats[20_014..<20_014 + 19_998]
    #expect(zip(part.floats, wanted).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func conversion() async throws {
    let file = try MediaFixtures.ffmpeg(
      "reader-sine.wav",
      ["-f", "lavfi", "-i", "sine=frequency=1000:sample_rate=44100:duration=1", "-c:a", "pcm_f32le"])
    var settings: [String: Any] = [AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2]
    settings[AVLinearPCMIsFloatKey] = true
    let reading = try await read(file, settings)
    #expect(reading.frames == 48_000 && reading.times[0].timescale == 48_000)
    let floats = reading.floats
    #expect((0..<48_000).allSatisfy { floats[2 * $0] == floats[2 * $0 + 1] })
    // ffmpeg's sine has an amplitude of an eighth.
    let misses = (1000..<47_000).map { frame in
      abs(Double(floats[2 * frame]) - sin(Double(frame) * 2 * .pi / 48) / 8)
    }
    #expect(try #require(misses.max()) < 1e-4)
  }

  /// Tracks that begin and end at their own times, added.
  @Test func mix() async throws {
    let file = try MediaFixtures.ffmpeg(
      "reader-two.mov",
      [
        "-f", "lavfi", "-i", "aevalsrc=0.25:s=48000:d=1", "-itsoffset", "0.5", "-f", "lavfi", "-i",
        "aevalsrc=0.125:s=48000:d=1", "-map", "0", "-map", "1", "-c:a", "pcm_f32le",
      ])
    let floats = try await read(file, mixing: true).floats
    #expect(floats.count == 72_000)
    #expect(Set(floats[..<24_000]) == [0.25] && Set(floats[24_000..<48_000]) == [0.375])
    #expect(Set(floats[48_000...]) == [0.125])

    let asset = AVURLAsset(url: file)
    let second = try await asset.loadTracks(withMediaType: .audio)[1]
    let reader = try AVAssetReader(asset: asset)
    let alone = AVAssetReaderTrackOutput(track: second, outputSettings: nil)
    let mixed = AVAssetReaderAudioMixOutput(audioTracks: [second], audioSettings: nil)
    reader.add(alone)
    reader.add(mixed)
    #expect(reader.outputs.count == 2 && reader.startReading())
    let own = try drain(reader, alone)
    #expect(own.times[0].seconds == 0.5 && own.frames == 48_000 && reader.status == .reading)
    let padded = try drain(reader, mixed)
    #expect(padded.times[0] == .zero && padded.frames == 72_000 && reader.status == .completed)
    #expect(Set(padded.floats[..<24_000]) == [0])
  }

  @Test func brokenOff() async throws {
    let samples = MediaFixtures.noise(frames: 48_000, channels: 2)
    let whole = try MediaFixtures.wav("reader-whole.wav", samples: samples, rate: 48_000, channels: 2)
    let flac = try MediaFixtures.encode(whole, as: "reader-whole.flac", ["-c:a", "flac"])
    let data = try Data(contentsOf: flac)
    let cut = try MediaFixtures.bytes("reader-cut.flac", Array(data.prefix(data.count / 2)))
    let reading = try await read(cut, Self.shorts)
    #expect(reading.status == .failed && reading.error?.code == .decodeFailed)
    #expect(reading.frames > 16_000 && reading.frames < 32_000)
    #expect(reading.shorts == Array(samples[..<reading.shorts.count]))
  }

  @Test func whatCannotBeAdded() async throws {
    let file = try MediaFixtures.wav(
      "reader-none.wav", samples: MediaFixtures.noise(frames: 100, channels: 2), rate: 48_000, channels: 2)
    let (asset, other) = (AVURLAsset(url: file), AVURLAsset(url: file))
    let track = try #require(try await asset.load(.tracks).first)
    let reader = try AVAssetReader(asset: asset)
    let foreign = AVAssetReaderTrackOutput(
      track: try #require(try await other.load(.tracks).first), outputSettings: nil)
    #expect(!reader.canAdd(foreign))
    for settings: [String: Any] in [
      [AVFormatIDKey: kAudioFormatMPEG4AAC], [AVSampleRateKey: 0], [AVSampleRateKey: Double.nan],
      [AVNumberOfChannelsKey: 0], [AVLinearPCMBitDepthKey: 12],
      [AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: true],
    ] {
      let output = AVAssetReaderTrackOutput(track: track, outputSettings: settings)
      #expect(!reader.canAdd(output), "\(settings)")
      reader.add(output)
    }
    #expect(reader.outputs.isEmpty)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(!reader.canAdd(output))
    #expect(output.copyNextSampleBuffer() == nil)
    reader.timeRange = .invalid
    #expect(!reader.startReading() && reader.status == .failed && !reader.startReading())
  }

  /// A cancelled reading ends at once, also where the medium gives nothing.
  @Test func cancelling() async throws {
    var configuration = NoiseSource.Configuration(lengthFrames: 480_000)
    configuration.isDurationKnown = false
    let sources = Log<NoiseSource>()
    let asset = AVURLAsset(url: URL(string: "noise:medium") ?? URL(fileURLWithPath: "/")) { [configuration] _ in
      let source = NoiseSource(configuration, clock: SystemClock())
      sources.add(source)
      return source
    }
    let track = try #require(try await asset.load(.tracks).first)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: track, outputSettings: nil)
    reader.add(output)
    #expect(reader.startReading())
    #expect(output.copyNextSampleBuffer()?.numSamples == 8192)
    sources.all.last?.setStalled(true)
    async let last = waiting { output.copyNextSampleBuffer() == nil }
    reader.cancelReading()
    #expect(await last)
    #expect(reader.status == .cancelled && reader.error == nil && output.copyNextSampleBuffer() == nil)
  }

  @Test func blockBuffer() async throws {
    let samples = MediaFixtures.noise(frames: 10, channels: 2)
    let file = try MediaFixtures.wav("reader-block.wav", samples: samples, rate: 48_000, channels: 2)
    let asset = AVURLAsset(url: file)
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: try await asset.load(.tracks)[0], outputSettings: Self.shorts)
    reader.add(output)
    #expect(reader.startReading())
    let buffer = try #require(output.copyNextSampleBuffer())
    let block = try #require(CMSampleBufferGetDataBuffer(buffer))
    #expect(CMSampleBufferGetNumSamples(buffer) == 10 && CMBlockBufferGetDataLength(block) == 40)
    var copy = [Int16](repeating: 0, count: 2)
    #expect(CMBlockBufferCopyDataBytes(block, atOffset: 4, dataLength: 4, destination: &copy) == 0)
    #expect(copy == Array(samples[2..<4]))
    #expect(CMBlockBufferCopyDataBytes(block, atOffset: 38, dataLength: 4, destination: &copy) != 0)
    var (length, pointer): (Int, UnsafeMutablePointer<CChar>?) = (0, nil)
    #expect(
      CMBlockBufferGetDataPointer(
        block, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: &length, dataPointerOut: &pointer) == 0)
    #expect(length == 40 && pointer != nil)
    #expect(buffer.formatDescription?.audioStreamBasicDescription?.mBytesPerFrame == 4)
  }
}
