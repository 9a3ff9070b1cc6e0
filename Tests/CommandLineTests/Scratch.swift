import Foundation
import TestSupport

/// A folder of one test, gone with it, and the media of the repository.
final class Scratch {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "vplay-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  static let clip = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Samples/Media/clip.mov").path

  subscript(name: String) -> String { path + "/" + name }

  /// The player with these arguments.
  func player(
    _ arguments: String..., terminal: PlayerProcess.Terminal = .none, environment: [String: String] = [:]
  ) throws -> PlayerProcess {
    try PlayerProcess(arguments.map { Array($0.utf8) }, terminal: terminal, environment: environment)
  }

  /// A shell's script, in this folder, with the player as `$vplay`.
  func shell(_ script: String, terminal: PlayerProcess.Terminal = .none) throws -> PlayerProcess {
    try PlayerProcess(
      command: "bash", [Array("-c".utf8), Array("cd '\(path)'; \(script)".utf8)], terminal: terminal,
      environment: ["vplay": PlayerProcess.executable])
  }
}
