public import Foundation
import VPlayModel

/// The domain of ``AVError``.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"

/// Why something could not be played.
///
/// As Apple's [AVError](https://developer.apple.com/documentation/avfoundation/averror), with the codes that can occur
/// here. Beneath it, where there is one, is FFmpeg's or the sound server's own error.
public struct AVError: Error, LocalizedError, CustomNSError, Sendable {
  /// The kinds of failure, with Apple's numbers.
  public enum Code: Int, Sendable {
    case unknown = -11800
    case outOfMemory = -11801
    /// The output device does not exist.
    case deviceNotConnected = -11814
    /// The sound server does not answer.
    case mediaServicesWereReset = -11819
    /// The output file could not be written.
    case exportFailed = -11820
    /// The data broke off or is damaged.
    case decodeFailed = -11821
    /// Not a medium that is known here, or empty, or too damaged to open.
    case fileFormatNotRecognized = -11828
    /// There is no decoder for it.
    case decoderNotFound = -11833
    /// It may not be read.
    case contentIsNotAuthorized = -11835
    case operationNotSupportedForAsset = -11838
    /// The network failed.
    case failedToLoadMediaData = -11849
    /// Addresses of this kind may not be opened.
    case operationNotAllowed = -11862
    /// There is nothing at the address.
    case contentIsUnavailable = -11863
    /// The output refused the format.
    case formatUnsupported = -11864
    /// It holds no sound and no picture that can be played.
    case noSourceTrack = -11869
    case operationCancelled = -11878
  }

  public static var errorDomain: String { AVFoundationErrorDomain }

  public var code: Code
  /// What went wrong: one line for a person, without the file's name and without a full stop.
  public var reason: String
  /// FFmpeg's or the sound server's own error, where there is one.
  public var underlyingError: (any Error)?

  public init(_ code: Code, reason: String = "", underlyingError: (any Error)? = nil) {
    self.code = code
    self.reason = reason
    self.underlyingError = underlyingError
  }

  public var errorCode: Int { code.rawValue }
  public var errorDescription: String? { reason }
  public var failureReason: String? { reason }
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason]
    if let underlyingError { info[NSUnderlyingErrorKey] = underlyingError }
    return info
  }
}

extension AVError {
  init(_ error: MediaError) {
    let code: Code =
      switch error.kind {
      case .notFound: .contentIsUnavailable
      case .permissionDenied: .contentIsNotAuthorized
      case .isDirectory, .unrecognizedFormat: .fileFormatNotRecognized
      case .nothingPlayable: .noSourceTrack
      case .unsupportedCodec: .decoderNotFound
      case .damaged: .decodeFailed
      case .protocolNotAllowed: .operationNotAllowed
      case .network: .failedToLoadMediaData
      case .notSeekable: .operationNotSupportedForAsset
      case .interrupted: .operationCancelled
      case .outOfMemory: .outOfMemory
      case .other: .unknown
      }
    self.init(
      code, reason: error.reason,
      underlyingError: error.code == 0 ? nil : NSError(domain: "org.ffmpeg", code: Int(error.code)))
  }

  init(_ error: SinkError) {
    let code: Code =
      switch error.kind {
      case .unavailable, .lost, .timedOut: .mediaServicesWereReset
      case .noSuchDevice: .deviceNotConnected
      case .cancelled: .operationCancelled
      case .invalid: .formatUnsupported
      case .writeFailed: .exportFailed
      }
    self.init(code, reason: error.reason)
  }
}
