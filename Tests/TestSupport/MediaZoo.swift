package import Foundation

/// One small file of each codec and container that the installed `ffmpeg` can make.
package enum MediaZoo {
  package struct Animal: Sendable, CustomStringConvertible {
    package var name: String
    /// How `ffmpeg` is to encode it.
    package var options: [String]
    package var rate = 44100
    package var channels = 2
    /// Whether what comes out is as long as what went in, to the frame.
    package var isExact = false
    package var hasVideo = false

    package var description: String { name }
  }

  package static let seconds = 1.3

  package static let all: [Animal] =
    pcm + lossless + lossy + films

  private static let pcm: [Animal] = [
    Animal(name: "u8.wav", options: ["-c:a", "pcm_u8"], isExact: true),
    Animal(name: "s16.wav", options: ["-c:a", "pcm_s16le"], isExact: true),
    Animal(name: "s24.wav", options: ["-c:a", "pcm_s24le"], rate: 192_000, isExact: true),
    Animal(name: "f64.wav", options: ["-c:a", "pcm_f64le"], rate: 8000, channels: 1, isExact: true),
    Animal(name: "s32.w64", options: ["-c:a", "pcm_s32le"], isExact: true),
    Animal(name: "f32.caf", options: ["-c:a", "pcm_f32be"], isExact: true),
    Animal(name: "alaw.au", options: ["-c:a", "pcm_alaw"], rate: 8000, channels: 1, isExact: true),
    Animal(name: "s24.aiff", options: ["-c:a", "pcm_s24be"], isExact: true),
    Animal(name: "ima.wav", options: ["-c:a", "adpcm_ima_wav"]),
    Animal(name: "ms.wav", options: ["-c:a", "adpcm_ms"]),
    Animal(name: "s16.avi", options: ["-c:a", "pcm_s16le"]),
    Animal(name: "s16.voc", options: ["-c:a", "pcm_s16le"]),
  ]

  private static let lossless: [Animal] = [
    Animal(name: "flac.flac", options: ["-c:a", "flac"], isExact: true),
    Animal(name: "flac.ogg", options: ["-c:a", "flac"], isExact: true),
    Animal(name: "flac.mka", options: ["-c:a", "flac"], isExact: true),
    Animal(name: "flac-5.1.mp4", options: ["-c:a", "flac", "-strict", "-2"], rate: 48000, channels: 6, isExact: true),
    Animal(name: "alac.m4a", options: ["-c:a", "alac"], isExact: true),
    Animal(name: "alac.caf", options: ["-c:a", "alac"], isExact: true),
    Animal(name: "wavpack.wv", options: ["-c:a", "wavpack"], isExact: true),
    Animal(name: "tta.tta", options: ["-c:a", "tta"], isExact: true),
    Animal(name: "truehd.thd", options: ["-c:a", "truehd", "-strict", "-2"], rate: 48000),
  ]

  private static let lossy: [Animal] = [
    Animal(name: "aac.m4a", options: ["-c:a", "aac"], isExact: true),
    Animal(name: "aac.aac", options: ["-c:a", "aac"]),
    Animal(name: "aac.mka", options: ["-c:a", "aac"]),
    Animal(
      name: "aac-fragments.mp4", options: ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov"]),
    Animal(name: "mp3.mp3", options: ["-c:a", "libmp3lame"], isExact: true),
    Animal(name: "mp3-vbr.mp3", options: ["-c:a", "libmp3lame", "-q:a", "5", "-write_xing", "0"]),
    Animal(name: "mp2.mp2", options: ["-c:a", "mp2"]),
    Animal(name: "vorbis.ogg", options: ["-c:a", "libvorbis"], isExact: true),
    Animal(name: "vorbis.webm", options: ["-c:a", "libvorbis"]),
    Animal(name: "opus.opus", options: ["-c:a", "libopus"], rate: 48000, isExact: true),
    Animal(name: "opus.webm", options: ["-c:a", "libopus"], rate: 48000, isExact: true),
    Animal(name: "speex.spx", options: ["-c:a", "libspeex"], rate: 16000, channels: 1),
    Animal(name: "wmav1.wma", options: ["-c:a", "wmav1"]),
    Animal(name: "wmav2.wma", options: ["-c:a", "wmav2"]),
    Animal(name: "ac3.ac3", options: ["-c:a", "ac3"], rate: 48000, channels: 6),
    Animal(name: "eac3.eac3", options: ["-c:a", "eac3"], rate: 48000, channels: 6),
    Animal(name: "dts.dts", options: ["-c:a", "dca", "-strict", "-2"], rate: 48000, channels: 6),
    Animal(name: "g722.wav", options: ["-c:a", "g722"], rate: 16000, channels: 1),
    Animal(name: "gsm.wav", options: ["-c:a", "libgsm_ms"], rate: 8000, channels: 1),
    Animal(name: "aptx.aptx", options: ["-c:a", "aptx"], rate: 48000),
    Animal(name: "sbc.sbc", options: ["-c:a", "sbc"], rate: 48000),
    Animal(name: "aac.flv", options: ["-c:a", "aac"]),
    Animal(name: "ra.rm", options: ["-c:a", "ac3"], rate: 44100),
  ]

  private static let films: [Animal] = [
    Animal(name: "film.mov", options: ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"], hasVideo: true),
    Animal(name: "film.mkv", options: ["-c:v", "libx264", "-bf", "2", "-c:a", "libopus"], rate: 48000, hasVideo: true),
    Animal(name: "film.ts", options: ["-c:v", "mpeg2video", "-c:a", "mp2"], hasVideo: true),
    Animal(name: "film.avi", options: ["-c:v", "mpeg4", "-c:a", "libmp3lame"], hasVideo: true),
    Animal(name: "film.mpg", options: ["-c:v", "mpeg1video", "-c:a", "mp2"], hasVideo: true),
    Animal(name: "film.wmv", options: ["-c:v", "wmv2", "-c:a", "wmav2"], hasVideo: true),
  ]

  /// What went into an animal: noise, 16 bits, interleaved.
  package static func samples(of animal: Animal) -> [Int16] {
    MediaFixtures.noise(
      frames: Int((seconds * Double(animal.rate)).rounded()), channels: animal.channels, seed: 17)
  }

  /// The file, made on first use.
  package static func file(_ animal: Animal) throws -> URL {
    let wav = try MediaFixtures.wav(
      "zoo-\(animal.rate)-\(animal.channels).wav", samples: samples(of: animal), rate: animal.rate,
      channels: animal.channels)
    var arguments = ["-i", wav.path]
    if animal.hasVideo {
      arguments += ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=\(seconds)", "-pix_fmt", "yuv420p"]
    }
    return try MediaFixtures.ffmpeg("zoo-" + animal.name, arguments + animal.options)
  }
}
