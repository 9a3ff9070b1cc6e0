import Foundation
import VPlayModel

/// The format of sound: `kAudioFormatLinearPCM` is the only one that is made here.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames a second, a number; the track's own without it.
public let AVSampleRateKey = "AVSampleRateKey"
/// A number from 1 to 64; the track's own without it.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// 8, 16, 24 or 32 bits a sample, floats 32 or 64. Without it 32 for floats, else 16.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// A Bool: samples are floats with a full scale of 1, else signed integers.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// A Bool: the highest byte comes first.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// A Bool: all samples of a channel come before those of the next, buffer by buffer.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

/// What an output of an ``AVAssetReader`` is to give.
struct AudioSettings: Sendable, Equatable {
  /// Nil is the track's own.
  var sampleRate: Int?
  var channelCount: Int?
  var bits = 32
  var isFloat = true
  var isBigEndian = false
  var isInterleaved = true

  /// 32-bit floats, interleaved, at the track's own rate and layout.
  init() {}

  /// Throws what cannot be made.
  init(_ settings: [String: Any]?) throws(AVError) {
    guard let settings else { return }
    if let format = settings[AVFormatIDKey] {
      guard Self.integer(format) == Int(kAudioFormatLinearPCM) else {
        throw AVError(.formatUnsupported, reason: "only linear PCM can be made")
      }
    }
    isFloat = Self.bool(settings[AVLinearPCMIsFloatKey]) ?? false
    bits = settings[AVLinearPCMBitDepthKey].map { Self.integer($0) ?? 0 } ?? (isFloat ? 32 : 16)
    guard (isFloat ? [32, 64] : [8, 16, 24, 32]).contains(bits) else {
      throw AVError(.formatUnsupported, reason: "samples of this width cannot be made")
    }
    isBigEndian = Self.bool(settings[AVLinearPCMIsBigEndianKey]) ?? false
    isInterleaved = !(Self.bool(settings[AVLinearPCMIsNonInterleaved]) ?? false)
    if let rate = settings[AVSampleRateKey] {
      guard let number = Self.integer(rate), (1...768_000).contains(number) else {
        throw AVError(.formatUnsupported, reason: "this sample rate cannot be made")
      }
      sampleRate = number
    }
    if let channels = settings[AVNumberOfChannelsKey] {
      guard let number = Self.integer(channels), (1...64).contains(number) else {
        throw AVError(.formatUnsupported, reason: "this number of channels cannot be made")
      }
      channelCount = number
    }
  }

  /// The frames that are mixed before they are written as asked.
  func format(from own: AudioFormat) -> AudioFormat {
    let count = channelCount ?? own.channelCount
    return AudioFormat(
      sampleRate: sampleRate ?? own.sampleRate,
      channels: count == own.channelCount ? own.channels : Self.usualChannels(count))
  }

  func description(of format: AudioFormat) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      pcmRate: Double(format.sampleRate), channels: format.channelCount, bits: bits, isFloat: isFloat,
      isBigEndian: isBigEndian, isInterleaved: isInterleaved)
  }

  private static func usualChannels(_ count: Int) -> [ChannelPosition] {
    switch count {
    case 1: [.frontCenter]
    case 2: [.frontLeft, .frontRight]
    case 3: [.frontLeft, .frontRight, .frontCenter]
    case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
    case 5: [.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight]
    case 6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]
    case 8: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight]
    default: Array(repeating: .unknown, count: count)
    }
  }

  private static func integer(_ value: Any) -> Int? {
    let number: Double? =
      switch value {
      case let value as Int: Double(value)
      case let value as UInt32: Double(value)
      case let value as Double: value
      case let value as Float: Double(value)
      case let value as NSNumber: value.doubleValue
      default: nil
      }
    return number.flatMap { Int(exactly: $0) }
  }

  private static func bool(_ value: Any?) -> Bool? {
    value as? Bool ?? (value as? NSNumber)?.boolValue
  }
}
