internal import CVPlayFFmpeg
internal import VPlayModel

extension AVChannelLayout {
  /// Where each channel is heard. A layout that does not say is taken as FFmpeg's default one for its count.
  var positions: [ChannelPosition] {
    let count = Int(nb_channels)
    guard count > 0 else { return [] }
    if order != AV_CHANNEL_ORDER_UNSPEC {
      let positions = named
      if positions.contains(where: { $0 != .unknown }) { return positions }
    }
    var standard = AVChannelLayout()
    av_channel_layout_default(&standard, nb_channels)
    defer { av_channel_layout_uninit(&standard) }
    return standard.order == AV_CHANNEL_ORDER_NATIVE
      ? standard.named : Array(repeating: .unknown, count: count)
  }

  private var named: [ChannelPosition] {
    withUnsafePointer(to: self) { layout in
      (0..<UInt32(nb_channels)).map { index in
        ChannelPosition(channel: av_channel_layout_channel_from_index(layout, index))
      }
    }
  }
}

extension ChannelPosition {
  init(channel: AVChannel) {
    switch channel {
    // Stereo downmixes travel as left and right.
    case AV_CHAN_STEREO_LEFT: self = .frontLeft
    case AV_CHAN_STEREO_RIGHT: self = .frontRight
    case AV_CHAN_LOW_FREQUENCY_2: self = .unknown
    default:
      let number = UInt8(exactly: channel.rawValue)
      self = number.flatMap(ChannelPosition.init(rawValue:)) ?? .unknown
    }
  }
}
