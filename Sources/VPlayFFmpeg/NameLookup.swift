internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// Waits for a host's name to be resolved, for as long as one cares to.
///
/// The system's resolver cannot be called off, and FFmpeg asks it on the thread that an interrupt is to end. So a lookup
/// of our own comes first, on a thread that is left to itself once nobody waits any more; the resolver's cache, where
/// there is one, then serves FFmpeg.
enum NameLookup {
  enum Outcome: Equatable {
    /// Found or not: FFmpeg will be told the same.
    case answered, interrupted, timedOut
  }

  /// `resolve` comes to its end when the name is known, or known to be unknown.
  static func wait(
    for host: String, seconds: Double, interrupter: Interrupter,
    resolve: @escaping @Sendable (String) -> Void = askSystem
  ) -> Outcome {
    let lookup = Lookup(host, resolve)
    guard lookup.done.wakeDescriptor >= 0, lookup.start() else { return .answered }
    var waits = [lookup.done, interrupter].map {
      pollfd(fd: $0.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    }
    let clock = SystemClock()
    let deadline = clock.now.advanced(bySeconds: seconds)
    while !lookup.done.isInterrupted, !interrupter.isInterrupted {
      let left = deadline.seconds(since: clock.now)
      guard left > 0 else { return .timedOut }
      _ = poll(&waits, 2, Int32(clamping: Int(min(left, 86_400) * 1000) + 1))
    }
    return interrupter.isInterrupted ? .interrupted : .answered
  }

  /// The host that a URL's request must look up itself; nil where there is none, or a proxy does.
  static func host(of url: String) -> String? {
    guard getenv("http_proxy") == nil, let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix { !"/?#".contains($0) }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
    // A number in brackets needs no lookup.
    guard !host.hasPrefix("[") else { return nil }
    let name = host.prefix { $0 != ":" }
    return name.isEmpty || name.allSatisfy({ $0.isNumber || $0 == "." }) ? nil : String(name)
  }

  private static func askSystem(_ host: String) {
    var found: UnsafeMutablePointer<addrinfo>?
    if getaddrinfo(host, nil, nil, &found) == 0 { freeaddrinfo(found) }
  }
}

/// One lookup, shared by who waits and its thread.
private final class Lookup: Sendable {
  /// Set at the end.
  let done = Interrupter()
  private let host: String
  private let resolve: @Sendable (String) -> Void

  init(_ host: String, _ resolve: @escaping @Sendable (String) -> Void) {
    self.host = host
    self.resolve = resolve
  }

  /// False when the system gives no thread.
  func start() -> Bool {
    var thread = pthread_t()
    // Retained here and released by the thread, once.
    let context = Unmanaged.passRetained(self)
    guard pthread_create(&thread, nil, lookupMain, context.toOpaque()) == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  fileprivate func run() {
    resolve(host)
    done.interrupt()
  }
}

private func lookupMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // Takes over the retain of `Lookup.start`.
  if let context { Unmanaged<Lookup>.fromOpaque(context).takeRetainedValue().run() }
  return nil
}
