import TestSupport
import Testing
import VPlayEngine

@Suite struct GainScheduleTests {
  @Test func aRampIsLinearAndEndsAtItsGain() {
    var gain = GainSchedule(gain: 1)
    gain.change(to: 0, at: 100, overFrames: 4)
    #expect((98...106).map { gain.gain(at: $0) } == [1, 1, 1, 0.75, 0.5, 0.25, 0, 0, 0])
    #expect(gain.finalGain == 0)
    gain.change(to: 1, at: 102, overFrames: 2)
    #expect((100...106).map { gain.gain(at: $0) } == [1, 0.75, 0.5, 0.75, 1, 1, 1])
    gain.change(to: 0.25, at: 103, overFrames: 0)
    #expect((101...105).map { gain.gain(at: $0) } == [0.75, 0.5, 0.25, 0.25, 0.25])
  }

  @Test func soundThatBeginsAnewDoesNotKnowTheGainBefore() {
    var gain = GainSchedule(gain: 0.5)
    gain.restart(from: 0, to: 1, at: 10, overFrames: 2)
    #expect((9...13).map { gain.gain(at: $0) } == [0.5, 0, 0.5, 1, 1])
    gain.restart(from: 1, to: 1, at: 11, overFrames: 0)
    #expect((9...13).map { gain.gain(at: $0) } == [0.5, 0, 1, 1, 1])
  }

  @Test func framesBeforeAForgottenRampReadAsItsBeginning() {
    var gain = GainSchedule(gain: 1)
    gain.change(to: 0, at: 100, overFrames: 10)
    gain.forget(before: 105)
    #expect(gain.segments.count == 1)
    #expect(gain.gain(at: 50) == 1 && gain.gain(at: 105) == 0.5 && gain.gain(at: 200) == 0)
    var samples = [Float](repeating: 1, count: 200)
    samples.withUnsafeMutableBufferPointer { gain.apply(to: $0, channels: 1, from: 0) }
    #expect(samples == (0..<200).map { gain.gain(at: $0) })
  }

  @Test func fullGainLeavesEveryBitAndNoneLeavesNothing() {
    let noise: [Float] = [.leastNonzeroMagnitude, -0.0, 0.1, -1.4, .infinity]
    var samples = noise
    samples.withUnsafeMutableBufferPointer { GainSchedule(gain: 1).apply(to: $0, channels: 1, from: 7) }
    #expect(samples.map(\.bitPattern) == noise.map(\.bitPattern))
    samples.withUnsafeMutableBufferPointer { GainSchedule(gain: 0).apply(to: $0, channels: 1, from: 7) }
    #expect(samples.allSatisfy { $0 == 0 })
  }

  /// `apply` in any pieces, after any forgetting, is `gain(at:)` frame by frame; and that is a plain array's.
  @Test(arguments: 0..<60) func randomSchedules(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let length = 2000
    var gain = GainSchedule(gain: 1)
    var model = [Float](repeating: 1, count: length)
    var heard: Int64 = 0
    for _ in 0..<40 {
      let frame = Int64.random(in: heard..<Int64(length), using: &random)
      let frames = Int64([0, 1, 3, 240].randomElement(using: &random) ?? 0)
      let target = Float([0, 0.25, 0.5, 1].randomElement(using: &random) ?? 1)
      let first: Float
      if Bool.random(using: &random) {
        first = model[Int(frame)]
        gain.change(to: target, at: frame, overFrames: frames)
      } else {
        first = Float([0, 1].randomElement(using: &random) ?? 1)
        gain.restart(from: first, to: target, at: frame, overFrames: frames)
      }
      for index in Int(frame)..<length {
        let offset = Int64(index) - frame
        model[index] = offset >= frames ? target : first + (target - first) * (Float(offset) / Float(frames))
      }
      if Int.random(in: 0..<5, using: &random) == 0 {
        heard = Int64.random(in: heard...min(heard + 300, Int64(length) - 1), using: &random)
        gain.forget(before: heard)
      }
      var samples = [Float](repeating: 1, count: 2 * (length - Int(heard)))
      samples.withUnsafeMutableBufferPointer { samples in
        var start = 0
        while start < samples.count / 2 {
          let end = min(samples.count / 2, start + Int.random(in: 1...700, using: &random))
          gain.apply(
            to: UnsafeMutableBufferPointer(rebasing: samples[2 * start..<2 * end]), channels: 2,
            from: heard + Int64(start))
          start = end
        }
      }
      let expected = model[Int(heard)...].flatMap { [$0, $0] }
      #expect(samples == expected)
      #expect((Int(heard)..<length).allSatisfy { gain.gain(at: Int64($0)) == model[$0] })
      if samples != expected { return }
    }
  }
}
