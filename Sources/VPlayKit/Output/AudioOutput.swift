public import Foundation
import VPlayModel
import VPlayPulse

/// Where a player's sound goes. VPlay's own; see ``AVPlayer/audioOutput``.
public enum AudioOutput: Hashable, Sendable {
  /// The sound server's default output.
  case automatic
  /// An output of the sound server by its name, nil for the default one.
  case pulse(device: String?)
  /// Nowhere, at the pace of the clock.
  case null
  /// Into a WAV file, as fast as it goes. The file is made when the first sound comes, and holds what this process
  /// plays into the same URL, one after the other.
  case waveFile(URL)

  /// An output device of the sound server.
  public struct Device: Hashable, Sendable {
    /// The server's name of it, which ``AVPlayer/audioOutputDeviceUniqueID`` and ``AudioOutput/pulse(device:)`` take.
    public var uniqueID: String
    /// Its name for people.
    public var localizedName: String
    /// Whether the server uses it where nothing else is asked.
    public var isDefault: Bool

    public init(uniqueID: String, localizedName: String, isDefault: Bool) {
      self.uniqueID = uniqueID
      self.localizedName = localizedName
      self.isDefault = isDefault
    }
  }

  /// The output devices of the sound server, the default one first.
  ///
  /// Waits for the server's answer, two seconds at most. Any thread.
  /// - Throws: ``AVError``, `.mediaServicesWereReset` when no server answers.
  public static func devices() throws -> [Device] {
    do {
      return try Outputs.pulse().devices(cancellation: SinkCancellation()).map {
        Device(uniqueID: $0.name, localizedName: $0.description, isDefault: $0.isDefault)
      }
    } catch {
      throw AVError(error)
    }
  }
}

extension AudioOutput {
  /// The device that it names.
  var device: String? {
    if case .pulse(let device) = self { return device }
    return nil
  }
}
