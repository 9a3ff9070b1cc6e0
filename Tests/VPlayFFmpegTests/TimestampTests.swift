import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Clocks of containers that do not begin at zero, wrap, leap or are missing.
struct TimestampTests {
  @Test(arguments: [3600, 95440])
  func `a transport stream begins at zero whatever its clock says`(_ offset: Int) throws {
    let file = try MediaFixtures.encode(
      try SourceErrorTests.clip(), as: "offset-\(offset).ts",
      ["-c", "copy", "-output_ts_offset", "\(offset)", "-f", "mpegts"])
    let decoded = try DecodedFile(file)
    let start = try #require(decoded.startFrame)
    let end = try #require(decoded.endFrame)
    #expect(start < 4800)
    #expect(abs(end - 288_000) < 4800)
    #expect(abs((decoded.description.duration?.seconds ?? 0) - 6) < 0.1)
    #expect(decoded.isContinuous)

    let reader = try TrackReader(url: DecodedFile.address(file))
    for second in [3.0, 0, 5] {
      let target = MediaTime(seconds: second)
      try reader.seek(to: target)
      let part = try reader.read(atLeast: 1000)
      #expect(part.startFrame == max(start, target.frame(rate: 48000)))
    }
  }

  @Test func `sound that starts late keeps its place`() throws {
    let clip = try SourceErrorTests.clip().path
    let file = try MediaFixtures.ffmpeg(
      "delay.mov",
      ["-i", clip, "-itsoffset", "1.5", "-i", clip, "-map", "0:v", "-map", "1:a", "-c", "copy", "-t", "7.5"])
    let decoded = try DecodedFile(file)
    let start = Double(try #require(decoded.startFrame)) / 48000
    #expect(abs(start - 1.5) < 0.03)
    #expect(decoded.isContinuous)
    #expect(abs((decoded.description.duration?.seconds ?? 0) - 7.5) < 0.05)

    let reader = try TrackReader(url: DecodedFile.address(file))
    for second in [0, 1.0, 4] {
      try reader.seek(to: MediaTime(seconds: second))
      let part = try reader.read(atLeast: 1000)
      let expected = max(decoded.startFrame ?? 0, Int64(second * 48000))
      #expect(part.startFrame == expected)
      let offset = 2 * Int(expected - (decoded.startFrame ?? 0)) / 2
      #expect(zip(part.samples, decoded.samples[offset...]).allSatisfy { abs($0 - $1) < 0.01 })
    }
  }

  @Test func `a chain of streams goes on counting through a change of rate and layout`() throws {
    let first = try MediaFixtures.ffmpeg(
      "c1.ogg", ["-f", "lavfi", "-i", "sine=440:r=44100:d=3", "-ac", "2", "-c:a", "libvorbis"])
    let second = try MediaFixtures.ffmpeg(
      "c2.ogg", ["-f", "lavfi", "-i", "sine=440:r=22050:d=3", "-ac", "1", "-c:a", "libvorbis"])
    let bytes = [UInt8](try Data(contentsOf: first)) + [UInt8](try Data(contentsOf: second))
    let decoded = try DecodedFile(try MediaFixtures.bytes("chain.ogg", bytes))
    if try ChainTests.refusesOtherChannels() { return }
    #expect(!decoded.description.isDurationExact)
    var time = 0.0
    for block in decoded.blocks {
      let start = Double(block.startFrame) / Double(block.format.sampleRate)
      #expect(abs(start - time) < 0.001)
      time = start + Double(block.frameCount) / Double(block.format.sampleRate)
    }
    #expect(abs(time - 6) < 0.02)
    #expect(decoded.blocks.last?.format == .mono(22050))
  }

  @Test func `an MP3 without a length claims none as exact and ends where it ends`() throws {
    let file = try MediaFixtures.ffmpeg(
      "noxing.mp3",
      ["-f", "lavfi", "-i", "sine=440:r=44100:d=4,volume=0"]
        + ["-f", "lavfi", "-i", "anoisesrc=r=44100:d=16:a=0.5:seed=1"]
        + ["-filter_complex", "[0][1]concat=n=2:v=0:a=1,aformat=channel_layouts=stereo"]
        + ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0", "-f", "mp3"])
    let decoded = try DecodedFile(file)
    #expect(!decoded.description.isDurationExact)
    #expect(abs(Double(decoded.frameCount) / 44100 - 20) < 0.1)
    let reader = try TrackReader(url: DecodedFile.address(file))
    try reader.seek(to: MediaTime(value: 30, timescale: 1))
    #expect(try reader.read(atLeast: .max).frameCount == 0)
    try reader.seek(to: MediaTime(value: 19, timescale: 1))
    #expect(try reader.read(atLeast: 100).startFrame == 19 * 44100)
  }

  @Test func `seeks past the end give the end, and the next one works`() throws {
    for type in ["wav", "flac", "flac.ogg", "m4a", "mov", "mp3", "noxing.mp3", "ogg", "opus", "mka", "aac"] {
      let reader = try TrackReader(url: DecodedFile.address(try SeekTests.file(type)))
      for seconds in [6.1, 25, 1e9, 9e17, .infinity] {
        try reader.seek(to: MediaTime(seconds: seconds))
        #expect(try reader.read(atLeast: .max).frameCount == 0, "\(type) \(seconds)")
      }
      try reader.seek(to: MediaTime(value: -5, timescale: 1))
      #expect(try reader.read(atLeast: 10).startFrame == 0, "\(type)")
      try reader.seek(to: MediaTime(value: 5, timescale: 1))
      #expect(try reader.read(atLeast: 10).startFrame == 240_000, "\(type)")
    }
  }

  @Test func `an attached picture is no film`() throws {
    let cover = try MediaFixtures.ffmpeg(
      "cover.png", ["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1"])
    let file = try MediaFixtures.ffmpeg(
      "cover.mp3",
      ["-i", try SeekTests.file("wav").path, "-i", cover.path, "-map", "0", "-map", "1"]
        + ["-c:a", "libmp3lame", "-c:v", "copy", "-disposition:v", "attached_pic", "-metadata", "title=Über"])
    let decoded = try DecodedFile(file)
    #expect(!decoded.description.hasVideo)
    #expect(decoded.description.tags["title"] == "Über")
    #expect(decoded.frameCount == SeekTests.frames)
  }

  @Test func `odd numbers of channels have places`() throws {
    let five = try MediaFixtures.ffmpeg(
      "five.ogg",
      ["-f", "lavfi", "-i", "aevalsrc=0.1|0.2|0.3|0.4|0.5:s=48000:d=1:c=5.0", "-c:a", "libvorbis"])
    #expect(
      try DecodedFile(five).blocks.first?.format.channels
        == [.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight])
    let samples = MediaFixtures.noise(frames: 1000, channels: 5)
    let wav = try MediaFixtures.wav("five.wav", samples: samples, rate: 48000, channels: 5)
    let decoded = try DecodedFile(wav)
    #expect(decoded.samples == samples.map { Float($0) / 32768 })
    #expect(decoded.description.audioTracks.first?.format.channelCount == 5)
    let mono = try MediaFixtures.wav("one.wav", samples: [1, 2, 3], rate: 48000, channels: 1)
    #expect(try DecodedFile(mono).description.audioTracks.first?.format == .mono(48000))
  }
}
