/// Why a medium could not be opened, read or decoded; worded by what the caller can do.
package struct MediaError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// There is nothing at the address.
    case notFound
    /// It is there, and may not be read.
    case permissionDenied
    /// It is a folder.
    case isDirectory
    /// Not a medium that any demuxer here knows, or empty, or too damaged to open.
    case unrecognizedFormat
    /// Known, but it has no sound or picture that can be played.
    case nothingPlayable
    /// A codec that this FFmpeg cannot decode.
    case unsupportedCodec
    /// The data broke off or could not be decoded.
    case damaged
    /// The protocol is not one that may be opened.
    case protocolNotAllowed
    /// The other side failed: name, connection, time-out, HTTP status.
    case network
    /// The medium cannot be sought in.
    case notSeekable
    /// The operation was ended by `interrupt()`.
    case interrupted
    case outOfMemory
    case other
  }

  package var kind: Kind
  /// One line for a person, without the file's name and without a full stop.
  package var reason: String
  /// FFmpeg's own error code, 0 where there is none.
  package var code: Int32

  package init(_ kind: Kind, _ reason: String, code: Int32 = 0) {
    self.kind = kind
    self.reason = reason
    self.code = code
  }
}

/// Why sound could not be put out; worded by what the caller can do.
package struct SinkError: Error, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// No server answers, or it refused us.
    case unavailable
    /// The named device does not exist.
    case noSuchDevice
    /// The stream or the connection is gone: close it and open anew.
    case lost
    /// The server did not answer within its time.
    case timedOut
    /// The wait was ended by `cancelWaits()`.
    case cancelled
    /// The format, or another argument, was refused.
    case invalid
    /// The output file could not be written.
    case writeFailed
  }

  package var kind: Kind
  /// One line for a person.
  package var reason: String

  package init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}
