internal import CVPlayFFmpeg
package import VPlayModel

/// The media source on FFmpeg: files, pipes, and what `http` and `https` give.
// Safe to share: what is not `let` is touched by the demux thread alone, which by the contract is one at a time, but
// for the options, which are set before there is one;
// `shared` has its lock.
package final class FFmpegSource: MediaSource, @unchecked Sendable {
  private struct Shared {
    var tracks: [TrackInfo] = []
    var zero = MediaTime.zero
  }

  private let url: String
  private var options: SourceOptions
  private let interrupter = Interrupter()
  private let shared = Monitor(Shared())
  private var demuxer: Demuxer?

  /// `url` is percent-encoded and absolute: `file:///a%20b.wav`, `https://…`, or `pipe:0` for standard input.
  package init(url: String, options: SourceOptions = SourceOptions()) {
    self.url = url
    self.options = options
  }

  package func configure(_ options: SourceOptions) {
    self.options = options
  }

  package func open() throws(MediaError) -> MediaDescription {
    vplay_silence_log()
    let demuxer: Demuxer
    do {
      demuxer = try Demuxer(address: SourceAddress(url: url), options: options, interrupter: interrupter)
    } catch {
      if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted", code: error.code) }
      throw error
    }
    self.demuxer = demuxer
    let inspection = demuxer.inspection
    shared.withLock { shared in
      shared.tracks = inspection.tracks
      shared.zero = inspection.zero
    }
    return inspection.description
  }

  package func details() throws(MediaError) -> MediaDetails? {
    try demuxer?.details()
  }

  package func select(trackIDs: [Int]) {
    demuxer?.select(trackIDs)
  }

  package func read() throws(MediaError) -> (any MediaPacket)? {
    guard let demuxer else { throw MediaError(.other, "not open") }
    return try demuxer.read()
  }

  package func seek(to time: MediaTime) throws(MediaError) {
    guard let demuxer else { throw MediaError(.other, "not open") }
    try demuxer.seek(to: time)
  }

  package func interrupt() {
    interrupter.interrupt()
  }

  package func makeAudioDecoder(trackID: Int) throws(MediaError) -> any AudioDecoder {
    let (info, zero) = shared.withLock { shared in
      (shared.tracks.first { $0.track.id == trackID }, shared.zero)
    }
    guard let info else { throw MediaError(.other, "no such track") }
    return try FFmpegAudioDecoder(info, zero: zero)
  }
}
