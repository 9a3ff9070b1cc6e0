import Foundation
import Testing
import VPlayFFmpeg
import VPlayModel

struct AudioConverterTests {
  static func convert(_ samples: [Float], _ converter: FFmpegAudioConverter, block: Int = 1000) throws
    -> [Float]
  {
    var result: [Float] = []
    let channels = converter.input.channelCount
    var index = 0
    while index < samples.count {
      let end = min(index + block * channels, samples.count)
      try samples[index..<end].withUnsafeBufferPointer { part in
        try converter.convert(part, frameCount: part.count / channels) { out, count in
          #expect(out.count == count * converter.output.channelCount)
          result += out
        }
      }
      index = end
    }
    try converter.flush { out, _ in result += out }
    return result
  }

  static func tone(_ frequency: Double, rate: Int, frames: Int, level: Double = 0.891) -> [Float] {
    (0..<frames).map { Float(level * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  /// Residual, in dB below the tone, of what is not the tone itself.
  static func residual(_ samples: ArraySlice<Float>, _ frequency: Double, rate: Int) -> Double {
    var (ss, cc, sc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
    let step = 2 * Double.pi * frequency / Double(rate)
    for (index, y) in samples.enumerated() {
      let (s, c) = (sin(step * Double(index)), sin(step * Double(index) + .pi / 2))
      ss += s * s
      cc += c * c
      sc += s * c
      ys += Double(y) * s
      yc += Double(y) * c
    }
    let det = ss * cc - sc * sc
    let (a, b) = ((ys * cc - yc * sc) / det, (yc * ss - ys * sc) / det)
    var rest = 0.0
    var whole = 0.0
    for (index, y) in samples.enumerated() {
      let fit = a * sin(step * Double(index)) + b * sin(step * Double(index) + .pi / 2)
      rest += (Double(y) - fit) * (Double(y) - fit)
      whole += fit * fit
    }
    return 10 * log10(rest / whole)
  }

  @Test(arguments: [100.0, 441, 1000, 5000, 10000, 15000, 18000])
  func `a tone comes through the rate conversion clean`(_ frequency: Double) throws {
    let converter = try FFmpegAudioConverter(from: .mono(44100), to: .mono(48000))
    let result = try Self.convert(Self.tone(frequency, rate: 44100, frames: 44100), converter)
    #expect(result.count == 48000)
    #expect(Self.residual(result[4800..<43200], frequency, rate: 48000) < -90)
  }

  @Test(arguments: [
    (44100, 48000), (48000, 44100), (96000, 48000), (8000, 48000), (22050, 44100), (11025, 96000),
  ])
  func `the count follows the input to the frame`(_ rates: (Int, Int)) throws {
    for frames in [1, 2, 31, 1023, 44101, 33333] {
      let converter = try FFmpegAudioConverter(from: .stereo(rates.0), to: .stereo(rates.1))
      for _ in 0..<2 {
        let result = try Self.convert(Array(repeating: 0.25, count: frames * 2), converter, block: 777)
        #expect(result.count / 2 == Int(MediaTime(frame: Int64(frames), rate: rates.0).frame(rate: rates.1)))
      }
    }
  }

  @Test func `equal formats go through bit for bit`() throws {
    let converter = try FFmpegAudioConverter(from: .stereo(48000), to: .stereo(48000))
    let samples: [Float] = [0.1, -3, .leastNonzeroMagnitude, 1, .infinity, -0.0]
    let result = try Self.convert(samples, converter)
    #expect(result.map(\.bitPattern) == samples.map(\.bitPattern))
  }

  @Test func `mono keeps its level in stereo`() throws {
    let converter = try FFmpegAudioConverter(from: .mono(48000), to: .stereo(48000))
    #expect(try Self.convert([0.5, -0.25], converter) == [0.5, 0.5, -0.25, -0.25])
  }

  @Test func `a centre is heard alike on both sides, and a side on its own`() throws {
    let surround: [ChannelPosition] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight,
    ]
    let converter = try FFmpegAudioConverter(
      from: AudioFormat(sampleRate: 48000, channels: surround), to: .stereo(48000))
    let center = try Self.convert([0, 0, 0.5, 0, 0, 0, 0, 0], converter)
    #expect(center[0] == center[1] && center[0] > 0.1)
    let side = try Self.convert([0, 0, 0, 0, 0, 0, 0.5, 0], converter)
    #expect(side[0] > 0.1 && side[1] == 0)
    let loud = try Self.convert([1, 1, 1, 0, 1, 1, 1, 1], converter)
    #expect(loud.allSatisfy { $0 <= 1.0001 })
  }

  @Test func `the order of channels is their positions'`() throws {
    let swapped = AudioFormat(sampleRate: 48000, channels: [.frontRight, .frontLeft])
    let converter = try FFmpegAudioConverter(from: swapped, to: .stereo(48000))
    #expect(try Self.convert([0.25, 0.5], converter) == [0.5, 0.25])
  }

  @Test(arguments: [5, 9, 16, 24])
  func `channels without a place are all heard`(_ count: Int) throws {
    let format = AudioFormat(sampleRate: 44100, channels: Array(repeating: .unknown, count: count))
    for channel in 0..<count {
      for rate in [44100, 48000] {
        let converter = try FFmpegAudioConverter(from: format, to: .stereo(rate))
        let frames = (0..<1000).flatMap { _ in (0..<count).map { $0 == channel ? Float(0.5) : 0 } }
        let result = try Self.convert(frames, converter)
        #expect(result[1000] > 0.01 && result[1001] > 0.01)
      }
    }
  }

  @Test func `stereo goes to the front of a larger layout`() throws {
    let surround: [ChannelPosition] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight,
    ]
    let converter = try FFmpegAudioConverter(
      from: .stereo(48000), to: AudioFormat(sampleRate: 48000, channels: surround))
    #expect(try Self.convert([0.5, 0.25], converter) == [0.5, 0.25, 0, 0, 0, 0])
  }
}
