/// Where a channel is meant to be heard. The order of cases is the order of FFmpeg's `AVChannel` values 0…17.
package enum ChannelPosition: UInt8, Sendable, Hashable, CaseIterable {
  case frontLeft, frontRight, frontCenter, lowFrequency, backLeft, backRight
  case frontLeftOfCenter, frontRightOfCenter, backCenter, sideLeft, sideRight
  case topCenter, topFrontLeft, topFrontCenter, topFrontRight, topBackLeft, topBackCenter, topBackRight
  /// A channel whose place is not known; heard as one more channel.
  case unknown
}

/// A format of PCM: interleaved 32-bit floats, full scale ±1, in the order of `channels`.
package struct AudioFormat: Hashable, Sendable {
  /// Frames a second.
  package var sampleRate: Int
  /// One position a channel, in the order of the samples of a frame.
  package var channels: [ChannelPosition]

  package var channelCount: Int { channels.count }

  package init(sampleRate: Int, channels: [ChannelPosition]) {
    precondition(sampleRate > 0 && !channels.isEmpty, "a format has a rate and channels")
    self.sampleRate = sampleRate
    self.channels = channels
  }

  package static func stereo(_ sampleRate: Int) -> AudioFormat {
    AudioFormat(sampleRate: sampleRate, channels: [.frontLeft, .frontRight])
  }

  package static func mono(_ sampleRate: Int) -> AudioFormat {
    AudioFormat(sampleRate: sampleRate, channels: [.frontCenter])
  }
}
