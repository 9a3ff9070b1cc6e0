public import Foundation
import VPlayModel

/// What an observation wants to be told.
///
/// Named as Foundation's on Apple's systems, which Foundation for Linux lacks.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value that was reported before.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// A call at once, before `observe` returns.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// A change of an observed value.
public struct NSKeyValueObservedChange<Value> {
  /// Nil unless `.new` was asked.
  public let newValue: Value?
  /// Nil unless `.old` was asked, and in the initial call.
  public let oldValue: Value?
}

/// An observation, which lasts until it is invalidated or dropped, or the observed object is gone.
public final class NSKeyValueObservation: Sendable {
  private let observation: any EndableObservation

  init(_ observation: any EndableObservation) {
    self.observation = observation
  }

  deinit {
    observation.end()
  }

  /// Ends the observation: no call of its handler begins after this returns. Idempotent; any thread.
  public func invalidate() {
    observation.end()
  }
}

/// What can be observed by key path: players, items and loopers.
public protocol KeyValueObserving: NSObject, Sendable {}

extension KeyValueObserving {
  /// Calls `changeHandler` after each change of the value at `keyPath`, which may lead through other objects
  /// (`\.currentItem?.status`) and computed properties.
  ///
  /// A change that a call makes is reported on the caller's thread before the call returns; others are reported in order
  /// on the main queue, or the one of ``AVPlayer/setCallbackQueue(_:)``. The value is read when it is reported: of
  /// changes that follow faster than they can be reported only the last is told, and one that was undone meanwhile is
  /// not. Observed are the properties that Apple documents as observable, of those that exist here.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observation = KeyPathObservation(self, keyPath, options, changeHandler)
    observation.start()
    return NSKeyValueObservation(observation)
  }
}

protocol EndableObservation: AnyObject, Sendable {
  func end()
}

/// One observation of a key path.
// Safe to share: key paths are immutable, the rest is `let` or behind the lock.
final class KeyPathObservation<Root: KeyValueObserving, Value>: PropertyObservation, EndableObservation,
  @unchecked Sendable
{
  private struct State {
    /// What was reported last.
    var value: Value?
    var reads: Set<AccessRecorder.Read> = []
    var isEnded = false
    var isReporting = false
    var isDue = false
  }

  private weak let root: Root?
  private let keyPath: KeyPath<Root, Value>
  private let options: NSKeyValueObservingOptions
  private let handler: @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void
  private let state = Monitor(State())

  init(
    _ root: Root, _ keyPath: KeyPath<Root, Value>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping @Sendable (Root, NSKeyValueObservedChange<Value>) -> Void
  ) {
    self.root = root
    self.keyPath = keyPath
    self.options = options
    self.handler = handler
  }

  func start() {
    guard let root else { return }
    let value = evaluate(root)
    state.withLock { $0.value = value }
    guard options.contains(.initial) else { return }
    handler(root, NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: nil))
  }

  /// Reports, unless another report is under way: that one then goes on with this change.
  func propertyChanged() {
    let isMine = state.withLock { state in
      state.isDue = true
      defer { state.isReporting = true }
      return !state.isReporting
    }
    guard isMine else { return }
    while true {
      let isDue = state.withLock { state in
        state.isReporting = state.isDue && !state.isEnded
        state.isDue = false
        return state.isReporting
      }
      guard isDue else { return }
      report()
    }
  }

  private func report() {
    guard let root else { return }
    let value = evaluate(root)
    let change: NSKeyValueObservedChange<Value>? = state.withLock { state in
      guard !state.isEnded, !areEqual(state.value, value) else { return nil }
      defer { state.value = value }
      return NSKeyValueObservedChange(
        newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? state.value : nil)
    }
    if let change { handler(root, change) }
  }

  /// Reads the value, and observes what that reads.
  private func evaluate(_ root: Root) -> Value {
    let recorder = AccessRecorder()
    let value = Access.$recorder.withValue(recorder) { root[keyPath: keyPath] }
    let reads = recorder.reads
    for read in reads { read.list.add(self, read.property) }
    let gone = state.withLock { state in
      let gone = state.isEnded ? state.reads.union(reads) : state.reads.subtracting(reads)
      state.reads = state.isEnded ? [] : reads
      return state.isEnded ? gone : gone.filter { old in !reads.contains { $0.list === old.list } }
    }
    for read in gone { read.list.remove(self) }
    return value
  }

  func end() {
    let reads = state.withLock { state in
      state.isEnded = true
      defer { state.reads = [] }
      return state.reads
    }
    for read in reads { read.list.remove(self) }
  }

  private func areEqual(_ a: Value?, _ b: Value) -> Bool {
    func equals<T: Equatable>(_ b: T) -> Bool { (a as? T) == b }
    if let b = b as? any Equatable { return equals(b) }
    // An optional of what cannot be compared: nil equals nil.
    guard let a else { return false }
    return isNil(a) && isNil(b)
  }
}

private func isNil<Value>(_ value: Value) -> Bool {
  (value as? any Emptyable)?.isEmpty ?? false
}

/// What can be nil.
private protocol Emptyable {
  var isEmpty: Bool { get }
}

extension Optional: Emptyable {
  fileprivate var isEmpty: Bool { self == nil }
}
