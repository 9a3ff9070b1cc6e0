import Foundation

/// A capture from its first sound to its last.
struct HeardTones {
  let samples: [Int16]
  let channels: Int
  let rate: Int
  let times: [Double]
  let durations: [Double]

  init(samples: [Int16], channels: Int, rate: Int, times: [Double], durations: [Double]) {
    let first = (samples.firstIndex { $0 != 0 } ?? 0) / channels
    let last = (samples.lastIndex { $0 != 0 } ?? -1) / channels
    self.samples = last < first ? [] : Array(samples[first * channels..<(last + 1) * channels])
    (self.channels, self.rate, self.times, self.durations) = (channels, rate, times, durations)
  }

  var frameCount: Int { samples.count / channels }
  var seconds: Double { Double(frameCount) / Double(rate) }

  func frames(channel: Int) -> [Int16] {
    stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
  }

  /// Whether the first channel is `expected` from its first sound on.
  func isClose(to expected: [Int16]) -> Bool {
    let mine = frames(channel: 0)
    let theirs = Array(expected.drop { $0 == 0 })
    return abs(mine.count - theirs.count) <= 1 && zip(mine, theirs).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }

  /// The amplitude of a tone in a window, full scale 1.
  func level(of frequency: Double, channel: Int, from start: Double, seconds: Double) -> Double {
    let (sine, cosine) = fit(frequency, channel, start, seconds)
    return (sine * sine + cosine * cosine).squareRoot()
  }

  /// The root mean square of what is not the tone.
  func rest(of frequency: Double, channel: Int, from start: Double, seconds: Double) -> Double {
    let (sine, cosine) = fit(frequency, channel, start, seconds)
    let window = window(channel, start, seconds)
    let step = 2 * Double.pi * frequency / Double(rate)
    let sum = window.enumerated().reduce(0.0) { sum, pair in
      let off = pair.element - sine * sin(step * Double(pair.offset)) - cosine * cos(step * Double(pair.offset))
      return sum + off * off
    }
    return (sum / Double(max(1, window.count))).squareRoot()
  }

  private func window(_ channel: Int, _ start: Double, _ seconds: Double) -> [Double] {
    let first = Int(start * Double(rate))
    let end = min(frameCount, first + Int(seconds * Double(rate)))
    guard first < end else { return [] }
    return (first..<end).map { Double(samples[$0 * channels + channel]) / 32_768 }
  }

  private func fit(_ frequency: Double, _ channel: Int, _ start: Double, _ seconds: Double) -> (Double, Double) {
    let window = window(channel, start, seconds)
    let step = 2 * Double.pi * frequency / Double(rate)
    var (sine, cosine) = (0.0, 0.0)
    for (index, value) in window.enumerated() {
      sine += value * sin(step * Double(index))
      cosine += value * cos(step * Double(index))
    }
    let scale = 2 / Double(max(1, window.count))
    return (sine * scale, cosine * scale)
  }
}
