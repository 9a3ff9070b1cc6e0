import Foundation
import VPlayModel

/// The properties that can be observed.
enum ObservedProperty: Hashable, Sendable {
  case currentItem, rate, timeControlStatus, reasonForWaitingToPlay, status, error
  case volume, isMuted, defaultRate, actionAtItemEnd
  case duration, loopCount
  case outputVolume
  case loadedTimeRanges, seekableTimeRanges
  case isPlaybackLikelyToKeepUp, isPlaybackBufferEmpty, isPlaybackBufferFull
  case automaticallyWaitsToMinimizeStalling
}

/// Who observes the properties of one object.
final class ObservationList: Sendable {
  private struct Entry {
    var observation: any PropertyObservation
    var properties: Set<ObservedProperty>
  }

  private let entries = Monitor<[ObjectIdentifier: Entry]>([:])

  /// To be called by each getter: it tells an observation that is evaluating its key path what the path reads.
  func access(_ property: ObservedProperty) {
    Access.recorder?.note(self, property)
  }

  /// Reports a change to those who observe the property. Calls out: no lock may be held.
  func report(_ property: ObservedProperty) {
    let observations = entries.withLock { entries in
      entries.values.filter { $0.properties.contains(property) }.map(\.observation)
    }
    for observation in observations { observation.propertyChanged() }
  }

  func add(_ observation: any PropertyObservation, _ property: ObservedProperty) {
    entries.withLock { entries in
      entries[ObjectIdentifier(observation), default: Entry(observation: observation, properties: [])]
        .properties.insert(property)
    }
  }

  func remove(_ observation: any PropertyObservation) {
    // The last reference must not go while the lock is held.
    let removed = entries.withLock { $0.removeValue(forKey: ObjectIdentifier(observation)) }
    withExtendedLifetime(removed) {}
  }
}

protocol PropertyObservation: AnyObject, Sendable {
  func propertyChanged()
}

/// What the key path being evaluated on this thread reads.
final class AccessRecorder: Sendable {
  struct Read: Hashable {
    var list: ObservationList
    var property: ObservedProperty

    static func == (a: Read, b: Read) -> Bool { a.list === b.list && a.property == b.property }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(list))
      hasher.combine(property)
    }
  }

  private let state = Monitor<Set<Read>>([])

  var reads: Set<Read> { state.withLock { $0 } }

  func note(_ list: ObservationList, _ property: ObservedProperty) {
    state.withLock { _ = $0.insert(Read(list: list, property: property)) }
  }
}

enum Access {
  @TaskLocal static var recorder: AccessRecorder?
}
