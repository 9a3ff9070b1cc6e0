public import Foundation

/// Some frames of sound, and when they are to be heard.
///
/// Named as CoreMedia's on Apple's systems, with what our API needs of it.
public final class CMSampleBuffer: Sendable {
  /// How many frames it holds.
  public let numSamples: Int
  /// When its first frame is to be heard, in its asset's time.
  public let presentationTimeStamp: CMTime
  /// The samples, as the output's settings ask for them.
  public let dataBuffer: CMBlockBuffer?
  public let formatDescription: CMFormatDescription?

  init(_ data: CMBlockBuffer, numSamples: Int, at time: CMTime, format: CMFormatDescription) {
    self.numSamples = numSamples
    presentationTimeStamp = time
    dataBuffer = data
    formatDescription = format
  }

  /// How long it is heard.
  public var duration: CMTime {
    CMTime(value: CMTimeValue(numSamples), timescale: presentationTimeStamp.timescale)
  }

  /// In bytes.
  public var totalSampleSize: Int { dataBuffer?.dataLength ?? 0 }
}

/// Bytes of samples.
///
/// Named as CoreMedia's on Apple's systems, with what our API needs of it.
// Safe to share: written only before it is handed out. Who writes through a pointer to it answers for that.
public final class CMBlockBuffer: @unchecked Sendable {
  private let bytes: UnsafeMutableRawBufferPointer

  /// `fill` writes all of the bytes.
  init(byteCount: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Void) {
    bytes = .allocate(byteCount: byteCount, alignment: 16)
    fill(bytes)
  }

  deinit {
    bytes.deallocate()
  }

  /// In bytes.
  public var dataLength: Int { bytes.count }

  /// A copy of the bytes.
  public func dataBytes() throws -> Data { Data(bytes) }

  /// Calls `body` with the bytes, which are valid during the call.
  public func withContiguousStorage<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    try body(UnsafeRawBufferPointer(bytes))
  }

  fileprivate var base: UnsafeMutableRawPointer? { bytes.baseAddress }
}

/// 0 is success, all else an error of CoreMedia's.
public typealias OSStatus = Int32

/// An offset or a length lies outside of a block.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12704

/// See ``CMSampleBuffer/numSamples``.
public func CMSampleBufferGetNumSamples(_ buffer: CMSampleBuffer) -> Int { buffer.numSamples }

/// See ``CMSampleBuffer/presentationTimeStamp``.
public func CMSampleBufferGetPresentationTimeStamp(_ buffer: CMSampleBuffer) -> CMTime {
  buffer.presentationTimeStamp
}

/// See ``CMSampleBuffer/duration``.
public func CMSampleBufferGetDuration(_ buffer: CMSampleBuffer) -> CMTime { buffer.duration }

/// See ``CMSampleBuffer/dataBuffer``.
public func CMSampleBufferGetDataBuffer(_ buffer: CMSampleBuffer) -> CMBlockBuffer? { buffer.dataBuffer }

/// See ``CMSampleBuffer/formatDescription``.
public func CMSampleBufferGetFormatDescription(_ buffer: CMSampleBuffer) -> CMFormatDescription? {
  buffer.formatDescription
}

/// See ``CMSampleBuffer/totalSampleSize``.
public func CMSampleBufferGetTotalSampleSize(_ buffer: CMSampleBuffer) -> Int { buffer.totalSampleSize }

/// Nothing is left to be made invalid: the memory goes with the last reference.
@discardableResult
public func CMSampleBufferInvalidate(_ buffer: CMSampleBuffer) -> OSStatus { 0 }

/// See ``CMBlockBuffer/dataLength``.
public func CMBlockBufferGetDataLength(_ buffer: CMBlockBuffer) -> Int { buffer.dataLength }

/// Copies bytes to `destination`, which has room for them.
public func CMBlockBufferCopyDataBytes(
  _ buffer: CMBlockBuffer, atOffset offset: Int, dataLength: Int, destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard offset >= 0, dataLength >= 0, dataLength <= buffer.dataLength, offset <= buffer.dataLength - dataLength else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  if let base = buffer.base { destination.copyMemory(from: base + offset, byteCount: dataLength) }
  return 0
}

/// A pointer into the bytes, which are all in one piece. It is valid as long as the buffer is.
public func CMBlockBufferGetDataPointer(
  _ buffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?, dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  guard offset >= 0, offset < buffer.dataLength, let base = buffer.base else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  lengthAtOffsetOut?.pointee = buffer.dataLength - offset
  totalLengthOut?.pointee = buffer.dataLength
  dataPointerOut?.pointee = (base + offset).assumingMemoryBound(to: CChar.self)
  return 0
}
