import Foundation
import TestSupport
import Testing
import VPlayKit

extension HeardPathTests {
  @Suite struct Loops {
    /// Five passes of a second of AAC, whole periods of a sine, against what `ffmpeg` decodes of it.
    @Test("passes of AAC in a movie: to the frame, no seam, B27") func aacInMovieLoopsToTheFrame() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let url = try MediaFixtures.ffmpeg(
        "loop.mov",
        [
          "-f", "lavfi", "-i", "aevalsrc=0.5*sin(2*PI*1000*t):s=48000:d=1", "-ac", "2", "-c:a", "aac", "-b:a", "192k",
          // Made of noise, which a decoder draws anew each time.
          "-aac_pns", "0",
        ])
      let raw = try MediaFixtures.ffmpeg("loop.s16", ["-i", url.path, "-f", "s16le"])
      let pass = try Data(contentsOf: raw).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let heard = try loop(url, passes: 5, on: server)

      let first = try #require(heard.firstIndex { $0 != 0 })
      let total = 5 * 48_000
      // The first decoded frames may be 0; behind the last one all is.
      let offsets = max(0, first - 96)...first
      let offset = try #require(
        offsets.min { error(heard, at: $0, pass) < error(heard, at: $1, pass) })
      let length = try #require(heard.lastIndex { $0 != 0 }) + 1 - offset
      #expect((total - 48...total).contains(length), "\(length)")
      var worst = 0
      for frame in 0..<min(total, heard.count - offset) {
        worst = max(worst, abs(Int(heard[offset + frame]) - Int(pass[frame % 48_000 * 2])))
      }
      // A rounding is all by which two decoders may differ.
      #expect(worst <= 2)
      #expect(phaseError(heard[(offset + 240)..<(offset + total - 240)], radians: 2 * .pi / 48) < 0.05 * 16_384)
    }

    /// B27: 441 whole periods at a rate that is not the sink's.
    @Test("20 passes of another rate: no seam, no other state, B27") func resampledLoopsHaveNoSeam() throws {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let url = try MediaFixtures.ffmpeg(
        "loop441.wav",
        ["-f", "lavfi", "-i", "sine=frequency=441:sample_rate=44100:duration=1", "-ac", "2", "-c:a", "pcm_s16le"])
      let heard = try loop(url, passes: 20, on: server)
      let first = try #require(heard.firstIndex { $0 != 0 })
      let end = try #require(heard.lastIndex { $0 != 0 }) + 1
      #expect(abs(end - first - 20 * 48_000) <= 96, "\(end - first)")
      // Its own ends, cut out of nothing, are steeper than the tone.
      let sound = heard[first..<end].dropFirst(240).dropLast(240)
      let peak = try #require(sound.map { abs(Int($0)) }.max())
      let steps = zip(sound.dropFirst(), sound).map { abs(Int($0) - Int($1)) }
      #expect(try Double(#require(steps.max())) < Double(peak) * 2 * .pi * 441 / 48_000 * 1.05 + 2)
      #expect(phaseError(sound, radians: 2 * .pi * 441 / 48_000) < 4)
    }

    /// Plays to the end; the capture's left channel.
    private func loop(_ url: URL, passes: Int, on server: PrivatePulseServer) throws -> [Int16] {
      let heard = HeardPlayer(server)
      let states = Log<AVPlayer.TimeControlStatus>()
      let observation = heard.player.observe(\.timeControlStatus, options: .new) { _, change in
        if let status = change.newValue { states.add(status) }
      }
      let looper = AVPlayerLooper(player: heard.player, templateItem: AVPlayerItem(url: url), passes: passes)
      heard.play()
      #expect(states.wait { $0.contains(.playing) })
      #expect(states.wait(seconds: Double(passes) + 10) { $0.last == .paused })
      #expect(states.all.filter { $0 != .waitingToPlayAtSpecifiedRate } == [.playing, .paused])
      #expect(states.all.last { $0 != .paused } == .playing)
      #expect(looper.loopCount == passes)
      heard.wait(seconds: 0.2)
      observation.invalidate()
      let samples = server.capture.samples
      return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }

    /// How much a second of a capture differs from a pass.
    private func error(_ heard: [Int16], at offset: Int, _ pass: [Int16]) -> Int {
      guard offset + 48_000 <= heard.count else { return .max }
      return (0..<48_000).reduce(0) { $0 + abs(Int(heard[offset + $1]) - Int(pass[$1 * 2])) }
    }

    /// The greatest violation of a sine's own recurrence.
    private func phaseError(_ samples: ArraySlice<Int16>, radians: Double) -> Double {
      let factor = 2 * cos(radians)
      var worst = 0.0
      for index in samples.indices.dropFirst().dropLast() {
        let (before, here, after) = (Double(samples[index - 1]), Double(samples[index]), Double(samples[index + 1]))
        worst = max(worst, abs(after - factor * here + before))
      }
      return worst
    }
  }
}
