import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  /// A sine, on which every control is heard soon and none clicks.
  @Suite struct Controls {
    private enum Control: CaseIterable {
      case mute, unmute, pause, play, softer, louder

      func act(on heard: HeardPlayer) {
        switch self {
        case .mute: heard.setMuted(true)
        case .unmute: heard.setMuted(false)
        case .pause: heard.pause()
        case .play: heard.play()
        case .softer: heard.setVolume(0.2)
        case .louder: heard.setVolume(1)
        }
      }

      /// Whether the sound is less from it on.
      var isFall: Bool { [.mute, .pause, .softer].contains(self) }
      /// What the level is after it.
      var level: Double { self == .softer ? 0.2 : isFall ? 0 : 1 }
    }

    private static let peak = 32_000.0
    private static let cycles = 1000.0
    private static let rate = 48_000

    @Test("mute, pause and volume: soon heard, and no click, B21", arguments: [ServerKind.pulseAudio, .pipeWire])
    func everyControl(kind: ServerKind) throws {
      let server = try kind.start()
      defer { server.stop() }
      let heard = HeardPlayer(server)
      heard.load(try sine())
      heard.play()
      #expect(waitUntil(heard.player, \.timeControlStatus) { $0 == .playing })
      heard.wait(seconds: 0.5)
      let clock = SystemClock()
      var acts: [(control: Control, time: HostTime, frame: Int)] = []
      for _ in 0..<4 {
        for control in Control.allCases {
          acts.append((control, clock.now, server.capture.frameCount))
          control.act(on: heard)
          heard.wait(seconds: 0.3)
        }
      }
      for step in 1...50 {
        heard.setVolume(1 - Float(step) / 50)
        heard.wait(seconds: 0.01)
      }
      heard.wait(seconds: 0.2)
      let samples = server.capture.samples
      let left = stride(from: 0, to: samples.count, by: 2).map { Double(samples[$0]) }

      let limit = kind == .pulseAudio ? 0.045 : 0.12
      for control in Control.allCases {
        let delays = acts.filter { $0.control == control }.map { act -> Double in
          let window = act.frame..<min(left.count, act.frame + Self.rate / 4)
          let isLoud = { (frame: Int) in
            abs(left[frame]) > (control.level == 0.2 || control == .louder ? 0.3 : 0.001) * Self.peak
          }
          let frame = control.isFall ? window.last(where: isLoud) : window.first(where: isLoud)
          // Settled, it stays.
          let settled = left[(act.frame + Self.rate / 5)..<(act.frame + Self.rate / 4)]
          #expect(abs((settled.max() ?? 0) - control.level * Self.peak) < 0.01 * Self.peak, "\(control)")
          return frame.map { server.capture.hostTime(ofFrame: $0).seconds(since: act.time) } ?? .infinity
        }
        // A machine that was busy just then delays some.
        #expect(delays.min() ?? .infinity < limit, "\(control) \(delays)")
      }
      let steps = zip(left.dropFirst(), left).map { abs($0 - $1) }
      let steepest = 2 * sin(.pi * Self.cycles / Double(Self.rate)) * Self.peak
      #expect((steps.max() ?? 0) < 1.3 * steepest, "\(steps.max() ?? 0) \(steepest)")
    }

    private func sine() throws -> URL {
      let samples = (0..<20 * Self.rate).flatMap { frame -> [Int16] in
        let value = Int16((Self.peak * sin(2 * .pi * Self.cycles * Double(frame) / Double(Self.rate))).rounded())
        return [value, value]
      }
      let header = MediaFixtures.wavHeader(dataBytes: 2 * samples.count, rate: Self.rate, channels: 2)
      return try MediaFixtures.bytes("sine.wav", header + samples.withUnsafeBytes { Array($0) })
    }
  }
}
