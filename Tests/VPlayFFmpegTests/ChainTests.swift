import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Ogg files glued together, as radio stations' recordings are.
struct ChainTests {
  struct Chain: CustomTestStringConvertible {
    var codec: String
    var type: String
    var rates: [Int]
    var channels: [Int]
    var testDescription: String { "\(codec) \(rates)" }

    static let linkSeconds = [1.5, 1.2, 0.8]

    /// The links' lengths in seconds.
    var seconds: Double { Self.linkSeconds.prefix(rates.count).reduce(0, +) }

    func file() throws -> URL {
      var bytes: [UInt8] = []
      for (index, rate) in rates.enumerated() {
        let frames = Int((Self.linkSeconds[index] * Double(rate)).rounded())
        let wav = try MediaFixtures.wav(
          "link-\(index)-\(rate)-\(channels[index]).wav",
          samples: MediaFixtures.noise(frames: frames, channels: channels[index], seed: UInt64(index + 5)), rate: rate,
          channels: channels[index])
        let name = "link-\(index)-\(rate)-\(channels[index])-\(codec).\(type)"
        bytes += try Data(contentsOf: MediaFixtures.encode(wav, as: name, ["-c:a", codec]))
      }
      return try MediaFixtures.bytes("chain-\(codec)-\(rates.map(String.init).joined(separator: "-")).\(type)", bytes)
    }

    /// Whether the installed FFmpeg reads no more than the first link.
    func isRefused() throws -> Bool {
      try codec == "libvorbis" && Set(channels).count > 1 && ChainTests.refusesOtherChannels()
    }
  }

  /// FFmpeg's libavformat 62 does not read a Vorbis link of other channels than the first's.
  static func refusesOtherChannels() throws -> Bool {
    let text = String(decoding: try MediaFixtures.run(["ffmpeg", "-version"]), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.contains("libavformat") }
    let major = line?.split(separator: " ").dropFirst().first?.prefix { $0.isNumber }
    return try #require(major.flatMap { Int($0) }) >= 62
  }

  static let chains = [
    Chain(codec: "libvorbis", type: "ogg", rates: [44100, 44100, 44100], channels: [2, 2, 2]),
    Chain(codec: "libvorbis", type: "ogg", rates: [44100, 22050], channels: [2, 1]),
    Chain(codec: "libopus", type: "opus", rates: [48000, 48000, 48000], channels: [2, 2, 2]),
    Chain(codec: "flac", type: "ogg", rates: [44100, 22050, 48000], channels: [2, 1, 2]),
  ]

  private static func seconds(_ decoded: DecodedFile) -> Double {
    decoded.blocks.reduce(0) { $0 + Double($1.frameCount) / Double($1.format.sampleRate) }
  }

  @Test(arguments: chains)
  func `all links are heard, each for as long as it is`(_ chain: Chain) throws {
    let decoded = try DecodedFile(try chain.file())
    if try chain.isRefused() {
      // What came before it is heard, and why there is no more is told.
      #expect(decoded.errors.first?.kind == .unsupportedCodec)
      #expect(abs(Self.seconds(decoded) - Chain.linkSeconds[0]) < 0.001)
      return
    }
    #expect(decoded.errors.isEmpty)
    #expect(decoded.description.duration == nil)
    let excess = (Self.seconds(decoded) - chain.seconds) * 48_000
    #expect(abs(excess) < 1)
    var time = 0.0
    for block in decoded.blocks {
      let start = Double(block.startFrame) / Double(block.format.sampleRate)
      #expect(abs(start - time) < 0.0001)
      time = start + Double(block.frameCount) / Double(block.format.sampleRate)
    }
  }

  // The clock of FLAC in Ogg is counted at the first link's rate.
  @Test(arguments: chains.filter { $0.codec != "flac" })
  func `packets' times go on from link to link`(_ chain: Chain) throws {
    if try chain.isRefused() { return }
    let reader = try TrackReader(url: DecodedFile.address(try chain.file()))
    var end = 0.0
    for pass in 0..<2 {
      if pass > 0 { try reader.seek(to: .zero) }
      end = 0
      while let packet = try reader.source.read() {
        guard let time = packet.time?.seconds else { continue }
        #expect(time > end - 0.11)
        end = max(end, time + packet.duration.seconds)
      }
    }
    #expect(abs(end - chain.seconds) < 0.1)
  }

  @Test(arguments: chains)
  func `a seek finds its place in any link, again and again`(_ chain: Chain) throws {
    if try chain.isRefused() { return }
    let file = try chain.file()
    let whole = try DecodedFile(file)
    let reader = try TrackReader(url: DecodedFile.address(file))
    var random = SplitMix(state: 3)
    for round in 0..<20 {
      let seconds = round == 0 ? 0 : Double.random(in: 0..<chain.seconds - 0.1, using: &random)
      try reader.seek(to: MediaTime(seconds: seconds))
      let part = try reader.read(atLeast: 2000)
      let block = try #require(part.blocks.first)
      let target = MediaTime(seconds: seconds).frame(rate: block.format.sampleRate)
      #expect(abs(block.startFrame - target) <= 1)
      // Where the linear decode has the same frame.
      var offset = 0
      for other in whole.blocks {
        if other.format == block.format, other.startFrame <= block.startFrame,
          block.startFrame < other.startFrame + Int64(other.frameCount)
        {
          offset += Int(block.startFrame - other.startFrame) * other.format.channelCount
          break
        }
        offset += other.frameCount * other.format.channelCount
      }
      let first = block.frameCount * block.format.channelCount
      let worst = zip(part.samples[..<first], whole.samples[offset...]).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
      #expect(worst < 1e-3, "\(seconds) s")
    }
  }
}
