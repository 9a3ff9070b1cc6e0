import Foundation

/// Text dumps kept in `Tests/Goldens`. `VPLAY_REWRITE_GOLDENS=1` writes them anew.
package enum Golden {
  package struct Difference: Error, CustomStringConvertible {
    package var description: String
  }

  private static var folder: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Goldens")
  }

  /// Throws unless `text` is what the file `name` holds.
  package static func check(_ text: String, _ name: String) throws {
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["VPLAY_REWRITE_GOLDENS"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    guard kept != text else { return }
    let (old, new) = (kept.split(separator: "\n"), text.split(separator: "\n"))
    let index = zip(old, new).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, new.count)
    func line(_ lines: [Substring]) -> Substring { index < lines.count ? lines[index] : "(end)" }
    throw Difference(
      description: "\(name), line \(index + 1):\n- \(line(old))\n+ \(line(new))")
  }
}
