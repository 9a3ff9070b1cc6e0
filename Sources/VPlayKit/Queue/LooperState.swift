import VPlayEngine
import VPlayModel

/// What a looper and its player share: the items that its passes are shown as, and how it goes.
final class LooperState: Sendable {
  private struct State {
    var status = AVPlayerLooper.Status.unknown
    var error: AVError?
    var loopCount = 0
  }

  let items: [AVPlayerItem]
  let entry: EntryID
  let observations = ObservationList()
  private let state = Monitor(State())

  init(items: [AVPlayerItem], entry: EntryID) {
    self.items = items
    self.entry = entry
  }

  var status: AVPlayerLooper.Status { state.withLock { $0.status } }
  var error: AVError? { state.withLock { $0.error } }
  var loopCount: Int { state.withLock { $0.loopCount } }

  func opened(_ error: AVError?) {
    state.withLock { state in
      guard state.status != .cancelled else { return }
      state.status = error == nil ? .ready : .failed
      state.error = error
    }
  }

  /// False when it was already.
  func cancel() -> Bool {
    state.withLock { state in
      guard state.status == .unknown || state.status == .ready else { return false }
      state.status = .cancelled
      return true
    }
  }

  func setLoopCount(_ count: Int) {
    state.withLock { $0.loopCount = count }
  }
}
