import VPlayEngine

extension AVPlayer {
  /// Whether a player can play.
  public enum Status: Int, Sendable {
    case unknown, readyToPlay, failed
  }

  /// Whether a player plays.
  public enum TimeControlStatus: Int, Sendable {
    /// The rate is 0.
    case paused
    /// The rate is not 0, and time stands still; see `reasonForWaitingToPlay`.
    case waitingToPlayAtSpecifiedRate
    case playing
  }

  /// What a player does at the end of an item.
  public enum ActionAtItemEnd: Int, Sendable {
    /// Goes on to the next item.
    case advance
    /// Stops there, at rate 0.
    case pause
    /// Stands there, its rate unchanged: a seek plays on.
    case none

    init(_ action: PlayerStateMachine.ActionAtItemEnd) {
      switch action {
      case .advance: self = .advance
      case .pause: self = .pause
      case .none: self = .none
      }
    }

    var action: PlayerStateMachine.ActionAtItemEnd {
      switch self {
      case .advance: .advance
      case .pause: .pause
      case .none: .none
      }
    }
  }

  /// Why a player waits.
  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The data does not arrive in time.
    public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
    /// The item is being opened, or is about to be heard.
    public static let evaluatingBufferingRate = WaitingReason(
      rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
    /// There is no item.
    public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    /// The sound server or its device takes no sound. VPlay's own.
    public static let outputUnavailable = WaitingReason(rawValue: "VPlayWaitingForOutputReason")

    init(_ reason: PlayerStateMachine.WaitingReason) {
      switch reason {
      case .noItem: self = .noItemToPlay
      case .evaluating: self = .evaluatingBufferingRate
      case .data: self = .toMinimizeStalls
      case .output: self = .outputUnavailable
      }
    }
  }
}
