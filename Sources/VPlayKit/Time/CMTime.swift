import VPlayModel

/// The number of units of a time: 64 bits.
public typealias CMTimeValue = Int64
/// Units a second: 32 bits.
public typealias CMTimeScale = Int32
/// Tells unrelated timelines apart; 0 nearly always.
public typealias CMTimeEpoch = Int64

/// What kind of time a ``CMTime`` is.
public struct CMTimeFlags: OptionSet, Hashable, Codable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Unset: the time is invalid, whatever else is set.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// The time has been rounded at some point.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// The mask of the kinds that are not numbers.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}

/// A time, or a duration, as a rational number of seconds: `value / timescale`, or one of the kinds that are not numbers
/// (invalid, indefinite, ±infinity).
///
/// As Apple's [CMTime](https://developer.apple.com/documentation/coremedia/cmtime). Nothing here traps, whatever the
/// values: what overflows becomes coarser, then infinite.
public struct CMTime: Codable, Sendable {
  /// In units of `1 / timescale` seconds.
  public var value: CMTimeValue
  /// Units a second; a time with a scale that is not positive is no number.
  public var timescale: CMTimeScale
  public var flags: CMTimeFlags
  public var epoch: CMTimeEpoch

  /// An invalid time.
  public init() {
    self.init(value: 0, timescale: 0, flags: [], epoch: 0)
  }

  public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: CMTimeEpoch) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// `value / timescale` seconds; invalid when the scale is not positive.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
  }

  /// The time nearest to `seconds` in units of `1 / preferredTimescale` second.
  ///
  /// NaN, or a scale that is not positive, gives an invalid time. Where the value would not fit 64 bits the scale is
  /// halved until it does, and at scale 1 the result is infinite. `hasBeenRounded` tells that the time is not exactly
  /// the number of seconds.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    guard preferredTimescale > 0, !seconds.isNaN else {
      self.init()
      return
    }
    var scale = preferredTimescale
    while abs(seconds * Double(scale)) >= 0x1p63, scale > 1 { scale /= 2 }
    let scaled = (seconds * Double(scale)).rounded()
    guard abs(scaled) < 0x1p63 else {
      self = seconds < 0 ? .negativeInfinity : .positiveInfinity
      return
    }
    self.init(value: CMTimeValue(scaled), timescale: scale)
    if Double(value) / Double(scale) != seconds { flags.insert(.hasBeenRounded) }
  }

  public static let zero = CMTime(value: 0, timescale: 1)
  public static let invalid = CMTime()
  public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  public static let positiveInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  public static let negativeInfinity = CMTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  public var isValid: Bool { flags.contains(.valid) }
  public var isPositiveInfinity: Bool { isValid && flags.contains(.positiveInfinity) }
  public var isNegativeInfinity: Bool { isValid && flags.contains(.negativeInfinity) }
  public var isIndefinite: Bool { isValid && flags.contains(.indefinite) }
  /// Whether this is a number of seconds.
  public var isNumeric: Bool {
    isValid && flags.isDisjoint(with: .impliedValueFlagsMask) && timescale > 0
  }
  public var hasBeenRounded: Bool { isNumeric && flags.contains(.hasBeenRounded) }

  /// The seconds; ±infinity for infinite times, NaN for invalid and indefinite ones.
  public var seconds: Double {
    if isNumeric { return Double(value) / Double(timescale) }
    if isPositiveInfinity { return .infinity }
    if isNegativeInfinity { return -.infinity }
    return .nan
  }
}

extension CMTime {
  init(_ time: MediaTime) {
    self.init(value: time.value, timescale: time.timescale)
  }

  /// Nil for what is no number.
  var mediaTime: MediaTime? {
    isNumeric ? MediaTime(value: value, timescale: timescale) : nil
  }
}
