import Foundation
import TestSupport
import Testing

@testable import VPlayDesktop

/// As a desktop's own tools see it, on a private session bus.
struct BusTests {
  @Test func `playerctl reads everything`() throws {
    let rig = try DesktopRig("reads")
    rig.listen(rig.commands.playCommand, rig.commands.pauseCommand, rig.commands.nextTrackCommand)
    rig.commands.changeRepeatModeCommand.currentRepeatType = .all
    rig.commands.changeVolumeCommand.currentVolume = 0.25
    var track = DesktopRig.track("Größe \u{1F3B5}", elapsed: 12, rate: 0)
    track[MPMediaItemPropertyArtist] = "Somebody"
    try rig.appear(track)
    #expect(try rig.playerctl("status") == "Paused")
    #expect(try rig.playerctl("metadata", "xesam:title") == "Größe \u{1F3B5}")
    #expect(try rig.playerctl("metadata", "artist") == "Somebody")
    #expect(try rig.playerctl("metadata", "mpris:length") == "100000000")
    #expect(try rig.playerctl("position") == "12.000000")
    #expect(try rig.playerctl("loop") == "Playlist")
    #expect(try rig.playerctl("shuffle") == "Off")
    #expect(try rig.playerctl("volume") == "0.250000")
    #expect(try rig.property("CanGoNext") == "(<true>,)")
    #expect(try rig.property("CanGoPrevious") == "(<false>,)")
    #expect(try rig.property("Identity", interface: MPRISProperties.root) == "(<'reads'>,)")
  }

  @Test func `playerctl drives every command`() async throws {
    let rig = try DesktopRig("drives")
    let commands = rig.commands
    rig.listen(
      commands.playCommand, commands.pauseCommand, commands.togglePlayPauseCommand, commands.stopCommand,
      commands.nextTrackCommand, commands.previousTrackCommand, commands.changePlaybackPositionCommand,
      commands.changeRepeatModeCommand, commands.changeShuffleModeCommand, commands.changeVolumeCommand)
    try rig.appear(DesktopRig.track("Drive", elapsed: 20, rate: 0))
    var events = rig.events.makeAsyncIterator()
    func next(_ arguments: String...) async throws -> MPRemoteCommandEvent {
      _ = try rig.bus.run(["playerctl", "-p", String(rig.busName.dropFirst(23))] + arguments)
      return try #require(await events.next())
    }
    #expect(try await next("play").command === commands.playCommand)
    #expect(try await next("pause").command === commands.pauseCommand)
    #expect(try await next("play-pause").command === commands.togglePlayPauseCommand)
    #expect(try await next("stop").command === commands.stopCommand)
    #expect(try await next("next").command === commands.nextTrackCommand)
    #expect(try await next("previous").command === commands.previousTrackCommand)
    #expect(try await (next("position", "42") as? MPChangePlaybackPositionCommandEvent)?.positionTime == 42)
    #expect(try await (next("position", "5-") as? MPChangePlaybackPositionCommandEvent)?.positionTime == 15)
    #expect(try await (next("loop", "Track") as? MPChangeRepeatModeCommandEvent)?.repeatType == .one)
    #expect(try await (next("shuffle", "On") as? MPChangeShuffleModeCommandEvent)?.shuffleType == .items)
    #expect(try await (next("volume", "0.5") as? MPChangeVolumeCommandEvent)?.volume == 0.5)
  }

  @Test func `changes are told once, and positions only when they jump`() throws {
    let rig = try DesktopRig("signals")
    try rig.appear(DesktopRig.track("One", elapsed: 10, rate: 0))
    let signals = try rig.signals()
    rig.info.nowPlayingInfo = DesktopRig.track("One", elapsed: 10.1, rate: 0)
    rig.info.nowPlayingInfo = DesktopRig.track("One", elapsed: 50, rate: 0)
    #expect(try signals.next() == .seeked(50_000_000))
    rig.listen(rig.commands.nextTrackCommand)
    #expect(try signals.next() == .changed(["CanGoNext"]))
    rig.info.playbackState = .playing
    #expect(try signals.next() == .changed(["PlaybackStatus"]))
    rig.info.nowPlayingInfo = DesktopRig.track("Two", elapsed: 0)
    #expect(try signals.next() == .changed(["Metadata"]))
    rig.info.nowPlayingInfo = DesktopRig.track("Two", elapsed: 30)
    #expect(try signals.next() == .seeked(30_000_000))
    rig.info.nowPlayingInfo = nil
    #expect(try signals.next() == .changed(["Metadata"]))
  }

  @Test func `a position for another track, or outside of this one, is ignored`() async throws {
    let rig = try DesktopRig("stale")
    rig.listen(rig.commands.changePlaybackPositionCommand, rig.commands.nextTrackCommand)
    try rig.appear(DesktopRig.track("Old"))
    rig.info.nowPlayingInfo = DesktopRig.track("New", rate: 0)
    _ = try rig.call("SetPosition", "/vplay/track/1", "5000000")
    _ = try rig.call("SetPosition", "/vplay/track/2", "--", "-1")
    _ = try rig.call("SetPosition", "/vplay/track/2", "100000001")
    _ = try rig.call("SetPosition", "/vplay/track/2", "6000000")
    var events = rig.events.makeAsyncIterator()
    #expect((await events.next() as? MPChangePlaybackPositionCommandEvent)?.positionTime == 6)
    // Past the end is the next track, before the start is the start.
    _ = try rig.call("Seek", "200000000")
    #expect(await events.next()?.command === rig.commands.nextTrackCommand)
    _ = try rig.call("Seek", "--", "-9223372036854775808")
    #expect((await events.next() as? MPChangePlaybackPositionCommandEvent)?.positionTime == 0)
  }

  @Test func `rates are clamped, and 0 pauses`() async throws {
    let rig = try DesktopRig("rates")
    rig.commands.changePlaybackRateCommand.supportedPlaybackRates = [0.5, 1, 2]
    rig.listen(rig.commands.changePlaybackRateCommand, rig.commands.pauseCommand)
    try rig.appear(DesktopRig.track("Rate"))
    #expect(try rig.property("MaximumRate") == "(<2.0>,)")
    var events = rig.events.makeAsyncIterator()
    try rig.set("Rate", "<9.0>")
    #expect((await events.next() as? MPChangePlaybackRateCommandEvent)?.playbackRate == 2)
    try rig.set("Rate", "<0.0>")
    #expect(await events.next()?.command === rig.commands.pauseCommand)
  }

  @Test(arguments: [
    ["Seek", "'x'"], ["SetPosition", "'/a'"], ["OpenUri", "'file:///x'"], ["Nothing"], ["Play", "1"],
  ])
  func `a wrong call is refused`(_ call: [String]) throws {
    let rig = try DesktopRig("wrong\(call[0])")
    try rig.appear(DesktopRig.track("Wrong"))
    #expect(throws: (any Error).self) {
      try rig.bus.run(
        ["gdbus", "call", "--session", "-d", rig.busName, "-o", "/org/mpris/MediaPlayer2"]
          + ["-m", "\(MPRISProperties.player).\(call[0])"] + call.dropFirst())
    }
    #expect(throws: (any Error).self) { try rig.set("Volume", "<'loud'>") }
    #expect(throws: (any Error).self) { try rig.set("Volume", "<nan>") }
    #expect(throws: (any Error).self) { try rig.set("LoopStatus", "<'Twice'>") }
    #expect(throws: (any Error).self) { try rig.set("CanSeek", "<true>") }
    #expect(try rig.playerctl("status") == "Playing")
  }

  @Test func `the whole interface can be seen`() throws {
    let rig = try DesktopRig("introspect")
    try rig.appear(DesktopRig.track("Seen"))
    let text = try rig.bus.run([
      "gdbus", "introspect", "--session", "-d", rig.busName, "-o", "/org/mpris/MediaPlayer2",
    ])
    // MPRIS 2.2, "org.mpris.MediaPlayer2" and "org.mpris.MediaPlayer2.Player".
    for member in [
      "Raise()", "Quit()", "b CanQuit", "b CanRaise", "b HasTrackList", "s Identity", "as SupportedUriSchemes",
      "as SupportedMimeTypes", "Next()", "Previous()", "Pause()", "PlayPause()", "Stop()", "Play()",
      "Seek(in  x Offset)", "SetPosition(in  o TrackId", "OpenUri(in  s Uri)", "Seeked(x Position)",
      "s PlaybackStatus", "readwrite s LoopStatus", "readwrite d Rate", "readwrite b Shuffle", "a{sv} Metadata",
      "readwrite d Volume", "x Position", "d MinimumRate", "d MaximumRate", "b CanGoNext", "b CanGoPrevious",
      "b CanPlay", "b CanPause", "b CanSeek", "b CanControl",
    ] { #expect(text.contains(member), "\(member)") }
  }

  @Test func `a command that toggles alone does not undo what is so`() async throws {
    let rig = try DesktopRig("toggle")
    rig.listen(rig.commands.togglePlayPauseCommand, rig.commands.nextTrackCommand)
    try rig.appear(DesktopRig.track("Toggle"))
    _ = try rig.call("Play")
    _ = try rig.call("Next")
    var events = rig.events.makeAsyncIterator()
    #expect(await events.next()?.command === rig.commands.nextTrackCommand)
    _ = try rig.call("Pause")
    #expect(await events.next()?.command === rig.commands.togglePlayPauseCommand)
  }

  @Test func `a command that is disabled or has no target is not called`() async throws {
    let rig = try DesktopRig("disabled")
    rig.listen(rig.commands.nextTrackCommand, rig.commands.previousTrackCommand)
    rig.commands.nextTrackCommand.isEnabled = false
    try rig.appear(DesktopRig.track("Disabled"))
    _ = try rig.call("Next")
    _ = try rig.call("Previous")
    var events = rig.events.makeAsyncIterator()
    #expect(await events.next()?.command === rig.commands.previousTrackCommand)
    rig.commands.previousTrackCommand.removeTarget(nil)
    #expect(try rig.property("CanGoPrevious") == "(<false>,)")
  }
}
