import VPlayEngine
import VPlayModel

/// What an item is, as its player tells it. Behind the item's own lock, which is taken within the player's.
struct ItemState {
  var status = AVPlayerItem.Status.unknown
  var error: AVError?
  var duration: MediaTime?
  var title: String?
  var buffer = BufferStatus()
  var isSeekable = false
  var isRemote = false
  /// How much is to be read ahead; 0 leaves it to the player.
  var bufferSeconds = 0.0
  var pitchAlgorithm = AVAudioTimePitchAlgorithm.timeDomain
  /// What the stream says of itself, and from when on.
  var streamTags: (tags: [String: String], time: MediaTime)?
  /// Where playback ends, nil for the medium's end.
  var end: MediaTime?
  /// Where the item is while no player has it.
  var time = MediaTime.zero
  weak var owner: PlayerCore?
  /// The item's name in its owner's queue.
  var entry: EntryIdentity?
}

/// The entry of an item, and whether the item is one of a looper's.
struct EntryIdentity: Equatable, Sendable {
  var id: EntryID
  var isLooping: Bool
}
