public import Foundation
import Glibc
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
  /// not. Where several threads call the player, the handler may run on several at once. Observed are the properties that Apple documents as observable, of those that exist here.
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
///
/// Changes are reported on the threads that report them, which may be several at once: no lock is held while the
/// handler runs. Tickets keep the order: what was read under an older one than has been reported is not reported.
// Safe to share: key paths are immutable, the rest is `let` or behind the lock.
final class KeyPathObservation<Root: KeyValueObserving, Value>: PropertyObservation, EndableObservation,
  @unchecked Sendable
{
  private struct State {
    var lastTicket: UInt64 = 0
    /// What was reported last, under which ticket, and by which thread.
    var value: Value?
    var valueTicket: UInt64 = 0
    var reporter: UInt = 0
    /// What the key path read, and under which ticket.
    var reads: Set<AccessRecorder.Read> = []
    var readsTicket: UInt64 = 0
    var isEnded = false
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
    let (value, ticket) = evaluate(root)
    state.withLock { state in
      guard ticket > state.valueTicket else { return }
      state.value = value
      state.valueTicket = ticket
    }
    guard options.contains(.initial) else { return }
    handler(root, NSKeyValueObservedChange(newValue: options.contains(.new) ? value : nil, oldValue: nil))
  }

  func propertyChanged() {
    var isRepeated = false
    while let ticket = report(isRepeated) {
      // Another thread's newer value may have been told before this older one: then it is told again.
      isRepeated = state.withLock { state in
        !state.isEnded && state.valueTicket > ticket && state.reporter != Self.currentThread
      }
      guard isRepeated else { return }
    }
  }

  /// Reads the value and tells it if it has changed; the ticket if it was told.
  private func report(_ isRepeated: Bool) -> UInt64? {
    guard let root else { return nil }
    let (value, ticket) = evaluate(root)
    let change: NSKeyValueObservedChange<Value>? = state.withLock { state in
      guard !state.isEnded, ticket > state.valueTicket, isRepeated || !areEqual(state.value, value) else {
        return nil
      }
      defer {
        state.value = value
        state.valueTicket = ticket
        state.reporter = Self.currentThread
      }
      return NSKeyValueObservedChange(
        newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? state.value : nil)
    }
    guard let change else { return nil }
    handler(root, change)
    return ticket
  }

  private static var currentThread: UInt { UInt(pthread_self()) }

  /// Reads the value, and observes what that reads.
  private func evaluate(_ root: Root) -> (Value, UInt64) {
    while true {
      let ticket = state.withLock { state in
        state.lastTicket += 1
        return state.lastTicket
      }
      let recorder = AccessRecorder()
      let value = Access.$recorder.withValue(recorder) { root[keyPath: keyPath] }
      // What is new is observed only from now on: read once more.
      if !observe(recorder.reads, ticket) { return (value, ticket) }
    }
  }

  /// True when something is observed that was not before.
  private func observe(_ reads: Set<AccessRecorder.Read>, _ ticket: UInt64) -> Bool {
    state.withLock { state in
      guard !state.isEnded, ticket > state.readsTicket else { return false }
      let new = reads.subtracting(state.reads)
      for read in new { read.list.add(self, read.property) }
      for old in state.reads where !reads.contains(where: { $0.list === old.list }) { old.list.remove(self) }
      state.reads = reads
      state.readsTicket = ticket
      return !new.isEmpty
    }
  }

  func end() {
    state.withLock { state in
      state.isEnded = true
      for read in state.reads { read.list.remove(self) }
      state.reads = []
    }
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
