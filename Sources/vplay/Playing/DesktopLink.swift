import Glibc
import VPlayDesktop
import VPlayKit

/// What the desktop is told of the playback, and asks of it (MPRIS): media keys, panels, `playerctl`. Main thread.
///
/// Nothing happens before something is first heard, so that the bus does not hold up the start.
final class DesktopLink {
  enum Request: Sendable {
    case play, pause, toggle, stop, next, previous, quit
    case seek(toSeconds: Double)
    case rate(Double)
    case volume(Double)
    case loop(Bool)
  }

  /// What a medium says of itself.
  private struct Details: Sendable {
    var track: Int
    var texts: [String: String] = [:]
    var artwork: MPMediaItemArtwork?
  }

  /// Time that is off by more than this has jumped.
  private static let jumpSeconds = 0.3

  private let requests: Inbox<Request>
  private let details: Inbox<Details>
  private var known: Details?
  private var hasCommands = false
  private var hasEnded = false
  /// The last progress told, and when.
  private var told: (progress: Progress, at: ContinuousClock.Instant)?

  init(wake: Wake) {
    requests = Inbox(wake: wake)
    details = Inbox(wake: wake)
  }

  /// Whether a session bus is named, or at its usual place: without one nothing is read, made or started for it.
  private static let hasBus: Bool = {
    let environment = ProcessInfo.processInfo.environment
    if environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false { return true }
    guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
    return access("\(folder)/bus", F_OK) == 0
  }()

  /// What was asked since the last look.
  func take() -> [Request] { requests.take() }

  /// Tells where the playback is, if the desktop cannot know it already.
  func show(_ progress: Progress, of tracks: [Track], rates: ClosedRange<Double>) {
    guard Self.hasBus, !hasEnded, hasCommands || progress.state == .playing, let track = progress.track else { return }
    if !hasCommands { offer(rates) }
    let news = details.take().last { $0.track == track }
    if let news { known = news }
    guard news != nil || isNews(progress) else { return }
    if known?.track != track {
      known = Details(track: track)
      load(tracks[track], number: track)
    }
    told = (progress, .now)
    publish(progress, tracks[track], track)
  }

  /// The program is about to end: a picture that was written for the desktop goes.
  func end() {
    hasEnded = true
    guard hasCommands else { return }
    _ = details.take()
    known = nil
    MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
  }

  private func isNews(_ progress: Progress) -> Bool {
    guard let told else { return true }
    var (old, new) = (told.progress, progress)
    (old.time, new.time) = (0, 0)
    if old != new { return true }
    let passed = (ContinuousClock.now - told.at) / .seconds(1)
    let expected = told.progress.time + (progress.state == .playing ? passed * progress.rate : 0)
    return abs(progress.time - expected) > Self.jumpSeconds
  }

  private func publish(_ progress: Progress, _ track: Track, _ number: Int) {
    let commands = MPRemoteCommandCenter.shared()
    commands.changeVolumeCommand.currentVolume = Float(progress.volume)
    commands.changeRepeatModeCommand.currentRepeatType = progress.isLooping ? .all : .off
    var info: [String: Any] = known?.texts ?? [:]
    info[MPMediaItemPropertyTitle] = progress.title ?? track.shortName
    info[MPMediaItemPropertyArtwork] = known?.artwork
    info[MPMediaItemPropertyPlaybackDuration] = progress.duration
    info[MPNowPlayingInfoPropertyIsLiveStream] = progress.duration == nil
    info[MPNowPlayingInfoPropertyElapsedPlaybackTime] = progress.time
    info[MPNowPlayingInfoPropertyPlaybackRate] = progress.state == .playing ? progress.rate : 0
    info[MPNowPlayingInfoPropertyDefaultPlaybackRate] = progress.rate
    info[MPNowPlayingInfoPropertyPlaybackQueueIndex] = number
    if !track.isStandardInput { info[MPNowPlayingInfoPropertyAssetURL] = track.url }
    let center = MPNowPlayingInfoCenter.default()
    center.playbackState = progress.state == .paused ? .paused : .playing
    center.nowPlayingInfo = info
  }

  // MARK: - What a medium says

  /// Reads the tags of a file on a thread of the library's; of nothing else, which would have to be fetched again.
  private func load(_ track: Track, number: Int) {
    guard track.url.isFileURL, !track.isStandardInput else { return }
    let (url, details) = (track.url, details)
    Task.detached {
      guard let items = try? await AVURLAsset(url: url).load(.commonMetadata) else { return }
      var news = Details(track: number)
      for item in items {
        switch item.commonKey {
        case .commonKeyArtist: news.texts[MPMediaItemPropertyArtist] = item.stringValue
        case .commonKeyAlbumName: news.texts[MPMediaItemPropertyAlbumTitle] = item.stringValue
        case .commonKeyType: news.texts[MPMediaItemPropertyGenre] = item.stringValue
        case .commonKeyArtwork: news.artwork = item.dataValue.flatMap { try? MPMediaItemArtwork(data: $0) }
        default: break
        }
      }
      if !news.texts.isEmpty || news.artwork != nil { details.post(news) }
    }
  }

  // MARK: - What may be asked

  private func offer(_ rates: ClosedRange<Double>) {
    hasCommands = true
    MPNowPlayingInfoCenter.default().setApplication(identity: "VPlay", desktopEntry: nil)
    let commands = MPRemoteCommandCenter.shared()
    answer(commands.playCommand) { _ in .play }
    answer(commands.pauseCommand) { _ in .pause }
    answer(commands.togglePlayPauseCommand) { _ in .toggle }
    answer(commands.stopCommand) { _ in .stop }
    answer(commands.nextTrackCommand) { _ in .next }
    answer(commands.previousTrackCommand) { _ in .previous }
    answer(commands.quitCommand) { _ in .quit }
    answer(commands.changePlaybackPositionCommand) { event in
      (event as? MPChangePlaybackPositionCommandEvent).map { .seek(toSeconds: $0.positionTime) }
    }
    commands.changePlaybackRateCommand.supportedPlaybackRates = [rates.lowerBound, 1, rates.upperBound].map {
      NSNumber(value: $0)
    }
    answer(commands.changePlaybackRateCommand) { event in
      (event as? MPChangePlaybackRateCommandEvent).map { .rate(Double($0.playbackRate)) }
    }
    answer(commands.changeVolumeCommand) { event in
      (event as? MPChangeVolumeCommandEvent).map { .volume(Double($0.volume)) }
    }
    answer(commands.changeRepeatModeCommand) { event in
      (event as? MPChangeRepeatModeCommandEvent).map { .loop($0.repeatType != .off) }
    }
  }

  private func answer(_ command: MPRemoteCommand, _ request: @escaping @Sendable (MPRemoteCommandEvent) -> Request?) {
    let requests = requests
    command.addTarget { event in
      guard let request = request(event) else { return .commandFailed }
      requests.post(request)
      return .success
    }
  }
}
