import Foundation
import TestSupport
import VPlayEngine
import VPlayFFmpeg
import VPlayKit
import VPlayModel

/// A player of real files, rendering as fast as it goes into a WAV file of a test's own.
final class FileRig {
  let player: AVQueuePlayer
  let file: URL
  private let sink: WAVFileSink

  init() {
    file = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-rig-\(UUID().uuidString).wav")
    let sink = WAVFileSink(path: file.path)
    self.sink = sink
    player = AVQueuePlayer(environment: Self.environment(sink))
  }

  deinit {
    try? FileManager.default.removeItem(at: file)
  }

  static func environment(_ sink: any AudioSink) -> PlayerEnvironment {
    PlayerEnvironment(
      clock: SystemClock(), sink: { _ in sink },
      makeConverter: { (input, output) throws(MediaError) in try FFmpegAudioConverter(from: input, to: output) },
      makeSource: { FFmpegSource(url: $0.absoluteString) })
  }

  /// Plays all that is queued to its end; false when that takes too long.
  func playToEnd() -> Bool {
    player.play()
    return waitUntil(player, \.currentItem, seconds: 30) { $0 == nil }
  }

  /// What was rendered so far, once the player has let go.
  func rendered() throws -> (samples: [Float], frameCount: Int, format: AudioFormat) {
    player.replaceCurrentItem(with: nil)
    try sink.finish()
    let decoded = try DecodedFile(file)
    let format = decoded.blocks.first?.format ?? decoded.description.audioTracks.first?.format ?? .stereo(48_000)
    return (decoded.samples, decoded.frameCount, format)
  }
}
