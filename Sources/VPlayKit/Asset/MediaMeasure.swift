import VPlayModel

/// Finds how long a medium is by going through all of it. Blocks.
enum MediaMeasure {
  /// The end of the first sound as it decodes, where the container's word is a guess; that word elsewhere.
  static func duration(of source: any MediaSource) throws(MediaError) -> MediaTime? {
    let description = try source.open()
    guard !description.isDurationExact, description.isSeekable, let track = description.audioTracks.first else {
      return description.duration
    }
    source.select(trackIDs: [track.id])
    let decoder = try source.makeAudioDecoder(trackID: track.id)
    var end = MediaTime.zero
    var failures = 0
    while true {
      var packet: (any MediaPacket)?
      do throws(MediaError) {
        packet = try source.read()
        failures = 0
      } catch {
        if error.kind == .interrupted { throw error }
        failures += 1
        if failures < 2 { continue }
      }
      do throws(MediaError) {
        try decoder.decode(packet) { block in
          let frames = block.startFrame + Int64(block.frameCount)
          end = max(end, MediaTime(frame: frames, rate: block.format.sampleRate))
        }
      } catch {
        // What cannot be decoded has no length of its own; what follows it has its place.
        if error.kind == .outOfMemory { throw error }
      }
      if packet == nil { break }
    }
    // A picture that outlasts the sound.
    if description.hasVideo, let claim = description.duration { return max(end, claim) }
    return end > .zero ? end : description.duration
  }
}
