import CVPlayPulse
import VPlayModel

extension PulseStream {
  /// Opens at the item's own rate, to which an idle sink may switch; if the sink then runs at another, opens in that.
  static func open(
    _ request: StreamRequest, on connection: PulseConnection, until deadline: HostTime,
    cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> PulseStream {
    let opening = PulseOpening(
      request: request, connection: connection, deadline: deadline, cancellation: cancellation)
    let core = try opening.core()
    do throws(SinkError) {
      try connection.loop.withLock { () throws(SinkError) in
        try core.announce(events)
      }
      return PulseStream(core: core, on: connection, cancellation: cancellation)
    } catch {
      core.close()
      throw error
    }
  }
}

/// The steps of one `openStream`, within one time limit. No lock held.
private struct PulseOpening {
  let request: StreamRequest
  let connection: PulseConnection
  let deadline: HostTime
  let cancellation: SinkCancellation

  func core() throws(SinkError) -> PulseStreamCore {
    if let device = request.device, try connection.sink(named: device, until: deadline, cancellation) == nil {
      throw SinkError(.noSuchDevice, "there is no output named \(device)")
    }
    // A rate beyond the server's own limits cannot even be asked for.
    var rate = min(request.format.sampleRate, Int(PA_RATE_MAX))
    // An idle sink may switch once more, to its own liking, between two streams.
    for _ in 0..<2 {
      let core = try core(rate: rate)
      guard let sinkRate = try sinkRate(of: core), sinkRate != core.format.sampleRate else { return core }
      core.close()
      rate = sinkRate
    }
    return try core(rate: rate)
  }

  private func core(rate: Int) throws(SinkError) -> PulseStreamCore {
    let isPipeWire = connection.loop.withLock { connection.isPipeWire }
    let core = PulseStreamCore(request, loop: connection.loop, isPipeWire: isPipeWire)
    do throws(SinkError) {
      try connection.loop.withLock { () throws(SinkError) in
        guard let context = connection.context else { throw .pulseLost }
        try core.connect(context, rate: rate)
      }
      try core.opening.wait(until: deadline, cancellation) { opening -> Result<Void, SinkError>? in
        switch opening {
        case .creating: return nil
        case .ready: return .success(())
        case .failed(let error): return .failure(error)
        }
      }
    } catch {
      core.close()
      throw error
    }
    return core
  }

  /// Nil when the stream's sink is gone already.
  private func sinkRate(of core: PulseStreamCore) throws(SinkError) -> Int? {
    do throws(SinkError) {
      guard let index = connection.loop.withLock({ core.deviceIndex }) else { return nil }
      return try connection.sink(index: index, until: deadline, cancellation)?.rate
    } catch {
      core.close()
      throw error
    }
  }
}
