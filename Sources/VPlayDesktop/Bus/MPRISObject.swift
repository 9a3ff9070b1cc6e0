import Foundation
import Glibc

/// Answers for MPRIS's object: properties from the centre, calls to its commands. On the bus thread.
final class MPRISObject: BusObject {
  private let center: DesktopCenter

  init(center: DesktopCenter) {
    self.center = center
  }

  func property(_ name: String, of interface: String) -> BusValue? {
    if name == "Position" {
      return .int64(PlaybackPosition.microseconds(center.snapshot().position))
    }
    return center.snapshot().properties.values[interface]?[name]
  }

  func call(_ member: String, on interface: String, with arguments: BusMessage) -> Int32 {
    let commands = center.commands
    let isPlaying = center.snapshot().properties.isPlaying
    switch member {
    case "Raise": send(commands.raiseCommand)
    case "Quit": send(commands.quitCommand)
    case "Next": send(commands.nextTrackCommand)
    case "Previous": send(commands.previousTrackCommand)
    case "Play": play(commands, isPlaying)
    case "Pause": pause(commands, isPlaying)
    case "PlayPause":
      if commands.togglePlayPauseCommand.isOffered {
        send(commands.togglePlayPauseCommand)
      } else if isPlaying {
        pause(commands, isPlaying)
      } else {
        play(commands, isPlaying)
      }
    case "Stop":
      if commands.stopCommand.isOffered { send(commands.stopCommand) } else { pause(commands, isPlaying) }
    case "Seek":
      guard let offset = arguments.int64() else { return -EINVAL }
      seek(bySeconds: Double(offset) / 1e6)
    case "SetPosition":
      guard let track = arguments.objectPath(), let position = arguments.int64() else { return -EINVAL }
      setPosition(track: track, seconds: Double(position) / 1e6)
    default: return -ENOTSUP
    }
    return 0
  }

  func set(_ name: String, of interface: String, to value: BusMessage) -> Int32 {
    let commands = center.commands
    switch name {
    case "LoopStatus":
      guard let type = value.string().flatMap(MPRISProperties.repeatType) else { return -EINVAL }
      let command = commands.changeRepeatModeCommand
      send(command, MPChangeRepeatModeCommandEvent(command, repeatType: type))
    case "Shuffle":
      guard let isShuffled = value.bool() else { return -EINVAL }
      let command = commands.changeShuffleModeCommand
      send(command, MPChangeShuffleModeCommandEvent(command, shuffleType: isShuffled ? .items : .off))
    case "Volume":
      guard let volume = value.double(), !volume.isNaN else { return -EINVAL }
      let command = commands.changeVolumeCommand
      send(command, MPChangeVolumeCommandEvent(command, volume: Float(min(max(volume, 0), 1))))
    case "Rate":
      guard let rate = value.double(), rate.isFinite else { return -EINVAL }
      setRate(rate)
    default: return -ENOTSUP
    }
    return 0
  }

  // MARK: -

  private func send(_ command: MPRemoteCommand, _ event: MPRemoteCommandEvent? = nil) {
    guard command.isOffered else { return }
    let event = event ?? MPRemoteCommandEvent(command)
    center.callbackQueue().async { command.perform(event) }
  }

  // With a command that toggles alone, it must not undo what is so already.
  private func play(_ commands: MPRemoteCommandCenter, _ isPlaying: Bool) {
    if commands.playCommand.isOffered {
      send(commands.playCommand)
    } else if !isPlaying {
      send(commands.togglePlayPauseCommand)
    }
  }

  private func pause(_ commands: MPRemoteCommandCenter, _ isPlaying: Bool) {
    if commands.pauseCommand.isOffered {
      send(commands.pauseCommand)
    } else if isPlaying {
      send(commands.togglePlayPauseCommand)
    }
  }

  /// Before the start means the start, past the end the next track (specification, "Seek").
  private func seek(bySeconds offset: Double) {
    let commands = center.commands
    let snapshot = center.snapshot()
    guard let duration = snapshot.properties.info?.duration else { return }
    let target = snapshot.position + offset
    if target > duration {
      send(commands.nextTrackCommand)
    } else if commands.changePlaybackPositionCommand.isOffered {
      let command = commands.changePlaybackPositionCommand
      send(command, MPChangePlaybackPositionCommandEvent(command, positionTime: max(target, 0)))
    } else {
      let command = offset < 0 ? commands.skipBackwardCommand : commands.skipForwardCommand
      send(command, MPSkipIntervalCommandEvent(command, interval: abs(offset)))
    }
  }

  /// Ignored for a track that is no longer the current one, and outside of it (specification, "SetPosition").
  private func setPosition(track: String, seconds: Double) {
    let properties = center.snapshot().properties
    guard track == properties.trackID, let duration = properties.info?.duration, seconds >= 0,
      seconds <= duration
    else { return }
    let command = center.commands.changePlaybackPositionCommand
    send(command, MPChangePlaybackPositionCommandEvent(command, positionTime: seconds))
  }

  /// 0 means a pause (specification, "Rate").
  private func setRate(_ rate: Double) {
    let commands = center.commands
    let snapshot = center.snapshot().properties
    guard rate != 0 else { return pause(commands, snapshot.isPlaying) }
    let command = commands.changePlaybackRateCommand
    let clamped = min(max(rate, snapshot.offers.minimumRate), snapshot.offers.maximumRate)
    send(command, MPChangePlaybackRateCommandEvent(command, playbackRate: Float(clamped)))
  }
}
