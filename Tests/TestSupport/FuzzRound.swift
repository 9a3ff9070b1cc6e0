package import Foundation
internal import Glibc
internal import VPlayEngine
internal import VPlayFFmpeg
internal import VPlayKit
internal import VPlayModel

/// One damaged file through demuxer and decoders with seeks, then through a whole player into an output that takes all.
package struct FuzzRound {
  /// What went wrong, in words; empty when all ended as it should.
  package private(set) var faults: [String] = []
  private var random: SeededGenerator

  /// A player is left alone after this many seconds: a file may claim hours, and playing them is not wrong.
  private static let playedSeconds = 60.0
  private static let waitSeconds = 60.0

  package init(_ file: URL, seed: UInt64) {
    random = SeededGenerator(seed: seed ^ 0x5eed)
    decode(file)
    play(file)
  }

  /// The damaged file of a seed, written to `file`.
  package static func write(seed: UInt64, from originals: [URL], to file: URL) throws {
    var random = SeededGenerator(seed: seed)
    let original = originals[Int.random(in: 0..<originals.count, using: &random)]
    let other = originals[Int.random(in: 0..<originals.count, using: &random)]
    var mutation = MediaMutation(seed: random.next())
    try Data(mutation.damage(try bytes(of: original), with: try bytes(of: other))).write(to: file)
  }

  // Foundation's `Data(contentsOf:)` leaks when a file is empty.
  private static func bytes(of file: URL) throws -> [UInt8] {
    guard let handle = fopen(file.path, "r") else { throw MediaFixtures.Failure(description: "cannot read \(file)") }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, handle)
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private mutating func decode(_ file: URL) {
    // What cannot be opened is reported, and that is all that is asked.
    guard let reader = try? TrackReader(url: DecodedFile.address(file)) else { return }
    for pass in 0..<3 {
      if pass > 0 { try? reader.seek(to: MediaTime(seconds: Double.random(in: -1...3, using: &random))) }
      var decoded = DecodedFile(description: reader.description)
      try? reader.readToEnd(into: &decoded, atLeast: 20_000_000)
      for (block, next) in zip(decoded.blocks, decoded.blocks.dropFirst()) where block.format == next.format {
        if block.startFrame + Int64(block.frameCount) > next.startFrame { faults.append("blocks out of order") }
      }
    }
  }

  private mutating func play(_ file: URL) {
    let clock = SystemClock()
    let sink = WAVFileSink(path: "/dev/null")
    let player = AVQueuePlayer(
      environment: PlayerEnvironment(
        clock: clock, sink: { _ in sink },
        makeConverter: { (input, output) throws(MediaError) in try FFmpegAudioConverter(from: input, to: output) },
        makeSource: { FFmpegSource(url: $0.absoluteString) }))
    let item = AVPlayerItem(url: file)
    item.forwardPlaybackEndTime = CMTime(seconds: Self.playedSeconds, preferredTimescale: 48000)
    let isOver = Monitor(false)
    player.insert(item, after: nil)
    if Bool.random(using: &random) {
      let start = Double.random(in: 0...1.3, using: &random)
      player.seek(to: CMTime(seconds: start, preferredTimescale: 48000), toleranceBefore: .zero, toleranceAfter: .zero)
    }
    player.play()
    // From now on: what cannot be opened may have come and gone before any change of it could be told.
    let observation = player.observe(\.currentItem, options: [.initial]) { player, _ in
      if player.currentItem == nil { isOver.withLockAndWake { $0 = true } }
    }
    defer { observation.invalidate() }
    let limit = clock.now.advanced(bySeconds: Self.waitSeconds)
    if isOver.wait(until: limit, { $0 ? true : nil }) == nil { faults.append("the player does not end") }
    let time = player.currentTime().seconds
    if !(time >= 0) { faults.append("the time is \(time)") }
    player.replaceCurrentItem(with: nil)
  }
}
