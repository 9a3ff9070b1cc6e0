/// What a sound track may claim to be. Past this it is damage, and would only cost memory.
enum SoundLimits {
  /// DSD1024, decoded to PCM.
  static let highestRate = 5_644_800
  /// Ambisonics of the seventh order.
  static let mostChannels = 64
  /// All channels' samples a second: 64 channels at 192 kHz.
  static let mostSamplesPerSecond = 64 * 192_000

  static func accept(rate: Int, channels: Int) -> Bool {
    (1...highestRate).contains(rate) && (1...mostChannels).contains(channels)
      && rate * channels <= mostSamplesPerSecond
  }
}
