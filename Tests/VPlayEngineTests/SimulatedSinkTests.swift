import Synchronization
import TestSupport
import Testing
import VPlayModel
import VPlayTesting

@Suite struct SimulatedSinkTests {
  let clock = ManualClock()
  let noise = NoiseMedia()

  private func open(_ sink: SimulatedSink, _ log: EventLog = EventLog()) throws -> any AudioSinkStream {
    try sink.openStream(
      StreamRequest(format: .stereo(48_000)), cancellation: SinkCancellation(), events: log.add)
  }

  private func write(_ stream: any AudioSinkStream, from first: Int64, count: Int, at frame: Int64) throws {
    try noise.floats(fromFrame: first, count: count).withUnsafeBufferPointer {
      try stream.write($0, at: frame)
    }
  }

  @Test func whatIsWrittenIsHeardInBlocksAfterTheLatency() throws {
    var configuration = SimulatedSink.Configuration()
    configuration.delaySeconds = 0.05
    let sink = SimulatedSink(clock: clock, configuration: configuration)
    let stream = try open(sink)
    try write(stream, from: 0, count: 4800, at: 0)
    clock.advance(bySeconds: 0.1)
    #expect(sink.heardSamples.isEmpty)
    let start = clock.now
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.5)
    let capture = sink.captures[0]
    #expect(Array(capture.samples.prefix(9600)) == noise.floats(fromFrame: 0, count: 4800))
    #expect(capture.samples.dropFirst(9600).allSatisfy { $0 == 0 })
    #expect(capture.stretches.map(\.isDry) == [false, true])
    let first = try #require(capture.hostTime(ofCaptureFrame: 0))
    let delay = first.seconds(since: start)
    #expect(delay >= 0.05 && delay <= 0.05 + 1024.0 / 48_000)
  }

  @Test func timeGoesOnWhileDryAndLateFramesAreNeverHeard() throws {
    let sink = SimulatedSink(clock: clock)
    let log = EventLog()
    let stream = try open(sink, log)
    try write(stream, from: 0, count: 1000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.3)
    var timing = try stream.timing()
    #expect(timing.readFrame > 12_000)
    #expect(timing.heardFrame == 1000)
    #expect(!timing.isRunning)
    #expect(log.events == [.underflow])
    let late = timing.readFrame - 500
    try write(stream, from: 5000, count: 1500, at: late)
    #expect(sink.statistics.ignoredFrames == 500)
    clock.advance(bySeconds: 0.2)
    timing = try stream.timing()
    #expect(timing.heardFrame == late + 1500)
    let capture = sink.captures[0]
    let stretch = try #require(capture.stretches.last { !$0.isDry })
    #expect(stretch.streamFrame == late + 500 && stretch.frameCount == 1000)
    #expect(
      Array(capture.samples[stretch.captureFrame * 2..<(stretch.captureFrame + 1000) * 2])
        == noise.floats(fromFrame: 5500, count: 1000))
  }

  @Test(arguments: [0, 1, 5, 21, 100, 777]) func aRewriteFromTheRewriteFrameIsHeardWhole(milliseconds: Int)
    throws
  {
    let sink = SimulatedSink(clock: clock)
    let stream = try open(sink)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.2 + Double(milliseconds) / 1000)
    let timing = try stream.timing()
    #expect(timing.rewriteFrame >= timing.readFrame)
    #expect(timing.rewriteFrame - timing.heardFrame == 1024 + 336)
    try write(stream, from: 1_000_000, count: 48_000, at: timing.rewriteFrame)
    clock.advance(bySeconds: 1)
    let heard = sink.captures[0].samples
    let change = Int(timing.rewriteFrame) * 2
    #expect(Array(heard[..<change]) == noise.floats(fromFrame: 0, count: change / 2))
    #expect(
      Array(heard[change..<change + 20_000]) == noise.floats(fromFrame: 1_000_000, count: 10_000))
  }

  @Test func aDeviceThatGivesBackTakesChangesAtTheEar() throws {
    var configuration = SimulatedSink.Configuration()
    configuration.delaySeconds = 0.5
    configuration.canRewind = true
    let sink = SimulatedSink(clock: clock, configuration: configuration)
    let stream = try open(sink)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 1)
    let timing = try stream.timing()
    #expect(timing.rewriteFrame == timing.heardFrame + 336)
    #expect(timing.rewriteFrame < timing.readFrame)
    try write(stream, from: 1_000_000, count: 48_000, at: timing.rewriteFrame)
    clock.advance(bySeconds: 0.3)
    try stream.setCorked(true)
    let corked = try stream.timing()
    #expect(corked.readFrame == corked.heardFrame)
    try stream.setCorked(false)
    clock.advance(bySeconds: 1)
    let heard = sink.captures[0].samples
    let change = Int(timing.rewriteFrame) * 2
    #expect(Array(heard[..<change]) == noise.floats(fromFrame: 0, count: change / 2))
    #expect(
      Array(heard[change..<change + 40_000]) == noise.floats(fromFrame: 1_000_000, count: 20_000))
  }

  @Test func asksForMoreOnceARequestsWorthIsFree() throws {
    let sink = SimulatedSink(clock: clock)
    let log = EventLog()
    let stream = try open(sink, log)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.9)
    #expect(log.events.isEmpty)
    clock.advance(bySeconds: 0.1)
    #expect(log.events == [.needsData])
    clock.advance(bySeconds: 0.5)
    #expect(log.events == [.needsData])
  }

  @Test func corkDropsWhatTheDeviceHolds() throws {
    let sink = SimulatedSink(clock: clock)
    let stream = try open(sink)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.5)
    try stream.setCorked(true)
    let timing = try stream.timing()
    clock.advance(bySeconds: 3)
    #expect(try stream.timing().heardFrame == timing.heardFrame)
    #expect(timing.readFrame > timing.heardFrame && !timing.isRunning)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.5)
    let stretches = sink.captures[0].stretches
    #expect(stretches.count == 2)
    #expect(Int64(stretches[0].frameCount) == timing.heardFrame)
    #expect(stretches[1].streamFrame == timing.readFrame)
  }

  @Test func faultsAreToldAsTheContractSays() throws {
    let sink = SimulatedSink(clock: clock)
    let log = EventLog()
    let stream = try open(sink, log)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    clock.advance(bySeconds: 0.1)
    sink.setFrozen(true)
    #expect(throws: SinkError.self) { try stream.timing() }
    clock.advance(bySeconds: 1)
    sink.setFrozen(false)
    let thawed = try stream.timing()
    #expect(thawed.readFrame < 6 * 1024)
    sink.setSuspended(true)
    clock.advance(bySeconds: 1)
    #expect(try stream.timing().heardFrame == thawed.heardFrame)
    #expect(try !stream.timing().isRunning)
    sink.setSuspended(false)
    sink.interrupt(true)
    let available = EventLog()
    sink.setAvailable(false)
    #expect(throws: SinkError.self) { try stream.timing() }
    #expect(throws: SinkError.self) { try open(sink) }
    let watch = sink.whenAvailable { available.add(.needsData) }
    sink.setAvailable(true)
    withExtendedLifetime(watch) {}
    #expect(available.events == [.needsData])
    #expect(log.events == [.suspended(true), .suspended(false), .interrupted(true), .lost])
    _ = try open(sink)
    #expect(sink.statistics.opens == 2)
  }

  @Test func onTheSystemClockItIsWorkedOutWhenSomebodyCalls() throws {
    var configuration = SimulatedSink.Configuration()
    configuration.answerSeconds = 0.02
    let sink = SimulatedSink(clock: SystemClock(), configuration: configuration)
    let stream = try open(sink)
    try write(stream, from: 0, count: 96_000, at: 0)
    try stream.setCorked(false)
    let before = try stream.timing()
    let limit = SystemClock().now.advanced(bySeconds: 5)
    while try stream.timing().heardFrame < 4800, SystemClock().now < limit {}
    let after = try stream.timing()
    #expect(after.heardFrame >= 4800)
    let elapsed = after.hostTime.seconds(since: before.hostTime)
    #expect(Double(after.heardFrame) <= elapsed * 48_000 + 1)
    #expect(stream.nextWake(endFrame: 96_000, now: SystemClock().now) != nil)
    sink.setFrozen(true)
    #expect(throws: SinkError(.timedOut, "the sound server does not answer")) { try stream.timing() }
  }
}

/// Events in the order of their coming.
final class EventLog: Sendable {
  private let log = Monitor<[SinkEvent]>([])

  var events: [SinkEvent] { log.withLock { $0 } }

  var add: @Sendable (SinkEvent) -> Void {
    { [log] event in log.withLockAndWake { $0.append(event) } }
  }

  func add(_ event: SinkEvent) {
    log.withLockAndWake { $0.append(event) }
  }
}
