import VPlayModel

/// The format of a stream of sound.
///
/// Named as CoreAudio's on Apple's systems.
public struct AudioStreamBasicDescription: Hashable, Sendable {
  /// Frames a second.
  public var mSampleRate: Double
  /// Such as `kAudioFormatLinearPCM`.
  public var mFormatID: UInt32
  /// Of PCM: `kAudioFormatFlagIsFloat` and the others.
  public var mFormatFlags: UInt32
  /// 0 where packets differ.
  public var mBytesPerPacket: UInt32
  /// 0 where packets differ.
  public var mFramesPerPacket: UInt32
  /// 0 for what is compressed.
  public var mBytesPerFrame: UInt32
  public var mChannelsPerFrame: UInt32
  /// 0 for what is compressed.
  public var mBitsPerChannel: UInt32
  public var mReserved: UInt32

  public init(
    mSampleRate: Double, mFormatID: UInt32, mFormatFlags: UInt32, mBytesPerPacket: UInt32,
    mFramesPerPacket: UInt32, mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32,
    mReserved: UInt32 = 0
  ) {
    self.mSampleRate = mSampleRate
    self.mFormatID = mFormatID
    self.mFormatFlags = mFormatFlags
    self.mBytesPerPacket = mBytesPerPacket
    self.mFramesPerPacket = mFramesPerPacket
    self.mBytesPerFrame = mBytesPerFrame
    self.mChannelsPerFrame = mChannelsPerFrame
    self.mBitsPerChannel = mBitsPerChannel
    self.mReserved = mReserved
  }

  public init() {
    self.init(
      mSampleRate: 0, mFormatID: 0, mFormatFlags: 0, mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
      mChannelsPerFrame: 0, mBitsPerChannel: 0)
  }

  /// PCM.
  init(
    pcmRate rate: Double, channels: Int, bits: Int, isFloat: Bool, isSigned: Bool = true, isBigEndian: Bool = false,
    isInterleaved: Bool = true
  ) {
    var flags = kAudioFormatFlagIsPacked
    if isFloat { flags |= kAudioFormatFlagIsFloat }
    if isSigned && !isFloat { flags |= kAudioFormatFlagIsSignedInteger }
    if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
    if !isInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
    let frameBytes = UInt32((bits + 7) / 8 * (isInterleaved ? channels : 1))
    self.init(
      mSampleRate: rate, mFormatID: kAudioFormatLinearPCM, mFormatFlags: flags, mBytesPerPacket: frameBytes,
      mFramesPerPacket: 1, mBytesPerFrame: frameBytes, mChannelsPerFrame: UInt32(channels),
      mBitsPerChannel: UInt32(bits))
  }
}

public let kAudioFormatLinearPCM = fourCharacters("lpcm")
public let kAudioFormatMPEG4AAC = fourCharacters("aac ")
public let kAudioFormatMPEGLayer1 = fourCharacters(".mp1")
public let kAudioFormatMPEGLayer2 = fourCharacters(".mp2")
public let kAudioFormatMPEGLayer3 = fourCharacters(".mp3")
public let kAudioFormatAppleLossless = fourCharacters("alac")
public let kAudioFormatFLAC = fourCharacters("flac")
public let kAudioFormatOpus = fourCharacters("opus")
public let kAudioFormatAC3 = fourCharacters("ac-3")
public let kAudioFormatEnhancedAC3 = fourCharacters("ec-3")
public let kAudioFormatULaw = fourCharacters("ulaw")
public let kAudioFormatALaw = fourCharacters("alaw")
public let kAudioFormatAMR = fourCharacters("samr")
public let kAudioFormatAMR_WB = fourCharacters("sawb")

public let kAudioFormatFlagIsFloat: UInt32 = 1
public let kAudioFormatFlagIsBigEndian: UInt32 = 2
public let kAudioFormatFlagIsSignedInteger: UInt32 = 4
public let kAudioFormatFlagIsPacked: UInt32 = 8
public let kAudioFormatFlagIsNonInterleaved: UInt32 = 32

/// Where one channel belongs.
public struct AudioChannelDescription: Hashable, Sendable {
  /// CoreAudio's number of the place: 1 is left, 2 right, 3 centre; `UInt32.max` is unknown.
  public var mChannelLabel: UInt32
}

/// Where the channels of a stream of sound belong, in the order of its samples.
///
/// Named as CoreAudio's on Apple's systems, with what our API needs of it.
public struct ManagedAudioChannelLayout: Hashable, Sendable {
  public let channelDescriptions: [AudioChannelDescription]

  init(_ channels: [ChannelPosition]) {
    channelDescriptions = channels.map { AudioChannelDescription(mChannelLabel: $0.coreAudioLabel) }
  }
}

extension ChannelPosition {
  /// CoreAudio's number of it.
  fileprivate var coreAudioLabel: UInt32 {
    switch self {
    case .frontLeft: 1
    case .frontRight: 2
    case .frontCenter: 3
    case .lowFrequency: 4
    case .sideLeft: 5
    case .sideRight: 6
    case .frontLeftOfCenter: 7
    case .frontRightOfCenter: 8
    case .backCenter: 9
    case .topCenter: 12
    case .topFrontLeft: 13
    case .topFrontCenter: 14
    case .topFrontRight: 15
    case .topBackLeft: 16
    case .topBackCenter: 17
    case .topBackRight: 18
    case .backLeft: 33
    case .backRight: 34
    case .unknown: .max
    }
  }
}
