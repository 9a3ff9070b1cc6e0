import Foundation
import TestSupport
import VPlayEngine
import VPlayFFmpeg
import VPlayKit
import VPlayModel
import VPlayPulse

/// A player on a private sound server that notes what is asked of it, and how much the server had played by then.
final class HeardPlayer {
  struct Act {
    enum Kind: Equatable {
      case play, pause, mute, unmute
      case volume(Float)
      case seek(Int64)
    }
    var kind: Kind
    /// So much was captured when it was asked: it is heard later than that.
    var captureFrame: Int
  }

  let server: PrivatePulseServer
  let player: AVQueuePlayer
  private(set) var acts: [Act] = []
  /// The seeks that are over, by their number from 0.
  let answers = Log<(seek: Int, isDone: Bool)>()
  private(set) var seekCount = 0

  init(_ server: PrivatePulseServer, sink: PulseSink? = nil) {
    self.server = server
    player = AVQueuePlayer(environment: Self.environment(server, sink: sink))
    player.actionAtItemEnd = .pause
  }

  static func environment(_ server: PrivatePulseServer, sink: PulseSink? = nil) -> PlayerEnvironment {
    let sink = sink ?? PulseSink(applicationName: "VPlayTests", server: server.server)
    return PlayerEnvironment(
      clock: SystemClock(), sink: { _ in sink },
      makeConverter: { (input, output) throws(MediaError) in try FFmpegAudioConverter(from: input, to: output) },
      makeSource: { FFmpegSource(url: $0.absoluteString) })
  }

  /// Takes another medium; what was asked before is forgotten.
  func load(_ url: URL) {
    acts = []
    player.replaceCurrentItem(with: AVPlayerItem(url: url))
  }

  func play() {
    note(.play)
    player.play()
  }

  func pause() {
    note(.pause)
    player.pause()
  }

  func setMuted(_ isMuted: Bool) {
    note(isMuted ? .mute : .unmute)
    player.isMuted = isMuted
  }

  func setVolume(_ volume: Float) {
    note(.volume(volume))
    player.volume = volume
  }

  func seek(toFrame frame: Int64) {
    note(.seek(frame))
    let number = seekCount
    seekCount += 1
    let time = CMTime(value: frame, timescale: CMTimeScale(NoiseFile.rate))
    player.seek(to: time, toleranceBefore: .zero, toleranceAfter: .zero) { [answers] in
      answers.add((number, $0))
    }
  }

  /// Waits until each seek has been answered.
  func waitForAnswers() -> Bool {
    answers.wait { $0.count >= seekCount }
  }

  /// Waits until the server has played so much more.
  func wait(seconds: Double) {
    server.capture.wait(seconds: seconds)
  }

  /// What was heard from a frame of the capture on, compared with what was asked.
  func trace(of file: NoiseFile, from start: Int = 0, levels: [Float] = [1]) -> HeardTrace {
    let samples = server.capture.samples(from: start)
    return HeardTrace(file.runs(in: samples, levels: levels), of: samples, file.noise, acts, from: start)
  }

  struct Stream {
    var index: Int
    var isCorked: Bool
  }

  /// The streams that the server has.
  func streams() throws -> [Stream] {
    var streams: [Stream] = []
    for line in try server.run("env", "LC_ALL=C", "pactl", "list", "sink-inputs").split(separator: "\n") {
      if line.hasPrefix("Sink Input #"), let index = Int(line.dropFirst(12)) {
        streams.append(Stream(index: index, isCorked: false))
      } else if line.hasPrefix("\tCorked: yes"), !streams.isEmpty {
        streams[streams.count - 1].isCorked = true
      }
    }
    return streams
  }

  private func note(_ kind: Act.Kind) {
    acts.append(Act(kind: kind, captureFrame: server.capture.frameCount))
  }
}
