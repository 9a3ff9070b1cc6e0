import Foundation
import VPlayEngine
import VPlayModel
import VPlayPulse

extension AVAudioSession {
  /// What sound is to the program, as Apple's
  /// [AVAudioSession.Category](https://developer.apple.com/documentation/avfaudio/avaudiosession/category-swift.struct).
  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Sound is an addition, which lives with others'; it ends when the program goes to the background.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// As `ambient`, but alone. The category at first.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Sound is what the program is for; it goes on in the background.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Refused here: VPlay does not record.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Refused here: VPlay does not record.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Refused here: streams go to one output each.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// What kind of sound it is, as Apple's
  /// [AVAudioSession.Mode](https://developer.apple.com/documentation/avfaudio/avaudiosession/mode-swift.struct).
  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// The sound of films. Streams that are opened from then on have the server's role `video`.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
    /// Continuous speech.
    public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
  }

  /// As Apple's
  /// [CategoryOptions](https://developer.apple.com/documentation/avfaudio/avaudiosession/categoryoptions-swift.struct).
  public struct CategoryOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Others' sound goes on. For `playback`; `ambient` always does.
    public static let mixWithOthers = CategoryOptions(rawValue: 1)
    /// Others' sound, but for calls, is lowered while ours is heard, by 14 dB, and is then what it was; a stream whose
    /// volume is moved meanwhile keeps what it was moved to. Implies `mixWithOthers`.
    ///
    /// A program that is about to end gives it back by ``AVAudioSession/setActive(_:options:)`` with false.
    public static let duckOthers = CategoryOptions(rawValue: 2)
    /// Others' spoken sound is to be interrupted, the rest mixed.
    public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
  }

  /// As Apple's
  /// [SetActiveOptions](https://developer.apple.com/documentation/avfaudio/avaudiosession/setactiveoptions).
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Others that were interrupted may go on.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Why a call was refused, as Apple's
  /// [AVAudioSession.ErrorCode](https://developer.apple.com/documentation/coreaudiotypes/avaudiosession/errorcode), in
  /// `NSOSStatusErrorDomain`.
  public enum ErrorCode: Int, Sendable {
    /// There is sound that has not been stopped ('!act').
    case isBusy = 560_030_580
    /// The categories, modes and options do not go together, or are not there ('!par', -50).
    case badParam = -50
    /// The sound server does not answer ('msrv').
    case mediaServicesFailed = 1_836_282_486
  }

  /// The category. `soloAmbient` at first.
  public var category: Category { state.withLock { $0.configuration.category } }

  /// The mode. `default` at first.
  public var mode: Mode { state.withLock { $0.configuration.mode } }

  /// The category's options. None at first.
  public var categoryOptions: CategoryOptions { state.withLock { $0.configuration.options } }

  /// What `setCategory` takes here.
  public var availableCategories: [Category] { [.ambient, .soloAmbient, .playback] }

  /// What `setMode` takes here.
  public var availableModes: [Mode] { [.default, .moviePlayback, .spokenAudio] }

  /// Sets category, mode and options together; all or none.
  ///
  /// Throws an `NSError` of `NSOSStatusErrorDomain` and `ErrorCode.badParam` for categories that record, for unknown
  /// ones, and for options that the category does not have. It concerns streams that are opened from then on.
  public func setCategory(_ category: Category, mode: Mode = .default, options: CategoryOptions = []) throws {
    guard availableCategories.contains(category) else {
      throw Self.error(
        .badParam, "VPlay has no category \(category.rawValue): it plays to one output, and does not record")
    }
    guard availableModes.contains(mode) else {
      throw Self.error(.badParam, "VPlay has no mode \(mode.rawValue)")
    }
    let known: CategoryOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
    guard options.isSubset(of: known), category == .playback || options.isEmpty else {
      throw Self.error(.badParam, "these options do not go with the category \(category.rawValue)")
    }
    let (isChange, wasDucking) = state.withLock { state in
      let old = state.configuration
      state.configuration.category = category
      state.configuration.mode = mode
      state.configuration.options = options
      return (old.category != category, old.options.contains(.duckOthers))
    }
    let ducks = options.contains(.duckOthers)
    if ducks != wasDucking { sink().setDucksOthers(ducks) }
    if isChange { postRouteChange(.categoryChange, from: nil) }
  }

  /// Sets the category and its options, with the default mode.
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, options: options)
  }

  /// Sets the mode. Throws as `setCategory(_:mode:options:)`.
  public func setMode(_ mode: Mode) throws {
    let old = state.withLock { $0.configuration }
    try setCategory(old.category, mode: mode, options: old.options)
  }

  /// Begins or ends the session.
  ///
  /// A player that plays needs no call: its sound is heard either way. Ended while players play, they are paused, and
  /// the call throws an `NSError` of `NSOSStatusErrorDomain` and `ErrorCode.isBusy`, as Apple documents; the session is
  /// ended nevertheless. What was lowered by `duckOthers` has its volume back when the call returns: it waits for the
  /// server, half a second at most.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    let players = state.withLock { state in
      state.configuration.isActive = active
      return active ? [] : Array(state.players.values)
    }
    if active {
      followServer()
      return
    }
    defer { if categoryOptions.contains(.duckOthers) { sink().endDucking() } }
    let playing = players.compactMap(\.core).filter { core in core.read { $0.machine.rate != 0 } }
    for core in playing { core.setRate(0) }
    if !playing.isEmpty { throw Self.error(.isBusy, "\(playing.count) players were playing, and are paused now") }
  }

  /// The role that a stream of sound has for the server.
  func role(hasVideo: Bool) -> MediaRole {
    hasVideo || mode == .moviePlayback ? .video : .music
  }

  static func error(_ code: ErrorCode, _ description: String) -> NSError {
    NSError(
      domain: NSOSStatusErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: description])
  }
}
