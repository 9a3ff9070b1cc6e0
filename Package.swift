// swift-tools-version: 6.0
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "VPlay",
  products: [
    .library(name: "VPlayKit", targets: ["VPlayKit"]),
    .library(name: "VPlayDesktop", targets: ["VPlayDesktop"]),
    .library(name: "VPlayTesting", targets: ["VPlayTesting"]),
    .executable(name: "vplay", targets: ["vplay"]),
  ],
  targets: [
    .systemLibrary(
      name: "CVPlayFFmpeg", pkgConfig: "libavformat",
      providers: [
        .apt([
          "libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswresample-dev",
        ])
      ]),
    .systemLibrary(
      name: "CVPlayPulse", pkgConfig: "libpulse", providers: [.apt(["libpulse-dev"])]),
    // It has no .pc file: its module map links it.
    .systemLibrary(name: "CVPlaySonic", providers: [.apt(["libsonic-dev"])]),
    .target(name: "CVPlayCLI"),
    .systemLibrary(
      name: "CVPlayBus", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CVPlayMPRIS", dependencies: ["CVPlayBus"]),
    .target(name: "VPlayModel", swiftSettings: settings),
    .target(
      name: "VPlayFFmpeg", dependencies: ["VPlayModel", "CVPlayFFmpeg"], swiftSettings: settings),
    .target(
      name: "VPlayPulse", dependencies: ["VPlayModel", "CVPlayPulse"], swiftSettings: settings),
    .target(name: "VPlaySonic", dependencies: ["VPlayModel", "CVPlaySonic"], swiftSettings: settings),
    .target(name: "VPlayEngine", dependencies: ["VPlayModel"], swiftSettings: settings),
    .target(
      name: "VPlayKit", dependencies: ["VPlayModel", "VPlayEngine", "VPlayFFmpeg", "VPlayPulse", "VPlaySonic"],
      swiftSettings: settings),
    .target(
      name: "VPlayDesktop", dependencies: ["VPlayModel", "VPlayKit", "CVPlayBus", "CVPlayMPRIS"],
      swiftSettings: settings),
    .target(
      name: "VPlayTesting", dependencies: ["VPlayModel", "VPlayEngine", "VPlayKit"],
      swiftSettings: settings),
    .executableTarget(
      name: "vplay", dependencies: ["VPlayKit", "VPlayDesktop", "CVPlayCLI"], swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["VPlayModel", "VPlayEngine", "VPlayFFmpeg", "VPlayPulse", "VPlayKit"],
      path: "Tests/TestSupport", swiftSettings: settings),
    .executableTarget(
      name: "VPlayFuzz", dependencies: ["VPlayKit", "TestSupport"], path: "Tests/Fuzz", swiftSettings: settings),
    .testTarget(
      name: "VPlayModelTests", dependencies: ["VPlayModel", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VPlayEngineTests", dependencies: ["VPlayEngine", "VPlaySonic", "VPlayTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VPlayFFmpegTests", dependencies: ["VPlayFFmpeg", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VPlayPulseTests", dependencies: ["VPlayPulse", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VPlayKitTests",
      dependencies: ["VPlayKit", "VPlayEngine", "VPlayFFmpeg", "VPlayModel", "VPlayTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "VPlayDesktopTests", dependencies: ["VPlayDesktop", "VPlayModel", "CVPlayBus", "TestSupport"],
      swiftSettings: settings),
    .testTarget(name: "HeardPathTests", dependencies: ["VPlayKit", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "SampleTests", dependencies: ["TestSupport", "VPlayModel"], swiftSettings: settings),
    .testTarget(
      name: "CommandLineTests", dependencies: ["vplay", "VPlayKit", "VPlayModel", "TestSupport"],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
