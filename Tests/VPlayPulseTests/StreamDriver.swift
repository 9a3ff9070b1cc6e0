import TestSupport
import Testing
import VPlayModel

@testable import VPlayPulse

/// All tests that use a server, one after the other: they measure time.
@Suite(.serialized) enum ServerTests {}

/// A stream under test, the events it sent, and a feeder that keeps it full of noise as the player does.
final class StreamDriver: Sendable {
  let sink: PulseSink
  let stream: any AudioSinkStream
  let cancellation = SinkCancellation()
  let events: EventLog
  /// Written so far.
  let end = Monitor<Int64>(0)

  init(
    _ server: String, _ request: StreamRequest = StreamRequest(format: .stereo(48_000)),
    sink: PulseSink? = nil
  ) throws {
    let events = EventLog()
    self.events = events
    self.sink = sink ?? PulseSink(applicationName: "VPlayTests", server: server)
    stream = try self.sink.openStream(request, cancellation: cancellation) { events.note($0) }
  }

  /// Writes frames of a tape; `shift` is the stream's frame less the tape's.
  func write(_ tape: NoiseTape, _ frames: Range<Int64>, shiftedBy shift: Int64 = 0) throws {
    let first = Int(frames.lowerBound - shift)
    let range = first * tape.channels..<(first + frames.count) * tape.channels
    try tape.floats.withUnsafeBufferPointer {
      try stream.write(UnsafeBufferPointer(rebasing: $0[range]), at: frames.lowerBound)
    }
    end.withLock { $0 = frames.upperBound }
  }

  /// Tops the buffer up with the tape; where the stream stood before.
  @discardableResult
  func fill(_ tape: NoiseTape, upTo limit: Int64 = .max) throws -> SinkTiming {
    let timing = try stream.timing()
    let start = end.withLock { $0 }
    let target = min(limit, Int64(tape.frameCount), timing.readFrame + Int64(stream.bufferFrames))
    if target > start { try write(tape, start..<target) }
    return timing
  }

  /// Plays a tape from the present end to `frames`, filling at each wish, and waits until its last frame is heard.
  func play(_ tape: NoiseTape, upTo frames: Int64) throws {
    precondition(frames <= tape.frameCount, "the tape is long enough")
    while try fill(tape, upTo: frames).heardFrame < frames {
      if end.withLock({ $0 }) < frames {
        let wished = events.wait(seconds: 5) { $0 == .needsData }
        if !wished { throw SinkError(.timedOut, "no wish for data") }
      } else {
        try waitUntilHeard(frames)
        return
      }
    }
  }

  /// Waits by the stream's own clock.
  func waitUntilHeard(_ frame: Int64) throws {
    let limit = SystemClock().now.advanced(bySeconds: 20)
    let pause = Monitor(false)
    while SystemClock().now < limit {
      let timing = try stream.timing()
      if timing.heardFrame >= frame { return }
      let rest = max(0.001, Double(frame - timing.heardFrame) / Double(stream.format.sampleRate))
      _ = pause.wait(until: SystemClock().now.advanced(bySeconds: rest)) { $0 ? true : nil }
    }
    throw SinkError(.timedOut, "frame \(frame) was never heard")
  }
}

/// Events in the order in which they came.
final class EventLog: Sendable {
  private let state = Monitor<(events: [SinkEvent], stamps: [HostTime], next: Int)>(([], [], 0))

  func note(_ event: SinkEvent) {
    state.withLockAndWake {
      $0.events.append(event)
      $0.stamps.append(SystemClock().now)
    }
  }

  var all: [SinkEvent] { state.withLock { $0.events } }

  /// Waits for an event that has not been waited for yet, and skips what came before it.
  func wait(seconds: Double, _ isWanted: (SinkEvent) -> Bool) -> Bool {
    state.wait(until: SystemClock().now.advanced(bySeconds: seconds)) { state in
      while state.next < state.events.count {
        state.next += 1
        if isWanted(state.events[state.next - 1]) { return true }
      }
      return nil
    } ?? false
  }
}

/// How long `body` took.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = SystemClock().now
  try body()
  return SystemClock().now.seconds(since: start)
}
