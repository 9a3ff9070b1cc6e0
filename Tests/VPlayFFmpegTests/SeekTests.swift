import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

struct SeekTests {
  /// 6 s of noise: no two places are alike.
  static let frames = 288_123
  static let rate = 48000

  static func file(_ type: String) throws -> URL {
    let wav = try MediaFixtures.wav(
      "seek.wav", samples: MediaFixtures.noise(frames: frames, channels: 2, seed: 7), rate: rate, channels: 2)
    switch type {
    case "wav": return wav
    case "flac": return try MediaFixtures.encode(wav, as: "seek.flac", ["-c:a", "flac"])
    case "alac": return try MediaFixtures.encode(wav, as: "seek-alac.m4a", ["-c:a", "alac"])
    case "pcm.mov": return try MediaFixtures.encode(wav, as: "seek-pcm.mov", ["-c:a", "pcm_s16le"])
    case "m4a":
      return try MediaFixtures.encode(wav, as: "seek.m4a", ["-c:a", "aac", "-aac_pns", "0", "-b:a", "256k"])
    case "mov":
      return try MediaFixtures.ffmpeg(
        "seek.mov",
        ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=6", "-i", wav.path]
          + [
            "-c:v", "libx264", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac", "-aac_pns", "0", "-b:a",
            "256k",
          ])
    case "mp3": return try MediaFixtures.encode(wav, as: "seek.mp3", ["-c:a", "libmp3lame", "-b:a", "192k"])
    case "vbr.mp3":
      return try MediaFixtures.encode(wav, as: "seek-vbr.mp3", ["-c:a", "libmp3lame", "-q:a", "3"])
    case "noxing.mp3":
      return try MediaFixtures.encode(
        wav, as: "seek-noxing.mp3", ["-c:a", "libmp3lame", "-q:a", "3", "-write_xing", "0"])
    case "ogg": return try MediaFixtures.encode(wav, as: "seek.ogg", ["-c:a", "libvorbis", "-q:a", "6"])
    case "flac.ogg": return try MediaFixtures.encode(wav, as: "seek-flac.ogg", ["-c:a", "flac"])
    case "opus": return try MediaFixtures.encode(wav, as: "seek.opus", ["-c:a", "libopus", "-b:a", "192k"])
    case "aac":
      return try MediaFixtures.encode(wav, as: "seek.aac", ["-c:a", "aac", "-aac_pns", "0", "-b:a", "192k"])
    default:
      return try MediaFixtures.encode(wav, as: "seek.mka", ["-c:a", "aac", "-aac_pns", "0", "-b:a", "192k"])
    }
  }

  /// Seeks to random places and compares what follows with the linear decode. Returns the largest difference.
  static func check(_ type: String, seeks: Int) throws -> Float {
    let file = try file(type)
    let whole = try DecodedFile(file)
    let reader = try TrackReader(url: DecodedFile.address(file))
    var random = SplitMix(state: 42)
    var worst: Float = 0
    for round in 0..<seeks {
      let target = round == 0 ? 0 : Int64(random.next() % UInt64(whole.frameCount - 100))
      try reader.seek(to: MediaTime(frame: target, rate: rate))
      let part = try reader.read(atLeast: 3000)
      #expect(part.startFrame == target, "\(type) seek \(round)")
      #expect(part.isContinuous, "\(type) seek \(round) to \(target)")
      guard part.startFrame == target, part.isContinuous else { continue }
      let expected = whole.samples[(2 * Int(target))...]
      let difference = zip(part.samples, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
      worst = max(worst, difference)
    }
    return worst
  }

  @Test(arguments: ["wav", "flac", "flac.ogg", "alac", "pcm.mov"])
  func `a seek in lossless sound gives the asked frame, bit for bit`(_ type: String) throws {
    #expect(try Self.check(type, seeks: 200) == 0)
  }

  @Test(arguments: ["m4a", "mov"])
  func `a seek in AAC gives the asked frame as the linear decode has it`(_ type: String) throws {
    let worst = try Self.check(type, seeks: 200)
    #expect(worst < 1e-5)
  }

  @Test(arguments: ["mp3", "vbr.mp3", "noxing.mp3", "ogg", "opus", "aac", "mka"])
  func `a seek in other codecs gives the asked frame`(_ type: String) throws {
    let worst = try Self.check(type, seeks: 60)
    #expect(worst < 1e-3)
  }
}

/// A reproducible source of random numbers.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
