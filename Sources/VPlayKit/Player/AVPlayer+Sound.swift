import VPlayModel

extension AVPlayer {
  /// The player's own volume, a linear factor: 1 is full, 0.5 is −6.0 dB. Clamped to 0…1; NaN is ignored.
  ///
  /// Heard is 0 while the player or the process (``AVAudioSession/setOutputMuted(_:)``) is muted, else this; muting
  /// changes no volume. A change is heard within 45 ms, as a ramp of 5 ms.
  public var volume: Float {
    get {
      core.observations.access(.volume)
      return core.read { $0.volume }
    }
    set {
      core.state.withLock { state in
        state.volume = HeardGain.volume(newValue, from: state.volume)
        core.pushGain(&state)
      }
      core.observations.report(.volume)
    }
  }

  /// Whether this player is muted. See ``volume``.
  ///
  /// A player that is muted, or at volume 0, before its first item opens no stream on the sound server, nor connects to
  /// it, before it is to be heard.
  public var isMuted: Bool {
    get {
      core.observations.access(.isMuted)
      return core.read { $0.isMuted }
    }
    set {
      core.state.withLock { state in
        state.isMuted = newValue
        core.pushGain(&state)
      }
      core.observations.report(.isMuted)
    }
  }

  /// Where the sound goes. Can be set until the first play; later it is ignored. VPlay's own.
  public var audioOutput: AudioOutput {
    get { core.read { $0.output } }
    set { core.setOutput(newValue) }
  }

  /// The output device by the sound server's name of it; nil, the default, for the one of ``audioOutput``. Can be changed
  /// while playing. See ``AudioOutput/devices()``.
  public var audioOutputDeviceUniqueID: String? {
    get { core.read { $0.deviceID } }
    set { core.setDevice(newValue) }
  }
}
