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
        let sink = sinks.files[url] ?? WAVFileSink(pathBytes: pathBytes(of: url))
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

  /// The path, byte for byte: `URL.path` loses bytes that are not UTF-8.
  private static func pathBytes(of url: URL) -> [UInt8] {
    var rest = Array(url.path(percentEncoded: true).utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
