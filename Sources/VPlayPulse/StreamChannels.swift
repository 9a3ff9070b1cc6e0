import CVPlayPulse
import VPlayModel

/// Which channels a stream is opened with, so that our own mix, and no server's guess, brings the item to the sink.
///
/// A server asked to play surround on a stereo sink lets the surround channels all but vanish (−29 dB), and one stream
/// plays the whole queue: one opened for a mono item would make all that follows mono.
enum StreamChannels {
  private static let stereo: [ChannelPosition] = [.frontLeft, .frontRight]

  /// The channels for an item on a sink; `sink` is nil when nothing is known of it.
  static func choose(for item: [ChannelPosition], on sink: [ChannelPosition]?) -> [ChannelPosition] {
    if item.count == 1 {
      guard let sink else { return stereo }
      return Set(stereo).isSubset(of: sink) ? stereo : item
    }
    // Stereo is spread over more speakers, or not, as the server's owner configured it.
    guard item.count > 2, let sink, isPlaced(sink) else { return item }
    return sink
  }

  /// Whether each channel has a place of its own; those of a studio's interface have none.
  private static func isPlaced(_ sink: [ChannelPosition]) -> Bool {
    !sink.isEmpty && !sink.contains(.unknown) && Set(sink).count == sink.count
  }
}

extension ChannelMap {
  /// Where the channels of a server's map are heard.
  static func positions(of map: pa_channel_map) -> [ChannelPosition] {
    let count = min(Int(map.channels), Int(PA_CHANNELS_MAX))
    return withUnsafeBytes(of: map.map) { bytes in
      bytes.bindMemory(to: pa_channel_position_t.self).prefix(count).map { place in
        if place == PA_CHANNEL_POSITION_MONO { return .frontCenter }
        return ChannelPosition.allCases.first { $0 != .unknown && position($0) == place } ?? .unknown
      }
    }
  }
}
