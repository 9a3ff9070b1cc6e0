import Testing
import VPlayEngine
import VPlayModel
import VPlayTesting

@Suite struct NullSinkTests {
  let clock = ManualClock()

  private func write(_ stream: any AudioSinkStream, frames: Int, at frame: Int64) throws {
    try [Float](repeating: 1, count: frames * 2).withUnsafeBufferPointer { try stream.write($0, at: frame) }
  }

  @Test func takesSoundAtThePaceOfTheClock() throws {
    let stream = try NullSink(clock: clock).openStream(
      StreamRequest(format: .stereo(48_000)), cancellation: SinkCancellation()
    ) { _ in }
    try write(stream, frames: 96_000, at: 0)
    clock.advance(bySeconds: 1)
    #expect(try stream.timing().readFrame == 0)
    #expect(stream.nextWake(endFrame: 96_000, now: clock.now) == nil)
    try stream.setCorked(false)
    #expect(stream.nextWake(endFrame: 96_000, now: clock.now) == clock.now.advanced(bySeconds: 1))
    clock.advance(bySeconds: 0.25)
    var timing = try stream.timing()
    #expect(timing.heardFrame == 12_000 && timing.readFrame == 12_000 && timing.rewriteFrame == 12_000)
    #expect(timing.isRunning)
    try write(stream, frames: 1000, at: 96_000)
    clock.advance(bySeconds: 1.75)
    #expect(try stream.timing().heardFrame == 96_000)
    clock.advance(bySeconds: 5)
    timing = try stream.timing()
    #expect(timing.heardFrame == 97_000 && !timing.isRunning)
    // Dry, it waits: what comes next is not late.
    try write(stream, frames: 48_000, at: 97_000)
    clock.advance(bySeconds: 0.5)
    #expect(try stream.timing().heardFrame == 121_000)
    try stream.setCorked(true)
    clock.advance(bySeconds: 1)
    timing = try stream.timing()
    #expect(timing.heardFrame == 121_000 && !timing.isRunning)
    stream.close()
    #expect(throws: SinkError.self) { try stream.timing() }
  }

  @Test func cancelledItDoesNothingMore() throws {
    let cancellation = SinkCancellation()
    let sink = NullSink(clock: clock)
    let stream = try sink.openStream(StreamRequest(format: .stereo(48_000)), cancellation: cancellation) { _ in }
    cancellation.cancel()
    #expect(throws: SinkError.self) { try stream.setCorked(false) }
    #expect(throws: SinkError.self) {
      try sink.openStream(StreamRequest(format: .stereo(48_000)), cancellation: cancellation) { _ in }
    }
  }
}
