import VPlayEngine
import VPlayModel

/// A null sink that tells how often it was opened.
final class NullSinkProbe: AudioSink {
  let opens = Log<StreamRequest>()
  private let sink = NullSink(clock: SystemClock())

  func prepare() {}

  func openStream(
    _ request: StreamRequest, cancellation: SinkCancellation, events: @escaping @Sendable (SinkEvent) -> Void
  ) throws(SinkError) -> any AudioSinkStream {
    opens.add(request)
    return try sink.openStream(request, cancellation: cancellation, events: events)
  }

  func whenAvailable(_ action: @escaping @Sendable () -> Void) -> AnyObject {
    sink.whenAvailable(action)
  }
}
