public import Foundation

public enum AudioOutput: Hashable, Sendable {
  case automatic
  case pulse(device: String?)
  case null
  case waveFile(URL)

  public struct Device: Hashable, Sendable {
    /// The sink's name, as `AVPlayer.audioOutputDeviceUniqueID` and `.pulse(device:)` take it.
    public var uniqueID: String
    /// For people.
    public var localizedName: String
    public var isDefault: Bool
  }

  /// Asks the sound server; waits for its answer. Throws `AVError`.
  public static func devices() throws -> [Device] { [] }
}
