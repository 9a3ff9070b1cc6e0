package import VPlayModel

/// A stream of a `SimulatedSink`.
package final class SimulatedSinkStream: AudioSinkStream {
  package let format: AudioFormat
  package let bufferFrames: Int
  private let sink: SimulatedSink
  private let id: Int
  private let cancellation: SinkCancellation

  init(sink: SimulatedSink, id: Int, format: AudioFormat, cancellation: SinkCancellation) {
    self.sink = sink
    self.id = id
    self.format = format
    self.cancellation = cancellation
    bufferFrames = Int((sink.configuration.bufferSeconds * Double(format.sampleRate)).rounded())
  }

  deinit {
    close()
  }

  package func timing() throws(SinkError) -> SinkTiming {
    try sink.answer(cancellation) { server, now throws(SinkError) in try server.timing(id, now: now) }
  }

  package func write(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) throws(SinkError) {
    if cancellation.isCancelled { throw SinkError(.cancelled, "the wait was ended") }
    let outcome = sink.update { server, now -> SinkError? in
      do throws(SinkError) { try server.write(id, samples, at: frame, now: now) } catch { return error }
      return nil
    }
    if let outcome { throw outcome }
  }

  package func setCorked(_ corked: Bool) throws(SinkError) {
    do throws(SinkError) {
      try sink.answer(cancellation) { server, now throws(SinkError) in
        try server.check(id)
        server.setCorked(id, corked, now: now)
      }
    } catch {
      // The request has been sent all the same.
      if error.kind == .timedOut { sink.update { server, _ in server.deferCork(id, corked) } }
      throw error
    }
  }

  package func nextWake(endFrame: Int64, now: HostTime) -> HostTime? {
    if sink.clock is ManualClock { return nil }
    return sink.update { server, _ in server.nextRequest(id, endFrame: endFrame, now: now) }
  }

  package func close() {
    sink.update { server, _ in server.close(id) }
  }
}
