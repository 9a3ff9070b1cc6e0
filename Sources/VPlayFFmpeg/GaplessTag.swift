/// What iTunes writes as `iTunSMPB`: the encoder's priming, its padding, and the true count of frames.
struct GaplessTag: Equatable {
  var primingFrames: Int64
  var paddingFrames: Int64
  var frameCount: Int64

  /// Nil when the tag is missing or no such tag: hexadecimal words, the first of them zero.
  init?(_ text: String?) {
    guard let text else { return nil }
    let words = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard words.count == 4, let priming = words[1], let padding = words[2], let count = words[3],
      (0...1 << 20).contains(priming), (0...1 << 20).contains(padding), (1...1 << 50).contains(count)
    else { return nil }
    (primingFrames, paddingFrames, frameCount) = (priming, padding, count)
  }

  /// Narrows a track's presentation (in units of its scale) to what the tag says, unless it was edited since.
  func apply(to track: MovieTrack, start: inout Int64, end: inout Int64, rate: Int) {
    guard rate > 0 else { return }
    func units(_ frames: Int64) -> Int64 { MovieTrack.rescale(frames, from: Int64(rate), to: track.scale) }
    if track.edits.isEmpty {
      let total = units(primingFrames + frameCount)
      guard total <= end - start else { return }
      end = start + total
      start += units(primingFrames)
    } else if track.edits.last?.mediaTime == units(primingFrames) {
      let count = units(frameCount)
      // More than the padding off, and the edit is someone's later cut.
      if count <= end - start, end - start - count <= units(paddingFrames + 1) { end = start + count }
    }
  }
}
