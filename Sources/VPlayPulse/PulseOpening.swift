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
    let ownRate = request.format.sampleRate <= Int(PA_RATE_MAX)
    let first = try core(fixedRate: ownRate ? nil : 48_000)
    guard let sinkRate = try sinkRate(of: first), sinkRate != first.format.sampleRate else { return first }
    first.close()
    return try core(fixedRate: sinkRate)
  }

  private func core(fixedRate: Int?) throws(SinkError) -> PulseStreamCore {
    let isPipeWire = connection.loop.withLock { connection.isPipeWire }
    let core = PulseStreamCore(request, loop: connection.loop, isPipeWire: isPipeWire)
    do throws(SinkError) {
      try connection.loop.withLock { () throws(SinkError) in
        guard let context = connection.context else { throw .pulseLost }
        try core.connect(context, fixedRate: fixedRate)
      }
      try core.opening.wait(until: deadline, cancellation) { opening -> Result<Void, SinkError>? in
        switch opening {
        case .creating: return nil
        case .ready: return .success(())
        case .failed(let error): return .failure(error)
        }
      }
      try insistOnAttributes(core)
    } catch {
      core.close()
      throw error
    }
    return core
  }

  /// `PULSE_LATENCY_MSEC` replaces the attributes and makes the server wait for a full buffer; ours win.
  private func insistOnAttributes(_ core: PulseStreamCore) throws(SinkError) {
    if connection.loop.withLock({ core.startsAtOnce }) { return }
    let reply = PulseReply(connection.loop, false)
    _ = try connection.ask(reply, "set the buffer", until: deadline, cancellation) { _, userData in
      core.setAttributes(userData)
    }
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
