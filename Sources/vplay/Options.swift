/// What the command line asks for.
struct Options: Equatable {
  enum Action: Equatable {
    case play
    case showHelp
    case showVersion
    case listDevices
  }

  enum Passes: Equatable {
    case times(Int)
    case forever
  }

  enum Output: Equatable {
    case auto
    case pulse
    case null
    /// A WAV file at this path, in its exact bytes.
    case wav([UInt8])
  }

  var action = Action.play
  var inputs: [Input] = []
  var isMuted = false
  /// Linear, 0…1.
  var volume = 1.0
  var passes = Passes.times(1)
  var start: TimeArgument?
  var end: TimeArgument?
  var output = Output.auto
  var device: String?
  var isQuiet = false
}
