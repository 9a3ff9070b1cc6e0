import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

/// What assets say of files.
@Suite struct AssetTests {
  @Test func wave() async throws {
    let file = try MediaFixtures.wav(
      "asset.wav", samples: MediaFixtures.noise(frames: 33_333, channels: 2), rate: 44_100, channels: 2)
    let asset = AVURLAsset(url: file)
    let (duration, tracks, isPlayable) = try await asset.load(.duration, .tracks, .isPlayable)
    #expect(duration == CMTime(value: 33_333, timescale: 44_100))
    #expect(isPlayable)
    let track = try #require(tracks.first)
    #expect(tracks.count == 1 && track.mediaType == .audio && track.trackID == 1 && track.asset === asset)
    #expect(track.timeRange == CMTimeRange(start: .zero, duration: duration))
    #expect(track.isPlayable && track.isDecodable && track.isEnabled && track.languageCode == nil)
    #expect(track.estimatedDataRate == 44_100 * 32)
    #expect(track.naturalTimeScale == 44_100 && track.naturalSize == .zero && track.preferredTransform.isIdentity)
    let format = try #require(try await track.load(.formatDescriptions).first)
    #expect(format.mediaType == .audio && format.mediaSubType == .linearPCM && format.codecName == "pcm_s16le")
    let stream = try #require(format.audioStreamBasicDescription)
    #expect(stream.mSampleRate == 44_100 && stream.mChannelsPerFrame == 2 && stream.mBitsPerChannel == 16)
    #expect(stream.mBytesPerFrame == 4 && stream.mFramesPerPacket == 1)
    #expect(stream.mFormatFlags == kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked)
    #expect(format.audioChannelLayout?.channelDescriptions.map(\.mChannelLabel) == [1, 2])
  }

  @Test func movie() async throws {
    let file = try MediaFixtures.ffmpeg(
      "asset.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=2", "-f", "lavfi", "-i",
        "sine=frequency=440:sample_rate=48000:duration=2", "-c:v", "mpeg4", "-c:a", "aac", "-ac", "1",
        "-aspect", "2", "-metadata:s:a:0", "language=fra",
      ])
    let turned = try MediaFixtures.turned(file, as: "asset-turned.mov")
    let asset = AVURLAsset(url: file)
    let video = try #require(try await asset.loadTracks(withMediaType: .video).first)
    let audio = try #require(try await asset.loadTracks(withMediaCharacteristic: .audible).first)
    #expect(try await asset.load(.duration).seconds == 2)
    #expect(try await asset.load(.containerName) == "QuickTime / MOV")
    #expect(video.naturalSize == CGSize(width: 360, height: 180))
    #expect(video.nominalFrameRate == 25 && video.minFrameDuration.seconds == 0.04)
    #expect(video.formatDescriptions[0].dimensions == CMVideoDimensions(width: 320, height: 180))
    #expect(video.formatDescriptions[0].mediaSubType.description == "mp4v")
    #expect(audio.languageCode == "fra" && audio.trackID == 2 && audio.estimatedDataRate > 10_000)
    #expect(audio.formatDescriptions[0].mediaSubType == .mpeg4AAC)
    #expect(audio.formatDescriptions[0].audioStreamBasicDescription?.mFramesPerPacket == 1024)
    #expect(abs(audio.timeRange.duration.seconds - 2) < 0.001)
    #expect(try await asset.loadTrack(withTrackID: 2) === audio)
    #expect(try await asset.loadTrack(withTrackID: 9) == nil)

    let (transform, tracks) = try await AVURLAsset(url: turned).load(.preferredTransform, .tracks)
    #expect(!transform.isIdentity)
    let shown = tracks[0].naturalSize.applying(transform)
    #expect(CGSize(width: abs(shown.width), height: abs(shown.height)) == CGSize(width: 180, height: 360))
    let corner = CGPoint(x: 360, y: 180).applying(transform)
    #expect(corner.x >= 0 && corner.y >= 0)
  }

  /// Matroska has codes of its own for some languages.
  @Test func languages() async throws {
    let file = try MediaFixtures.ffmpeg(
      "asset.mka",
      [
        "-f", "lavfi", "-i", "sine=duration=0.2", "-map", "0", "-map", "0", "-map", "0", "-metadata:s:0",
        "language=ger", "-metadata:s:1", "language=eng", "-disposition:1", "default", "-disposition:0", "0",
      ])
    let tracks = try await AVURLAsset(url: file).load(.tracks)
    #expect(tracks.map(\.languageCode) == ["deu", "eng", nil])
    #expect(tracks.map(\.trackID) == [1, 2, 3])
    #expect(tracks.map(\.isEnabled) == [false, true, false])
  }

  /// The header of a plain MP3 tells too much; measured, it is what is heard.
  @Test func preciseDuration() async throws {
    let file = try MediaFixtures.ffmpeg(
      "asset-vbr.mp3",
      [
        "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=3", "-f", "lavfi", "-i",
        "anoisesrc=sample_rate=44100:duration=3", "-filter_complex", "[0][1]concat=n=2:v=0:a=1", "-c:a", "libmp3lame",
        "-q:a", "4", "-write_xing", "0", "-id3v2_version", "0",
      ])
    let precise = AVURLAsset(url: file, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
    #expect(try await precise.load(.providesPreciseDurationAndTiming))
    let frames = try await precise.load(.duration).convertScale(44_100).value
    // The encoder's delay and padding are part of what is there.
    #expect((264_600...264_600 + 3 * 1152).contains(frames))
    #expect(precise.duration.convertScale(44_100).value == frames)
    let rough = AVURLAsset(url: file)
    #expect(try await rough.load(.providesPreciseDurationAndTiming) == false)
  }

  @Test func whatCannotBePlayed() async throws {
    let text = try MediaFixtures.bytes("asset.txt", Array("this is no medium\n".utf8))
    #expect(try await AVURLAsset(url: text).load(.isPlayable) == false)
    await #expect(throws: AVError.self) { try await AVURLAsset(url: text).load(.duration) }
    #expect(AVURLAsset(url: text).tracks.isEmpty && AVURLAsset(url: text).duration.isIndefinite)

    let missing = AVAsset(url: URL(fileURLWithPath: "/nowhere/at/all.wav"))
    do {
      _ = try await missing.load(.isPlayable)
      Issue.record("a missing file was loaded")
    } catch {
      #expect((error as? AVError)?.code == .contentIsUnavailable)
    }
    guard case .failed(let error) = missing.status(of: .duration) else {
      Issue.record("its status is not failed")
      return
    }
    #expect(error.code == AVError.Code.contentIsUnavailable.rawValue)
  }

  /// A pipe of a WAV file: the end to read from.
  private func pipe(_ samples: [Int16]) throws -> Int32 {
    let bytes = MediaFixtures.wavBytes(samples: samples, rate: 48_000, channels: 2)
    let ends = try ChildProcess.pipe()
    let writer = Thread {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(ends.write, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(ends.write)
    }
    writer.start()
    return ends.read
  }

  /// A pipe that was looked at is played from its beginning.
  @Test func pipeThatIsPlayed() async throws {
    let samples = MediaFixtures.noise(frames: 4800, channels: 2)
    let end = try pipe(samples)
    defer { close(end) }
    let url = try #require(URL(string: "pipe:\(end)"))
    let asset = AVURLAsset(url: url)
    #expect(try await asset.load(.tracks).count == 1)
    let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).wav")
    defer { try? FileManager.default.removeItem(at: output) }
    let player = AVPlayer()
    // Before the item: a player that gets another output opens its item anew.
    player.audioOutput = .waveFile(output)
    let item = AVPlayerItem(asset: asset)
    player.replaceCurrentItem(with: item)
    let ended = Posts(AVPlayerItem.didPlayToEndTimeNotification, of: [item])
    player.play()
    #expect(await waiting { ended.log.wait(count: 1) })
    #expect(player.currentItem?.error == nil)
    let heard = try Data(contentsOf: output).suffix(samples.count * 4)
    let wanted = samples.flatMap { sample in withUnsafeBytes(of: Float(sample) / 32768) { Array($0) } }
    #expect(Array(heard) == wanted)
  }

  /// One that was looked at is read from its beginning, once.
  @Test func pipeThatIsRead() async throws {
    let samples = MediaFixtures.noise(frames: 4800, channels: 2)
    let end = try pipe(samples)
    defer { close(end) }
    let asset = AVURLAsset(url: try #require(URL(string: "pipe:\(end)")))
    let track = try await asset.load(.tracks)[0]
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: [AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 16])
    reader.add(output)
    #expect(reader.startReading())
    let data = try #require(try output.copyNextSampleBuffer()?.dataBuffer?.dataBytes())
    #expect(data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) } == samples)
    #expect(output.copyNextSampleBuffer() == nil && reader.status == .completed)

    let second = try AVAssetReader(asset: asset)
    second.add(AVAssetReaderTrackOutput(track: track, outputSettings: nil))
    #expect(!second.startReading() && second.status == .failed)
    #expect((second.error as? AVError)?.code == .operationNotSupportedForAsset)
  }

  /// However many are loaded at once, few threads do it, and Swift's pool is free meanwhile.
  @Test func manyAssets() async throws {
    let file = try MediaFixtures.wav(
      "asset-many.wav", samples: MediaFixtures.noise(frames: 4800, channels: 2), rate: 48_000, channels: 2)
    let durations = try await withThrowingTaskGroup(of: CMTime.self) { group in
      for _ in 0..<500 { group.addTask { try await AVURLAsset(url: file).load(.duration) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(durations == [CMTime(value: 1, timescale: 10)])
    let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    let names = tasks.map { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
    #expect(names.filter { $0 == "vplay-asset\n" }.count <= 4 + 16)
  }
}
