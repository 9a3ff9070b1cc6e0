internal import CVPlayFFmpeg
internal import VPlayModel

/// One `AVFrame`, used again for each decoded block.
final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(MediaError) {
    guard let pointer = av_frame_alloc() else { throw MediaError(.outOfMemory, "out of memory") }
    self.pointer = pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVFrame>? = pointer
    av_frame_free(&pointer)
  }
}
