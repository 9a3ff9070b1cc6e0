import CVPlayPulse
import VPlayModel

extension PulseStream {
  /// Opens at the item's own rate, to which an idle sink may switch; if the sink then runs at another, opens in that.
  /// Items of more than two channels are played in the sink's layout, mono in stereo.
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
    let target = try likelySink()
    // A rate beyond the server's own limits cannot even be asked for.
    var format = request.format
    format.sampleRate = min(format.sampleRate, Int(PA_RATE_MAX))
    format.channels = StreamChannels.choose(for: request.format.channels, on: target?.channels)
    // An idle sink may switch once more, to its own liking, between two streams.
    for _ in 0..<2 {
      let core = try core(format)
      guard let sink = try sink(of: core) else { return core }
      let channels = StreamChannels.choose(for: request.format.channels, on: sink.channels)
      guard sink.rate != core.format.sampleRate || channels != core.format.channels else { return core }
      core.close()
      format = AudioFormat(sampleRate: sink.rate, channels: channels)
    }
    return try core(format)
  }

  /// The sink that was asked for; or, where it decides how the stream is opened, the default one. A server may still
  /// choose another.
  private func likelySink() throws(SinkError) -> PulseSinkInfo? {
    guard let device = request.device else {
      guard request.format.channelCount > 2 else { return nil }
      return try connection.sink(named: "@DEFAULT_SINK@", until: deadline, cancellation)
    }
    guard let sink = try connection.sink(named: device, until: deadline, cancellation) else {
      throw SinkError(.noSuchDevice, "there is no output named \(device)")
    }
    return sink
  }

  private func core(_ format: AudioFormat) throws(SinkError) -> PulseStreamCore {
    let isPipeWire = connection.loop.withLock { connection.isPipeWire }
    var request = request
    request.format.channels = format.channels
    let core = PulseStreamCore(request, loop: connection.loop, isPipeWire: isPipeWire)
    do throws(SinkError) {
      try connection.loop.withLock { () throws(SinkError) in
        guard let context = connection.context else { throw .pulseLost }
        try core.connect(context, rate: format.sampleRate)
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
  private func sink(of core: PulseStreamCore) throws(SinkError) -> PulseSinkInfo? {
    do throws(SinkError) {
      guard let index = connection.loop.withLock({ core.deviceIndex }) else { return nil }
      return try connection.sink(index: index, until: deadline, cancellation)
    } catch {
      core.close()
      throw error
    }
  }
}
