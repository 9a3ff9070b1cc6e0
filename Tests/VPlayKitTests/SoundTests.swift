import Foundation
import Testing
@testable import VPlayKit
import VPlayModel
import VPlayTesting

/// Mute and volume.
@Suite(.serialized) struct SoundTests {
  @Test func pauseTellsWhenItIsQuiet() {
    let player = KitRig.player(seconds: 20)
    let told = Log<Int>()
    // Nothing to fade, and no item.
    AVPlayer().pause { told.add(0) }
    #expect(told.wait(count: 1))
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
    player.pause { told.add(1) }
    #expect(player.rate == 0)
    #expect(told.wait(count: 2))
    player.pause { told.add(2) }
    #expect(told.wait(count: 3))
    #expect(told.all == [0, 1, 2])
    #expect(player.outputStatistics.streams == 1)
  }

  @Test(arguments: [
    (Float(1), false, false, Float(1)), (0.5, false, false, 0.5), (0, false, false, 0),
    (1, true, false, 0), (1, false, true, 0), (0.5, true, true, 0),
  ])
  func heardGain(volume: Float, isMuted: Bool, isOutputMuted: Bool, gain: Float) {
    #expect(HeardGain.gain(volume: volume, isMuted: isMuted, isOutputMuted: isOutputMuted) == gain)
  }

  @Test(arguments: [(Float(0.3), Float(0.3)), (1.5, 1), (-1, 0), (.infinity, 1), (-.infinity, 0), (.nan, 0.7)])
  func volumeIsClamped(asked: Float, result: Float) {
    let player = AVPlayer(environment: KitRig.environment())
    player.volume = 0.7
    player.volume = asked
    #expect(player.volume == result)
  }

  @Test(arguments: [(Float(2), Float(2)), (0.5, 0.5), (0, 0), (-1, 0), (.infinity, 32), (1e-9, 1 / 32), (.nan, 1)])
  func rateIsClamped(asked: Float, result: Float) {
    let player = KitRig.player(seconds: 5)
    player.play()
    player.rate = asked
    #expect(player.rate == result)
  }

  @Test func mutesAreApart() throws {
    let session = AVAudioSession.sharedInstance()
    let player = AVPlayer(environment: KitRig.environment())
    player.volume = 0.5
    let changes = Posts(AVAudioSession.outputMuteStateChangeNotification, of: [session])
    try session.setOutputMuted(true)
    #expect(session.isOutputMuted)
    #expect(!player.isMuted)
    #expect(player.volume == 0.5)
    player.isMuted = true
    try session.setOutputMuted(true)
    try session.setOutputMuted(false)
    #expect(player.isMuted)
    #expect(player.volume == 0.5)
    #expect(changes.log.wait(count: 2))
    #expect(changes.log.count == 2)
  }

  @Test func aMutedPlayerOpensNoStream() throws {
    let sink = SimulatedSink(clock: SystemClock())
    let player = AVPlayer(environment: KitRig.environment(sink: sink))
    player.isMuted = true
    player.replaceCurrentItem(with: KitRig.item(seconds: 0.2))
    let ends = Posts(.AVPlayerItemDidPlayToEndTime, of: [try #require(player.currentItem)])
    player.play()
    #expect(ends.log.wait(count: 1))
    #expect(sink.statistics.opens == 0)
  }

  @Test func anOutputIsChosenBeforeTheFirstPlay() {
    let sink = SimulatedSink(clock: SystemClock())
    let null = NullSinkProbe()
    let environment = PlayerEnvironment(
      clock: SystemClock(), sink: { output -> any AudioSink in output == .null ? null as any AudioSink : sink },
      makeConverter: KitRig.environment().makeConverter, makeSource: KitRig.environment().makeSource)
    let player = AVPlayer(environment: environment)
    player.replaceCurrentItem(with: KitRig.item(seconds: 0.1))
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    player.audioOutput = .null
    player.play()
    #expect(waitUntil(player, \.rate) { $0 == 0 })
    player.audioOutput = .automatic
    #expect(player.audioOutput == .null)
    #expect(null.opens.count == 1)
    #expect(sink.statistics.opens == 0)
  }

  @Test func aMissingOutputIsToldAndTriedAgain() {
    let sink = SimulatedSink(clock: SystemClock())
    sink.setAvailable(false)
    let player = KitRig.player(seconds: 0.1, sink: sink)
    player.play()
    #expect(waitUntil(player, \.status) { $0 == .failed })
    #expect((player.error as? AVError)?.code == .mediaServicesWereReset)
    #expect(player.rate == 0)
    sink.setAvailable(true)
    #expect(waitUntil(player, \.status) { $0 == .readyToPlay })
    #expect(player.error == nil)
    player.play()
    #expect(waitUntil(player, \.timeControlStatus) { $0 == .playing })
  }
}
