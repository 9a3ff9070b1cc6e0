public import Foundation

/// What a handler is called with, as Apple's
/// [MPRemoteCommandEvent](https://developer.apple.com/documentation/mediaplayer/mpremotecommandevent).
// Safe to share: its stored properties, and those of all that inherit from it here, are `let` of Sendable types.
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
  /// The command that was asked for.
  public let command: MPRemoteCommand
  /// When, in seconds since the system started.
  public let timestamp: TimeInterval

  init(_ command: MPRemoteCommand) {
    self.command = command
    timestamp = ProcessInfo.processInfo.systemUptime
  }
}

/// Asks to skip.
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// Seconds, 0 or more.
  public let interval: TimeInterval

  init(_ command: MPRemoteCommand, interval: TimeInterval) {
    self.interval = interval
    super.init(command)
  }
}

/// Asks for another position.
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// Seconds from the item's start, from 0 to its length.
  public let positionTime: TimeInterval

  init(_ command: MPRemoteCommand, positionTime: TimeInterval) {
    self.positionTime = positionTime
    super.init(command)
  }
}

/// Asks for another rate.
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// Above 0, within the command's supported rates.
  public let playbackRate: Float

  init(_ command: MPRemoteCommand, playbackRate: Float) {
    self.playbackRate = playbackRate
    super.init(command)
  }
}

/// Asks for something else, or nothing, to be repeated.
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  public let repeatType: MPRepeatType
  /// Whether it is to outlast this session; false here.
  public let preservesRepeatMode = false

  init(_ command: MPRemoteCommand, repeatType: MPRepeatType) {
    self.repeatType = repeatType
    super.init(command)
  }
}

/// Asks for something else, or nothing, to be shuffled.
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  public let shuffleType: MPShuffleType
  /// Whether it is to outlast this session; false here.
  public let preservesShuffleMode = false

  init(_ command: MPRemoteCommand, shuffleType: MPShuffleType) {
    self.shuffleType = shuffleType
    super.init(command)
  }
}

/// Asks for another volume of the player. VPlay's own.
public final class MPChangeVolumeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// A linear factor from 0 to 1.
  public let volume: Float

  init(_ command: MPRemoteCommand, volume: Float) {
    self.volume = volume
    super.init(command)
  }
}
