// play-file FILE: plays a file to its end, in a program with an async main.
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

guard CommandLine.arguments.count == 2 else {
  print("usage: play-file FILE")
  exit(2)
}

let item = AVPlayerItem(url: URL(fileURLWithPath: CommandLine.arguments[1]))
let player = AVPlayer(playerItem: item)
let (events, continuation) = AsyncStream.makeStream(of: Int32.self)

let end = NotificationCenter.default.addObserver(
  forName: .AVPlayerItemDidPlayToEndTime, object: item, queue: nil
) { _ in continuation.yield(0) }
let status = item.observe(\.status, options: [.initial]) { item, _ in
  guard item.status == .failed else { return }
  print(item.error?.localizedDescription ?? "it cannot be played")
  continuation.yield(1)
}

player.play()
for await code in events { exit(code) }
