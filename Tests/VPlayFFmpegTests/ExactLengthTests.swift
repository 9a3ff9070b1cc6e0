import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Every frame that went in comes out, and no other: the promise of DESIGN's first line.
struct ExactLengthTests {
  struct Length: CustomTestStringConvertible {
    var frames: Int
    var rate: Int
    var testDescription: String { "\(frames) frames at \(rate)" }
  }

  static let lengths = [44100, 48000].flatMap { rate in
    [48000, 33333, 47999, 48127, 44101, 1024, 1025, 30, 2049, 96007].map { Length(frames: $0, rate: rate) }
  }

  static func source(_ length: Length) throws -> (URL, [Int16]) {
    let samples = MediaFixtures.noise(frames: length.frames, channels: 2)
    let name = "noise-\(length.frames)-\(length.rate).wav"
    return (
      try MediaFixtures.wav(name, samples: samples, rate: length.rate, channels: 2), samples
    )
  }

  static func checkLength(_ decoded: DecodedFile, _ length: Length) {
    #expect(decoded.errors.isEmpty)
    #expect(decoded.frameCount == length.frames)
    #expect(decoded.startFrame == 0)
    #expect(decoded.isContinuous)
  }

  static func checkStated(_ decoded: DecodedFile, _ length: Length) {
    #expect(decoded.description.audioTracks.first?.exactEndFrame == Int64(length.frames))
    #expect(decoded.description.duration == MediaTime(frame: Int64(length.frames), rate: length.rate))
    #expect(decoded.description.isDurationExact)
  }

  /// How alike two signals are at no delay: 1 for the same shape.
  static func likeness(_ a: [Float], _ b: [Int16]) -> Double {
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (x, y) in zip(a, b) {
      ab += Double(x) * Double(y)
      aa += Double(x) * Double(x)
      bb += Double(y) * Double(y)
    }
    return ab / (aa * bb).squareRoot()
  }

  @Test(arguments: lengths)
  func `lossless files come back bit for bit`(_ length: Length) throws {
    let (wav, samples) = try Self.source(length)
    let stem = "lossless-\(length.frames)-\(length.rate)"
    let files = [
      wav, try MediaFixtures.encode(wav, as: stem + ".flac", ["-c:a", "flac"]),
      try MediaFixtures.encode(wav, as: stem + ".m4a", ["-c:a", "alac"]),
      try MediaFixtures.encode(wav, as: stem + ".mov", ["-c:a", "pcm_s16le"]),
      try MediaFixtures.encode(wav, as: stem + ".aiff", ["-c:a", "pcm_s16be"]),
    ]
    for file in files {
      let decoded = try DecodedFile(file)
      Self.checkLength(decoded, length)
      Self.checkStated(decoded, length)
      #expect(decoded.samples == samples.map { Float($0) / 32768 }, "\(file.lastPathComponent)")
    }
  }

  @Test(arguments: lengths, ["mov", "m4a", "mp4"])
  func `AAC in a movie has its true length`(_ length: Length, _ type: String) throws {
    let (wav, samples) = try Self.source(length)
    let file = try MediaFixtures.encode(
      wav, as: "aac-\(length.frames)-\(length.rate).\(type)", ["-c:a", "aac", "-b:a", "256k"])
    let decoded = try DecodedFile(file)
    Self.checkLength(decoded, length)
    Self.checkStated(decoded, length)
    if length.frames > 30_000 { #expect(Self.likeness(decoded.samples, samples) > 0.7) }
  }

  // FFmpeg's MP3 muxer cannot state less than 47 frames.
  @Test(arguments: lengths.filter { $0.frames > 47 })
  func `other codecs that tell their length keep it`(_ length: Length) throws {
    let (wav, samples) = try Self.source(length)
    let stem = "lossy-\(length.frames)-\(length.rate)"
    var files = [
      try MediaFixtures.encode(wav, as: stem + ".mp3", ["-c:a", "libmp3lame", "-b:a", "256k"]),
      try MediaFixtures.encode(wav, as: stem + ".ogg", ["-c:a", "libvorbis", "-q:a", "8"]),
    ]
    if length.rate == 48000 {
      files.append(try MediaFixtures.encode(wav, as: stem + ".opus", ["-c:a", "libopus", "-b:a", "256k"]))
      files.append(try MediaFixtures.encode(wav, as: stem + ".mka", ["-c:a", "libopus", "-b:a", "256k"]))
    }
    for file in files {
      let decoded = try DecodedFile(file)
      #expect(decoded.frameCount == length.frames, "\(file.lastPathComponent)")
      #expect(decoded.startFrame == 0 && decoded.isContinuous, "\(file.lastPathComponent)")
      if ["mp3", "ogg"].contains(file.pathExtension) { Self.checkStated(decoded, length) }
      if length.frames > 30_000 {
        #expect(Self.likeness(decoded.samples, samples) > 0.6, "\(file.lastPathComponent)")
      }
    }
  }

  @Test(arguments: ["vorbis.ogg", "vorbis.webm", "vorbis.mka"])
  func `a Vorbis track begins with its first sound`(_ name: String) throws {
    let (wav, _) = try Self.source(Length(frames: 48_127, rate: 44100))
    let file = try MediaFixtures.encode(wav, as: name, ["-c:a", "libvorbis"])
    #expect(try DecodedFile(file).startFrame == 0)
    // As the engine begins: restarted, where the reader stands already.
    let reader = try TrackReader(url: DecodedFile.address(file))
    reader.decoder.restart(at: .zero)
    var decoded = DecodedFile(description: reader.description)
    try reader.readToEnd(into: &decoded)
    #expect(decoded.startFrame == 0)
    #expect(decoded.isContinuous)
  }
}
