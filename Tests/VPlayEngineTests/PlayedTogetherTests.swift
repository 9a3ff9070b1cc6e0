import TestSupport
import Testing
import VPlayModel
import VPlayTesting

@Suite struct PlayedTogetherTests {
  private static func server(_ random: inout SeededGenerator) -> SimulatedSink.Configuration {
    var configuration = SimulatedSink.Configuration()
    configuration.bufferSeconds = 0.5
    configuration.requestSeconds = 0.2
    configuration.blockFrames = [64, 170, 256].randomElement(using: &random) ?? 64
    configuration.delaySeconds = [0, 0.004, 0.08].randomElement(using: &random) ?? 0
    configuration.driftPPM = Double.random(in: -300...300, using: &random)
    configuration.dropsOnCork = Bool.random(using: &random)
    return configuration
  }

  /// Everything heard, in random order of calls, is what plain arrays say, frame by frame and bit by bit.
  @Test(arguments: 0..<60) func randomCalls(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let player = try PlayedTogether(
      passFrames: Int64.random(in: 300...9000, using: &random), configuration: Self.server(&random))
    for _ in 0..<40 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4: player.clock.advance(bySeconds: Double.random(in: 0...0.2, using: &random))
      case 4, 5:
        try player.setLevel([0, 0.25, 0.5, 1].randomElement(using: &random) ?? 1)
      case 6, 7: try player.pause()
      case 8, 9: try player.resume()
      case 10:
        try player.seek(
          to: Int64.random(in: 0..<300, using: &random), waitFrames: Int64.random(in: 0..<700, using: &random))
      default:
        // Nobody fills: the stream runs dry.
        player.clock.advance(bySeconds: Double.random(in: 0...1.2, using: &random))
      }
      if !player.isCorked { try player.fill() }
    }
    try player.resume()
    player.clock.advance(bySeconds: 0.4)
    let fault = player.fault()
    #expect(fault == nil)
    #expect(player.sink.statistics.ignoredFrames == 0)
  }
}
