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
    /// Connectors with nothing plugged in.
    package var unpluggedPorts: Set<String>

    package init(
      name: String, description: String, rate: Int, channelCount: Int, volume: Float = 1, isMuted: Bool = false,
      isSuspended: Bool = false, latencySeconds: Double = 0, port: String? = nil, unpluggedPorts: Set<String> = []
    ) {
      self.name = name
      self.description = description
      self.rate = rate
      self.channelCount = channelCount
      self.volume = volume
      self.isMuted = isMuted
      self.isSuspended = isSuspended
      self.latencySeconds = latencySeconds
      self.port = port
      self.unpluggedPorts = unpluggedPorts
    }
  }

  package var isConnected = false
  /// The name of the output that is used where none is asked for.
  package var defaultOutput: String?
  /// By the server's index.
  package var outputs: [UInt32: Output] = [:]
  /// Streams of sound, by the server's index.
  package var inputs: [UInt32: Input] = [:]

  /// A stream.
  package struct Input: Sendable, Equatable {
    /// The server's index of the output on which it is heard.
    package var output: UInt32
    /// It is this process's.
    package var isOurs: Bool
    /// It is a call.
    package var isCall: Bool
    /// It is heard now, as loud as it may be.
    package var isRunning: Bool
    /// A volume a channel, in the server's own measure.
    package var volumes: [UInt32]

    package init(output: UInt32, isOurs: Bool, isCall: Bool, isRunning: Bool, volumes: [UInt32] = []) {
      self.volumes = volumes
      self.output = output
      self.isOurs = isOurs
      self.isCall = isCall
      self.isRunning = isRunning
    }
  }

  package init() {}

  /// A call of another process sounds.
  package var hasCall: Bool { inputs.values.contains { $0.isCall && !$0.isOurs && $0.isRunning } }

  /// Something of another process sounds.
  package var hasOthersSound: Bool { inputs.values.contains { !$0.isOurs && $0.isRunning } }

  /// The output on which this process is heard; the default one while it is silent.
  package var route: Output? {
    let ours = inputs.filter { $0.value.isOurs }.sorted { $0.key < $1.key }.map(\.value)
    let input = ours.last { $0.isRunning } ?? ours.last
    return input.flatMap { outputs[$0.output] } ?? output(named: defaultOutput)
  }

  package func output(named name: String?) -> Output? {
    outputs.values.first { $0.name == name }
  }
}
