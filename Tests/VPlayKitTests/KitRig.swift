import Foundation
import Glibc
import TestSupport
import VPlayEngine
import VPlayFFmpeg
import VPlayKit
import VPlayModel

/// Players of noise on an output that takes sound at the pace of the system's clock, without a server.
enum KitRig {
  /// Names a medium of so many seconds; `query` tells what its source does: `open=fail`, `break=FRAME`, `seekable=no`,
  /// `length=unknown`.
  static func url(seconds: Double, _ query: String = "") -> URL {
    URL(string: "noise:///\(Int((seconds * 48_000).rounded()))?\(query)") ?? URL(fileURLWithPath: "/")
  }

  static func item(seconds: Double, _ query: String = "") -> AVPlayerItem {
    AVPlayerItem(url: url(seconds: seconds, query))
  }

  static func environment(sink: (any AudioSink)? = nil, sources: SourceLog? = nil) -> PlayerEnvironment {
    let clock = SystemClock()
    let sink = sink ?? NullSink(clock: clock)
    return PlayerEnvironment(
      clock: clock, sink: { _ in sink },
      makeConverter: { (input, output) throws(MediaError) in try FFmpegAudioConverter(from: input, to: output) },
      makeSource: { url in
        let source = NoiseSource(configuration(of: url), clock: clock)
        sources?.add(source)
        return source
      })
  }

  static func player(seconds: Double, _ query: String = "", sink: (any AudioSink)? = nil) -> AVPlayer {
    let player = AVPlayer(environment: environment(sink: sink))
    player.replaceCurrentItem(with: item(seconds: seconds, query))
    return player
  }

  private static func configuration(of url: URL) -> NoiseSource.Configuration {
    var configuration = NoiseSource.Configuration(lengthFrames: Int64(url.lastPathComponent) ?? 0)
    for pair in (url.query ?? "").split(separator: "&") {
      let parts = pair.split(separator: "=")
      switch (parts.first, parts.last) {
      case ("open", "fail"): configuration.openError = MediaError(.notFound, "no such file", code: -2)
      case ("break", let frame?):
        configuration.failingFrame = Int64(frame)
        configuration.failsForGood = true
      case ("seekable", "no"): configuration.isSeekable = false
      case ("length", "unknown"): configuration.isDurationKnown = false
      default: break
      }
    }
    return configuration
  }
}

/// The sources that an environment made.
final class SourceLog: Sendable {
  private let sources = Monitor<[NoiseSource]>([])

  var all: [NoiseSource] { sources.withLock { $0 } }

  /// Whether the first `count` sources have been told to end.
  func areClosed(count: Int) -> Bool {
    let all = all
    return all.count >= count && all.prefix(count).allSatisfy { $0.isInterrupted }
  }

  func add(_ source: NoiseSource) {
    sources.withLock { $0.append(source) }
  }
}

/// What happened, in order, on whatever thread.
final class Log<Element: Sendable>: Sendable {
  private let elements = Monitor<[Element]>([])

  var all: [Element] { elements.withLock { $0 } }
  var count: Int { all.count }

  func add(_ element: Element) {
    elements.withLockAndWake { $0.append(element) }
  }

  /// Waits until `condition` holds; false when it does not within `seconds`.
  func wait(seconds: Double = 10, _ condition: ([Element]) -> Bool) -> Bool {
    let limit = SystemClock().now.advanced(bySeconds: seconds)
    return elements.wait(until: limit) { condition($0) ? true : nil } ?? false
  }

  func wait(count: Int, seconds: Double = 10) -> Bool {
    wait(seconds: seconds) { $0.count >= count }
  }
}

/// Logs a notification's posts for some objects while it lives.
final class Posts: Sendable {
  // Only handed to the notification centre, which is thread safe.
  private nonisolated(unsafe) let token: any NSObjectProtocol
  let log: Log<ObjectIdentifier>

  init(_ name: Notification.Name, of objects: [AnyObject]) {
    let ids = Set(objects.map { ObjectIdentifier($0) })
    let log = Log<ObjectIdentifier>()
    self.log = log
    token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
      guard let object = note.object else { return }
      let id = ObjectIdentifier(object as AnyObject)
      if ids.contains(id) { log.add(id) }
    }
  }

  deinit {
    NotificationCenter.default.removeObserver(token)
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

/// Waits for what nothing tells of.
func eventually(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
  let limit = SystemClock().now.advanced(bySeconds: seconds)
  while !condition() {
    if SystemClock().now > limit { return false }
    sched_yield()
  }
  return true
}

/// Waits on a thread of its own: of Swift's pool there are few, and others need them.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}
