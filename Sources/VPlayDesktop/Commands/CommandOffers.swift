import Foundation

/// What the desktop may do now, read from the commands.
struct CommandOffers: Sendable, Equatable {
  var canPlay: Bool
  var canPause: Bool
  var canGoNext: Bool
  var canGoPrevious: Bool
  var canSeek: Bool
  var canRaise: Bool
  var canQuit: Bool
  var repeatType: MPRepeatType
  var isShuffled: Bool
  var volume: Float
  var minimumRate: Double
  var maximumRate: Double

  init(_ commands: MPRemoteCommandCenter) {
    let canToggle = commands.togglePlayPauseCommand.isOffered
    canPlay = canToggle || commands.playCommand.isOffered
    canPause = canToggle || commands.pauseCommand.isOffered
    canGoNext = commands.nextTrackCommand.isOffered
    canGoPrevious = commands.previousTrackCommand.isOffered
    canSeek =
      commands.changePlaybackPositionCommand.isOffered
      || (commands.skipForwardCommand.isOffered && commands.skipBackwardCommand.isOffered)
    canRaise = commands.raiseCommand.isOffered
    canQuit = commands.quitCommand.isOffered
    repeatType = commands.changeRepeatModeCommand.currentRepeatType
    isShuffled = commands.changeShuffleModeCommand.currentShuffleType != .off
    volume = commands.changeVolumeCommand.currentVolume
    let rates =
      commands.changePlaybackRateCommand.isOffered
      ? commands.changePlaybackRateCommand.supportedPlaybackRates.map(\.doubleValue)
        .filter { $0 > 0 && $0.isFinite } : []
    minimumRate = min(rates.min() ?? 1, 1)
    maximumRate = max(rates.max() ?? 1, 1)
  }
}
