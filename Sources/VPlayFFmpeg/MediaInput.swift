internal import CVPlayFFmpeg

/// Bytes for a demuxer, and for our own look at them before it. Used by the demux thread.
protocol MediaInput: AnyObject {
  /// What FFmpeg reads from; owned by the input.
  var context: UnsafeMutablePointer<AVIOContext> { get }
  var isSeekable: Bool { get }
  /// The whole size; negative when it is not known.
  var sizeBytes: Int64 { get }
  /// `count` bytes at an offset from the start, fewer at the end; nil when they cannot be had.
  ///
  /// Only before the demuxer has read anything.
  func peek(at offset: Int64, count: Int) -> [UInt8]?
  /// After the last `peek`: the demuxer reads from the start.
  func endPeeking()
}
