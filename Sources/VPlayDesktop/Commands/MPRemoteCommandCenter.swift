public import Foundation

/// What the desktop may ask this process for: by media keys, panels, headsets, `playerctl`.
///
/// As Apple's [MPRemoteCommandCenter](https://developer.apple.com/documentation/mediaplayer/mpremotecommandcenter), on
/// MPRIS's player interface. All calls may come from any thread.
// Safe to share: its stored properties are `let` of Sendable types.
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
  public let playCommand: MPRemoteCommand
  public let pauseCommand: MPRemoteCommand
  public let togglePlayPauseCommand: MPRemoteCommand
  public let stopCommand: MPRemoteCommand
  public let nextTrackCommand: MPRemoteCommand
  public let previousTrackCommand: MPRemoteCommand
  public let skipForwardCommand: MPSkipIntervalCommand
  public let skipBackwardCommand: MPSkipIntervalCommand
  public let changePlaybackPositionCommand: MPChangePlaybackPositionCommand
  public let changePlaybackRateCommand: MPChangePlaybackRateCommand
  public let changeRepeatModeCommand: MPChangeRepeatModeCommand
  public let changeShuffleModeCommand: MPChangeShuffleModeCommand
  /// VPlay's own: moves the player's volume.
  public let changeVolumeCommand: MPChangeVolumeCommand
  /// VPlay's own: brings the application to the front.
  public let raiseCommand: MPRemoteCommand
  /// VPlay's own: ends the application.
  public let quitCommand: MPRemoteCommand

  init(changed: @escaping @Sendable () -> Void) {
    playCommand = MPRemoteCommand(changed: changed)
    pauseCommand = MPRemoteCommand(changed: changed)
    togglePlayPauseCommand = MPRemoteCommand(changed: changed)
    stopCommand = MPRemoteCommand(changed: changed)
    nextTrackCommand = MPRemoteCommand(changed: changed)
    previousTrackCommand = MPRemoteCommand(changed: changed)
    skipForwardCommand = MPSkipIntervalCommand(changed: changed)
    skipBackwardCommand = MPSkipIntervalCommand(changed: changed)
    changePlaybackPositionCommand = MPChangePlaybackPositionCommand(changed: changed)
    changePlaybackRateCommand = MPChangePlaybackRateCommand(changed: changed)
    changeRepeatModeCommand = MPChangeRepeatModeCommand(changed: changed)
    changeShuffleModeCommand = MPChangeShuffleModeCommand(changed: changed)
    changeVolumeCommand = MPChangeVolumeCommand(changed: changed)
    raiseCommand = MPRemoteCommand(changed: changed)
    quitCommand = MPRemoteCommand(changed: changed)
  }

  /// The one centre of the process.
  open class func shared() -> MPRemoteCommandCenter { DesktopCenter.shared.commands }
}
