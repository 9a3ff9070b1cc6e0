/// What a sound server has, as it last told.
package struct PulseServerState: Sendable, Equatable {
  /// An output.
  package struct Output: Sendable, Equatable {
    package var name: String
    /// For people.
    package var description: String
    /// Frames a second.
    package var rate: Int
    package var channelCount: Int
    /// The loudest channel's volume as mixers show it: 1 is full, more is amplified.
    package var volume: Float
    package var isMuted: Bool
    package var isSuspended: Bool
    /// From writing to hearing, in seconds, as far as the server knows.
    package var latencySeconds: Double
    /// The connector in use (headphones, speakers), where the device has several.
    package var port: String?
  }

  package var isConnected = false
  /// The name of the output that is used where none is asked for.
  package var defaultOutput: String?
  /// By the server's index.
  package var outputs: [UInt32: Output] = [:]
  /// Indices of streams of others that are calls and sound now. Kept on PipeWire, which asks nobody to make way.
  package var calls: Set<UInt32> = []

  package func output(named name: String?) -> Output? {
    outputs.values.first { $0.name == name }
  }
}
