import CVPlayPulse
import VPlayModel

/// The server's names for a format's channels.
///
/// The server drops an `aux` channel when its sink has none, so channels whose place is not known get the places of the
/// usual layout of their number, or else one that is still free.
enum ChannelMap {
  /// Nil when there are more channels than the server knows (`PA_CHANNELS_MAX`).
  static func make(_ channels: [ChannelPosition]) -> pa_channel_map? {
    guard (1...Int(PA_CHANNELS_MAX)).contains(channels.count) else { return nil }
    let positions = positions(channels)
    var map = pa_channel_map()
    pa_channel_map_init(&map)
    map.channels = UInt8(positions.count)
    withUnsafeMutableBytes(of: &map.map) { bytes in
      let places = bytes.bindMemory(to: pa_channel_position_t.self)
      for (index, position) in positions.enumerated() { places[index] = position }
    }
    return pa_channel_map_valid(&map) != 0 ? map : nil
  }

  /// One position a channel, none twice; for up to 32 channels.
  static func positions(_ channels: [ChannelPosition]) -> [pa_channel_position_t] {
    if channels.count == 1, channels[0] == .frontCenter || channels[0] == .unknown {
      return [PA_CHANNEL_POSITION_MONO]
    }
    if channels.allSatisfy({ $0 == .unknown }), let usual = usualLayouts[channels.count] {
      return usual.map(position)
    }
    let named = Set(channels)
    var free = fillOrder.filter { !named.contains($0) }.map(position)
    free += (0..<32).map { pa_channel_position_t(PA_CHANNEL_POSITION_AUX0.rawValue + $0) }
    var seen: Set<ChannelPosition> = []
    return channels.map { channel in
      channel == .unknown || !seen.insert(channel).inserted ? free.removeFirst() : position(channel)
    }
  }

  private static let usualLayouts: [Int: [ChannelPosition]] = [
    2: [.frontLeft, .frontRight],
    3: [.frontLeft, .frontRight, .frontCenter],
    4: [.frontLeft, .frontRight, .backLeft, .backRight],
    5: [.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight],
    6: [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight],
    8: [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight,
    ],
  ]

  /// Without the low frequency channel, which servers leave out of a downmix.
  private static let fillOrder: [ChannelPosition] = [
    .frontLeft, .frontRight, .frontCenter, .backLeft, .backRight, .sideLeft, .sideRight, .backCenter,
    .frontLeftOfCenter, .frontRightOfCenter, .topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight,
    .topFrontCenter, .topBackCenter, .topCenter,
  ]

  static func position(_ channel: ChannelPosition) -> pa_channel_position_t {
    switch channel {
    case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
    case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
    case .frontCenter: PA_CHANNEL_POSITION_FRONT_CENTER
    case .lowFrequency: PA_CHANNEL_POSITION_LFE
    case .backLeft: PA_CHANNEL_POSITION_REAR_LEFT
    case .backRight: PA_CHANNEL_POSITION_REAR_RIGHT
    case .frontLeftOfCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
    case .frontRightOfCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
    case .backCenter: PA_CHANNEL_POSITION_REAR_CENTER
    case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
    case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
    case .topCenter: PA_CHANNEL_POSITION_TOP_CENTER
    case .topFrontLeft: PA_CHANNEL_POSITION_TOP_FRONT_LEFT
    case .topFrontCenter: PA_CHANNEL_POSITION_TOP_FRONT_CENTER
    case .topFrontRight: PA_CHANNEL_POSITION_TOP_FRONT_RIGHT
    case .topBackLeft: PA_CHANNEL_POSITION_TOP_REAR_LEFT
    case .topBackCenter: PA_CHANNEL_POSITION_TOP_REAR_CENTER
    case .topBackRight: PA_CHANNEL_POSITION_TOP_REAR_RIGHT
    case .unknown: PA_CHANNEL_POSITION_AUX0
    }
  }
}
