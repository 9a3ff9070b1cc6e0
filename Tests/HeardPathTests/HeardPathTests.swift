import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

/// What is heard of a player on sound servers of the tests' own, frame by frame.
///
/// Serialized: each test has a server to itself, and the machine to share with nobody but it.
@Suite(.serialized) struct HeardPathTests {}

/// The servers that each promise is shown on.
enum ServerKind: CaseIterable, CustomTestStringConvertible {
  case pulseAudio, pulseAudioWithoutSharedMemory, pipeWire

  var testDescription: String {
    switch self {
    case .pulseAudio: "PulseAudio"
    case .pulseAudioWithoutSharedMemory: "PulseAudio without shared memory"
    case .pipeWire: "PipeWire"
    }
  }

  func start() throws -> PrivatePulseServer {
    switch self {
    case .pulseAudio: try PrivatePulseServer()
    case .pulseAudioWithoutSharedMemory: try PrivatePulseServer(.init { $0.sharedMemory = false })
    case .pipeWire: try PrivatePulseServer(.init(.pipeWire))
    }
  }
}

/// A file of noise of which every frame can be told.
struct NoiseFile {
  static let frames = 1_920_000
  static let rate = 48_000

  var noise: NoiseMedia
  var url: URL

  static func wav(offset: UInt32 = 0) throws -> NoiseFile {
    let noise = NoiseMedia(offset: offset)
    var samples: [Int16] = []
    samples.reserveCapacity(2 * frames)
    for frame in 0..<Int64(frames) {
      samples.append(noise.sample(ofFrame: frame, channel: 0))
      samples.append(noise.sample(ofFrame: frame, channel: 1))
    }
    let header = MediaFixtures.wavHeader(dataBytes: 4 * frames, rate: rate, channels: 2)
    let url = try MediaFixtures.bytes("noise-\(offset).wav", header + samples.withUnsafeBytes { Array($0) })
    return NoiseFile(noise: noise, url: url)
  }

  static func flac(offset: UInt32) throws -> NoiseFile {
    let wav = try wav(offset: offset)
    let url = try MediaFixtures.encode(
      wav.url, as: "noise-\(offset).flac", ["-compression_level", "0", "-c:a", "flac"])
    return NoiseFile(noise: wav.noise, url: url)
  }

  /// Tells what a capture on a grid of 16 bits holds of it.
  func runs(in samples: [Int16], levels: [Float] = [1]) -> [TracedRun] {
    var analyser = NoiseAnalyser(noise: noise, mediaFrames: 0..<Int64(Self.frames), levels: levels)
    analyser.quantum = 1 / 32_768
    return analyser.runs(in: samples.map { Float($0) / 32_768 })
  }
}

/// What happened, in order, on whatever thread.
final class Log<Element: Sendable>: Sendable {
  private let elements = Monitor<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }

  func add(_ element: Element) {
    elements.withLockAndWake { $0.append(element) }
  }

  /// Waits until `condition` holds; false when it does not within `seconds`.
  func wait(seconds: Double = 10, _ condition: ([Element]) -> Bool) -> Bool {
    let limit = SystemClock().now.advanced(bySeconds: seconds)
    return elements.wait(until: limit) { condition($0) ? true : nil } ?? false
  }
}

/// Waits until the observed value satisfies `condition`.
func waitUntil<Root: KeyValueObserving, Value>(
  _ root: Root, _ keyPath: KeyPath<Root, Value>, seconds: Double = 10,
  _ condition: @escaping @Sendable (Value) -> Bool
) -> Bool {
  let log = Log<Bool>()
  let observation = root.observe(keyPath, options: [.initial, .new]) { _, change in
    if let value = change.newValue { log.add(condition(value)) }
  }
  defer { observation.invalidate() }
  return log.wait(seconds: seconds) { $0.last == true }
}
