// swift-tools-version: 6.0
import PackageDescription

// Programs that embed VPlayKit, as one's own would: with a URL in place of the path.
let package = Package(
  name: "Samples",
  dependencies: [.package(name: "VPlay", path: "..")],
  targets: ["play-file", "play-list", "loop-muted", "render-wav", "server", "describe"].map {
    .executableTarget(
      name: $0, dependencies: [.product(name: "VPlayKit", package: "VPlay")],
      swiftSettings: [.swiftLanguageMode($0 == "describe" ? .v5 : .v6)])
  }
)
