// play-list FILE...: plays files one after the other without a gap, in a program that runs the main run loop.
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

let items = CommandLine.arguments.dropFirst().map { AVPlayerItem(url: URL(fileURLWithPath: $0)) }
guard !items.isEmpty else {
  print("usage: play-list FILE...")
  exit(2)
}

let player = AVQueuePlayer(items: items)
let observation = player.observe(\.currentItem, options: [.initial]) { player, _ in
  guard let item = player.currentItem, let asset = item.asset as? AVURLAsset else { exit(0) }
  print("now playing \(asset.url.lastPathComponent)")
}

player.play()
withExtendedLifetime(observation) { RunLoop.main.run() }
