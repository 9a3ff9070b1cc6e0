public import Foundation

/// A property that is loaded, of whatever type.
///
/// As Apple's [AVPartialAsyncProperty](https://developer.apple.com/documentation/avfoundation/avpartialasyncproperty).
/// The properties themselves are its static members: `.duration`, `.tracks`, …
// Safe to share: it stores nothing.
public class AVPartialAsyncProperty<Root>: @unchecked Sendable {
  init() {}
}

/// A property of a `Root` that is loaded, such as `.duration` of an ``AVAsset``.
///
/// As Apple's [AVAsyncProperty](https://developer.apple.com/documentation/avfoundation/avasyncproperty).
// Safe to share: its stored properties are `let`s of Sendable types.
public final class AVAsyncProperty<Root, Value>: AVPartialAsyncProperty<Root>, @unchecked Sendable {
  /// How far the loading of a property has come.
  public enum Status {
    /// Nobody has asked for it yet, or who did has given up.
    case notYetLoaded
    case loading
    /// It is there.
    case loaded(Value)
    /// It cannot be had.
    case failed(NSError)
  }

  /// Whether the medium's length must be known as well as it can be.
  let needsLength: Bool
  /// Reads it once the loading is over; throws why it cannot be had.
  let read: @Sendable (Root) throws -> Value

  init(needsLength: Bool = false, _ read: @escaping @Sendable (Root) throws -> Value) {
    self.needsLength = needsLength
    self.read = read
  }
}

/// What has properties that are loaded.
///
/// As Apple's [AVAsynchronousKeyValueLoading](https://developer.apple.com/documentation/avfoundation/avasynchronouskeyvalueloading).
public protocol AVAsynchronousKeyValueLoading: AnyObject {}

extension AVAsynchronousKeyValueLoading {
  /// Loads a property, suspending until it is there. What is there already comes at once.
  ///
  /// A medium is opened once, on a thread of VPlay's, however many load from it; whatever the medium says of itself is
  /// then there. Cancelling the task ends its waiting, and the loading when nobody else waits.
  /// - Throws: ``AVError``, `.operationCancelled` after ``AVAsset/cancelLoading()``; `CancellationError` when the task was
  ///   cancelled.
  public func load<A>(
    _ property: AVAsyncProperty<Self, A>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> A {
    try await prepare(needsLength: property.needsLength, isolation: isolation)
    return try property.read(self)
  }

  /// Loads two properties; see ``load(_:isolation:)``.
  public func load<A, B>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B) {
    try await prepare(needsLength: a.needsLength || b.needsLength, isolation: isolation)
    return (try a.read(self), try b.read(self))
  }

  /// Loads three properties; see ``load(_:isolation:)``.
  public func load<A, B, C>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C) {
    let (x, y) = try await load(a, b, isolation: isolation)
    return (x, y, try await load(c, isolation: isolation))
  }

  /// Loads four properties; see ``load(_:isolation:)``.
  public func load<A, B, C, D>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C, D) {
    let (x, y) = try await load(a, b, isolation: isolation)
    let (z, w) = try await load(c, d, isolation: isolation)
    return (x, y, z, w)
  }

  /// Loads five properties; see ``load(_:isolation:)``.
  public func load<A, B, C, D, E>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, _ e: AVAsyncProperty<Self, E>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C, D, E) {
    let (x, y, z, w) = try await load(a, b, c, d, isolation: isolation)
    return (x, y, z, w, try await load(e, isolation: isolation))
  }

  /// Loads six properties; see ``load(_:isolation:)``.
  public func load<A, B, C, D, E, F>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>,
    isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C, D, E, F) {
    let (x, y, z, w) = try await load(a, b, c, d, isolation: isolation)
    let (u, v) = try await load(e, f, isolation: isolation)
    return (x, y, z, w, u, v)
  }

  /// Loads seven properties; see ``load(_:isolation:)``.
  public func load<A, B, C, D, E, F, G>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>,
    _ g: AVAsyncProperty<Self, G>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C, D, E, F, G) {
    let (x, y, z, w) = try await load(a, b, c, d, isolation: isolation)
    let (u, v, t) = try await load(e, f, g, isolation: isolation)
    return (x, y, z, w, u, v, t)
  }

  /// Loads eight properties; see ``load(_:isolation:)``.
  public func load<A, B, C, D, E, F, G, H>(
    _ a: AVAsyncProperty<Self, A>, _ b: AVAsyncProperty<Self, B>, _ c: AVAsyncProperty<Self, C>,
    _ d: AVAsyncProperty<Self, D>, _ e: AVAsyncProperty<Self, E>, _ f: AVAsyncProperty<Self, F>,
    _ g: AVAsyncProperty<Self, G>, _ h: AVAsyncProperty<Self, H>, isolation: isolated (any Actor)? = #isolation
  ) async throws -> (A, B, C, D, E, F, G, H) {
    let (x, y, z, w) = try await load(a, b, c, d, isolation: isolation)
    let (u, v, t, s) = try await load(e, f, g, h, isolation: isolation)
    return (x, y, z, w, u, v, t, s)
  }

  /// How far the loading of a property has come. Loads nothing. Any thread.
  public func status<A>(of property: AVAsyncProperty<Self, A>) -> AVAsyncProperty<Self, A>.Status {
    switch (self as? AVAsset)?.loader.progress(needsLength: property.needsLength) ?? .over {
    case .notBegun, .cancelled: return .notYetLoaded
    case .underWay: return .loading
    case .over:
      do {
        return .loaded(try property.read(self))
      } catch {
        return .failed(error as NSError)
      }
    }
  }

  private func prepare(needsLength: Bool, isolation: isolated (any Actor)?) async throws {
    // Tracks and tags are there once their asset is.
    guard let loader = (self as? AVAsset)?.loader else { return }
    try await loader.load(needsLength: needsLength, isolation: isolation)
  }
}
