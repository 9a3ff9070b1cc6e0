/// How the process's sound is to live with others'.
struct SessionConfiguration: Sendable, Equatable {
  var category = AVAudioSession.Category.soloAmbient
  var mode = AVAudioSession.Mode.default
  var options: AVAudioSession.CategoryOptions = []
  var isActive = false
}
