import Foundation
package import VPlayEngine
import VPlayFFmpeg
package import VPlayModel
import VPlaySonic

/// What a player is built on: its clock, its outputs, its sources.
package struct PlayerEnvironment: Sendable {
  package var clock: any HostClock
  package var sink: @Sendable (AudioOutput) -> any AudioSink
  package var makeConverter: @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter
  package var makeSource: @Sendable (URL) -> any MediaSource
  package var makeStretcher: StretcherMaker = { (format, rate) throws(MediaError) in
    try SonicStretcher(format: format, rate: rate)
  }

  package init(
    clock: any HostClock, sink: @escaping @Sendable (AudioOutput) -> any AudioSink,
    makeConverter: @escaping @Sendable (AudioFormat, AudioFormat) throws(MediaError) -> any AudioConverter,
    makeSource: @escaping @Sendable (URL) -> any MediaSource
  ) {
    self.clock = clock
    self.sink = sink
    self.makeConverter = makeConverter
    self.makeSource = makeSource
  }

  /// An engine's environment, and sources made by `makeSource`.
  package init(environment: EngineEnvironment, makeSource: @escaping @Sendable (URL) -> any MediaSource) {
    self.init(
      clock: environment.clock, sink: { _ in environment.sink }, makeConverter: environment.makeConverter,
      makeSource: makeSource)
  }

  /// The system's clock, the process's outputs, FFmpeg.
  package static let system = PlayerEnvironment(
    clock: SystemClock(), sink: { Outputs.sink(for: $0) },
    makeConverter: { (input, output) throws(MediaError) in
      try FFmpegAudioConverter(from: input, to: output)
    },
    makeSource: { FFmpegSource(url: $0.absoluteString) })
}
