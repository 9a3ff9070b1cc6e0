public import Foundation

/// A picture for what is playing, as desktops show it.
///
/// In place of Apple's [MPMediaItemArtwork](https://developer.apple.com/documentation/mediaplayer/mpmediaitemartwork),
/// which draws a `UIImage`: desktops on Linux are told a URL (MPRIS `mpris:artUrl`).
public final class MPMediaItemArtwork: NSObject, Sendable {
  /// Where the picture is.
  public let url: URL
  private let isOwned: Bool

  /// A picture that is in a file or on a server. Nothing is read here.
  public init(url: URL) {
    self.url = url
    isOwned = false
  }

  /// An encoded picture (JPEG, PNG, WebP or GIF), written to a file of its own that is removed with this object.
  ///
  /// In `XDG_RUNTIME_DIR`, else in the temporary folder, readable by this user alone. Throws when it cannot be written.
  public init(data: Data) throws {
    let folder =
      ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 }
      .map { URL(fileURLWithPath: $0, isDirectory: true) } ?? FileManager.default.temporaryDirectory
    url = folder.appendingPathComponent("vplay-artwork-\(UUID().uuidString).\(Self.type(of: data))")
    isOwned = true
    super.init()
    guard
      FileManager.default.createFile(
        atPath: url.path, contents: data, attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path]) }
  }

  deinit {
    if isOwned { try? FileManager.default.removeItem(at: url) }
  }

  private static func type(of data: Data) -> String {
    if data.starts(with: [0xff, 0xd8, 0xff]) { return "jpg" }
    if data.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return "png" }
    if data.starts(with: Array("GIF8".utf8)) { return "gif" }
    if data.starts(with: Array("RIFF".utf8)), data.dropFirst(8).starts(with: Array("WEBP".utf8)) { return "webp" }
    return "img"
  }
}
