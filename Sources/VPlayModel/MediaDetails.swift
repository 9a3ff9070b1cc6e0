/// One tag of a container, or of one of its tracks.
package struct MediaTag: Sendable, Equatable {
  /// As FFmpeg names it, in the container's own case.
  package var key: String
  package var value: String

  package init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }
}

/// A picture that a medium carries along, such as a cover.
package struct AttachedPicture: Sendable, Equatable {
  /// An image file, whole.
  package var bytes: [UInt8]
  /// FFmpeg's name of its codec: `mjpeg`, `png`, …
  package var codecName: String
  /// What it shows, where the container says: `Cover (front)`, …
  package var title: String?

  package init(bytes: [UInt8], codecName: String, title: String? = nil) {
    self.bytes = bytes
    self.codecName = codecName
    self.title = title
  }
}

/// A part of a medium that has a name.
package struct Chapter: Sendable, Equatable {
  /// In item time.
  package var start: MediaTime
  package var end: MediaTime
  package var tags: [MediaTag]

  package init(start: MediaTime, end: MediaTime, tags: [MediaTag]) {
    self.start = start
    self.end = end
    self.tags = tags
  }
}

/// The sound of a track, as its container describes it.
package struct SoundDetails: Sendable, Equatable {
  package var format: AudioFormat
  /// Of one sample before it was compressed, or of PCM; 0 when not known.
  package var bitsPerSample: Int
  /// Frames of a packet, 0 where they differ or nobody says; PCM has 1.
  package var packetFrames: Int
  /// Whether PCM's samples are floats, big-endian, signed. Meaningless for others.
  package var isFloat = false
  package var isBigEndian = false
  package var isSigned = true

  package init(format: AudioFormat, bitsPerSample: Int = 0, packetFrames: Int = 0) {
    self.format = format
    self.bitsPerSample = bitsPerSample
    self.packetFrames = packetFrames
  }
}

/// The picture of a track, as its container describes it.
package struct PictureDetails: Sendable, Equatable {
  /// In samples as stored.
  package var widthPixels: Int
  package var heightPixels: Int
  /// Width of a sample by its height; 1:1 where the medium does not say.
  package var sampleAspectWidth = 1
  package var sampleAspectHeight = 1
  /// Pictures a second, zero when not known.
  package var frameRateNumerator = 0
  package var frameRateDenominator = 1
  /// A movie's display matrix, a b u c d v x y w, where there is one: 16.16 fixed point, the third column 2.30.
  package var displayMatrix: [Int32]?

  package init(widthPixels: Int, heightPixels: Int) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
  }
}

/// What a medium says of one of its tracks, whether it can be played or not.
package struct TrackDetails: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case audio, video, subtitle, closedCaption, timecode, metadata, other
  }

  /// The container's stream index.
  package var index: Int
  /// The container's own number of it where it has such, else 1 and up.
  package var id: Int32
  package var kind: Kind
  package var codecName: String
  /// The four characters, first one lowest, by which the container names the codec; 0 for none.
  package var codecTag: UInt32 = 0
  /// As the container has it; nil also for "undetermined".
  package var language: String?
  package var isDefault = false
  package var isForced = false
  /// Whether this FFmpeg has a decoder for it.
  package var isDecodable = false
  /// In item time.
  package var start = MediaTime.zero
  /// Nil when not known.
  package var duration: MediaTime?
  /// Units a second of the container's clock for this track.
  package var timescale: Int32 = 1
  /// Nil when not known.
  package var bitsPerSecond: Int64?
  package var sound: SoundDetails?
  package var picture: PictureDetails?
  package var tags: [MediaTag] = []

  package init(index: Int, id: Int32, kind: Kind, codecName: String) {
    self.index = index
    self.id = id
    self.kind = kind
    self.codecName = codecName
  }
}

/// What a medium says of itself beyond what playing it needs.
package struct MediaDetails: Sendable, Equatable {
  /// FFmpeg's names of the container: `mov`, `mp4`, …
  package var formatNames: [String] = []
  /// The container's name for people.
  package var formatTitle = ""
  /// In the container's order, attached pictures left out.
  package var tracks: [TrackDetails] = []
  /// Of the container as a whole, in its order.
  package var tags: [MediaTag] = []
  package var pictures: [AttachedPicture] = []
  /// In the order of their starts.
  package var chapters: [Chapter] = []

  package init() {}

  /// What can be told from a description alone.
  package init(_ description: MediaDescription) {
    tags = description.tags.sorted { $0.key < $1.key }.map { MediaTag($0.key, $0.value) }
    tracks = description.audioTracks.map { track in
      var details = TrackDetails(
        index: track.id, id: Int32(clamping: track.id + 1), kind: .audio, codecName: track.codecName)
      details.isDecodable = true
      details.duration = track.exactEndFrame.map { MediaTime(frame: $0, rate: track.format.sampleRate) }
      details.timescale = Int32(clamping: track.format.sampleRate)
      details.sound = SoundDetails(format: track.format)
      return details
    }
    if !tracks.isEmpty { tracks[0].isDefault = true }
  }
}
