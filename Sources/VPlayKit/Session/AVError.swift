public import Foundation

public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

public struct AVError: Error, LocalizedError, CustomNSError, Sendable {
  public enum Code: Int, Sendable {
    case unknown = -11800
    case outOfMemory = -11801
    case diskFull = -11807
    case deviceNotConnected = -11814
    case mediaServicesWereReset = -11819
    case exportFailed = -11820
    case decodeFailed = -11821
    case fileFormatNotRecognized = -11828
    case decoderNotFound = -11833
    case contentIsNotAuthorized = -11835
    case operationNotSupportedForAsset = -11838
    case failedToLoadMediaData = -11849
    case operationNotAllowed = -11862
    case contentIsUnavailable = -11863
    case formatUnsupported = -11864
    case noSourceTrack = -11869
    case operationCancelled = -11878
  }

  public static var errorDomain: String { AVFoundationErrorDomain }
  public var code: Code
  /// What went wrong, one line for a person, without the file's name and without a full stop.
  public var reason: String
  /// FFmpeg's or the sound server's own error, where there is one.
  public var underlyingError: (any Error)?

  public init(_ code: Code, reason: String = "", underlyingError: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.underlyingError = underlyingError
  }

  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason]
    if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError }
    return info
  }
  public var errorDescription: String? { reason }
  public var failureReason: String? { reason }
}
