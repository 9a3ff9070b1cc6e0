import Foundation
import VPlayEngine
import VPlayModel
import VPlayPulse

/// The process's sinks: one a kind of output, made when first needed.
enum Outputs {
  private struct Sinks {
    var pulse: PulseSink?
    var null: NullSink?
    var files: [URL: WAVFileSink] = [:]
  }

  private static let sinks = Monitor(Sinks())

  static func sink(for output: AudioOutput) -> any AudioSink {
    switch output {
    case .automatic, .pulse: pulse()
    case .null:
      sinks.withLock { sinks in
        let sink = sinks.null ?? NullSink(clock: SystemClock())
        sinks.null = sink
        return sink
      }
    case .waveFile(let url):
      sinks.withLock { sinks in
        let sink = sinks.files[url] ?? WAVFileSink(pathBytes: url.pathBytes)
        sinks.files[url] = sink
        return sink
      }
    }
  }

  static func pulse() -> PulseSink {
    sinks.withLock { sinks in
      let sink = sinks.pulse ?? PulseSink(applicationName: ProcessInfo.processInfo.processName)
      sinks.pulse = sink
      return sink
    }
  }
}
