import Foundation
import TestSupport
import Testing

/// Which modules know each other. The compiler lets an import through that a dependency of a dependency offers.
struct WallTests {
  /// A module, and those of ours that its files may import.
  static let walls: [String: Set<String>] = [
    "VPlayModel": [],
    "VPlayFFmpeg": ["VPlayModel", "CVPlayFFmpeg"],
    "VPlayPulse": ["VPlayModel", "CVPlayPulse"],
    "VPlaySonic": ["VPlayModel", "CVPlaySonic"],
    "VPlayEngine": ["VPlayModel"],
    "VPlayKit": ["VPlayModel", "VPlayEngine", "VPlayFFmpeg", "VPlayPulse", "VPlaySonic"],
    "VPlayDesktop": ["VPlayModel", "VPlayKit", "CVPlayBus", "CVPlayMPRIS"],
    "VPlayTesting": ["VPlayModel", "VPlayEngine", "VPlayKit"],
    "vplay": ["VPlayKit", "VPlayDesktop", "CVPlayCLI"],
  ]

  static let sources = MediaFixtures.packageRoot.appendingPathComponent("Sources")

  @Test func `every Swift module has its wall`() throws {
    let modules = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    #expect(Set(modules.filter { !$0.hasPrefix("CVPlay") && !$0.hasPrefix(".") }) == Set(Self.walls.keys))
  }

  @Test(arguments: walls.keys.sorted())
  func `a module imports only what it may know`(_ module: String) throws {
    let folder = Self.sources.appendingPathComponent(module)
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index < 2, index + 1 < words.count else { continue }
        let imported = String(words[index + 1].prefix { $0 != "." })
        guard imported.hasPrefix("CVPlay") || imported.hasPrefix("VPlay") else { continue }
        #expect(Self.walls[module]?.contains(imported) == true, "\(file.lastPathComponent): \(imported)")
      }
    }
  }
}
