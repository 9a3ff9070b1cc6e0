/// What the command line asks for.
struct Options: Equatable {
  enum Action: Equatable {
    case play
    case showHelp
    case showVersion
    case listDevices
    case showInfo
    case generate(Document)
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
  /// Media seconds a second, 0.5…2.
  var rate = 1.0
  var passes = Passes.times(1)
  var start: TimeArgument?
  var end: TimeArgument?
  var duration: TimeArgument?
  var isShuffled = false
  var output = Output.auto
  var device: String?
  var session = SessionWish()
  var isQuiet = false
  var isJSON = false
  var showsStatistics = false

  /// Where each input begins and ends, nil being its own beginning or end. Of `--end` and `--duration` the earlier counts.
  var range: (start: TimeArgument?, end: TimeArgument?) {
    let byDuration = duration.map { $0.advanced(by: start) }
    return (start, [end, byDuration].compactMap { $0 }.min())
  }
}
