import TestSupport
import Testing
import VPlayEngine

@Suite struct PCMHistoryTests {
  private func copy(_ history: PCMHistory, from frame: Int64, count: Int) -> [Float] {
    var output = [Float](repeating: .nan, count: count * history.channels)
    output.withUnsafeMutableBufferPointer { history.copy(from: frame, into: $0) }
    return output
  }

  @Test func moreThanItHoldsLeavesTheNewest() {
    var history = PCMHistory(channels: 2, capacityFrames: 10)
    let samples = (0..<50).map { Float($0) }
    samples.withUnsafeBufferPointer { history.append($0) }
    #expect(history.firstFrame == 15 && history.endFrame == 25)
    #expect(copy(history, from: 15, count: 10) == Array(samples[30...]))
    history.appendSilence(frames: 1_000_000_000_000)
    #expect(history.endFrame == 1_000_000_000_025 && history.endFrame - history.firstFrame == 10)
    #expect(copy(history, from: history.firstFrame, count: 10).allSatisfy { $0 == 0 })
  }

  /// Against a plain array of all that was ever written.
  @Test(arguments: 0..<40) func randomEdits(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let channels = Int.random(in: 1...6, using: &random)
    let capacity = Int.random(in: 1...500, using: &random)
    var history = PCMHistory(channels: channels, capacityFrames: capacity)
    var model: [Float] = []
    var first: Int64 = 0
    var offset: Int64 = 0
    func end() -> Int64 { offset + Int64(model.count / channels) }
    for step in 0..<300 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1:
        let count = Int.random(in: 0...(step % 7 == 0 ? 900 : 60), using: &random)
        let samples = (0..<count * channels).map { _ in Float.random(in: -1...1, using: &random) }
        samples.withUnsafeBufferPointer { history.append($0) }
        model += samples
      case 2:
        let count = Int.random(in: 0...60, using: &random)
        history.appendSilence(frames: Int64(count))
        model += [Float](repeating: 0, count: count * channels)
      case 3:
        let frame = Int64.random(in: first...end(), using: &random)
        history.truncate(to: frame)
        model.removeLast(Int(end() - frame) * channels)
      case 4:
        let frame = Int64.random(in: first...end(), using: &random)
        let count = Int.random(in: 0...60, using: &random)
        history.delay(from: frame, byFrames: Int64(count))
        model.insert(contentsOf: [Float](repeating: 0, count: count * channels), at: Int(frame - offset) * channels)
      default:
        guard Int.random(in: 0..<10, using: &random) == 0 else { continue }
        offset = Int64.random(in: 0...1000, using: &random)
        first = offset
        history.reset(to: offset)
        model = []
      }
      first = max(first, end() - Int64(capacity))
      #expect(history.firstFrame == first && history.endFrame == end())
      let kept = copy(history, from: first, count: Int(end() - first))
      let expected = Array(model[(Int(first - offset) * channels)...])
      #expect(kept == expected)
      if kept != expected { return }
    }
  }
}
