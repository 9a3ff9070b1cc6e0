import VPlayKit

/// How the sound is to live with others', as the command line takes it.
struct SessionWish: Equatable {
  var category = AVAudioSession.Category.playback
  var mode = AVAudioSession.Mode.default
  var options: AVAudioSession.CategoryOptions = []

  static let categories: [(name: String, category: AVAudioSession.Category)] = [
    ("playback", .playback), ("ambient", .ambient), ("soloAmbient", .soloAmbient),
  ]
  static let modes: [(name: String, mode: AVAudioSession.Mode)] = [
    ("default", .default), ("moviePlayback", .moviePlayback), ("spokenAudio", .spokenAudio),
  ]

  /// Nil when the options go with the category.
  var fault: UsageError? {
    guard !options.isEmpty, category != .playback else { return nil }
    let option = options.contains(.duckOthers) ? "--duck-others" : "--mix-with-others"
    return UsageError(option, "it goes with the category playback alone")
  }
}
