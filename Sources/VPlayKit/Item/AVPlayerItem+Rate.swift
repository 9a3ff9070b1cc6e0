import VPlayEngine
import VPlayModel

/// What becomes of a sound's pitch at rates other than 1.
///
/// As Apple's [AVAudioTimePitchAlgorithm](https://developer.apple.com/documentation/avfoundation/avaudiotimepitchalgorithm).
public struct AVAudioTimePitchAlgorithm: RawRepresentable, Hashable, Sendable {
  public var rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The pitch is kept, by leaving out or repeating its periods (libsonic). Rates from 1/32 to 32.
  public static let timeDomain = AVAudioTimePitchAlgorithm(rawValue: "TimeDomain")
  /// Apple's costlier way to keep the pitch; here the same as ``timeDomain``.
  public static let spectral = AVAudioTimePitchAlgorithm(rawValue: "Spectral")
  /// The pitch goes with the rate, as a tape's.
  public static let varispeed = AVAudioTimePitchAlgorithm(rawValue: "Varispeed")

  var rateAlgorithm: RateAlgorithm { self == .varispeed ? .resampling : .timeStretch }
}

/// Rates at which an item can be played.
extension AVPlayerItem {
  /// How its sound is brought to another rate: ``AVAudioTimePitchAlgorithm/timeDomain`` at first. A change takes effect at once.
  public var audioTimePitchAlgorithm: AVAudioTimePitchAlgorithm {
    get { state.withLock { $0.pitchAlgorithm } }
    set {
      let owner = state.withLock { state in
        state.pitchAlgorithm = newValue
        return state.owner
      }
      owner?.sendQueue()
    }
  }

  /// Whether rates above 1 can be played: once the item is open.
  public var canPlayFastForward: Bool { status == .readyToPlay }
  /// Whether rates between 0 and 1 can be played: once the item is open.
  public var canPlaySlowForward: Bool { status == .readyToPlay }
  /// Whether the rate −1 can be played: never.
  public var canPlayReverse: Bool { false }
  /// Whether rates below −1 can be played: never.
  public var canPlayFastReverse: Bool { false }
  /// Whether rates between −1 and 0 can be played: never.
  public var canPlaySlowReverse: Bool { false }
}

extension PlayerCore {
  /// Hands the queue to the engine anew, as something of its items has changed.
  func sendQueue() {
    state.withLock { state in
      guard !state.isOver else { return }
      send(.setQueue, state)
    }
  }
}
