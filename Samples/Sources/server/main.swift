// server: plays the files whose names come on standard input, one a line, one after the other. Its main thread waits for
// input and runs no main loop: what the player reports comes on a queue of the program's own.
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

let queue = DispatchQueue(label: "jukebox")
#if !canImport(AVFoundation)
  // Before the first player is made.
  AVPlayer.setCallbackQueue(queue)
#endif

let player = AVQueuePlayer()
let done = DispatchSemaphore(value: 0)
let observation = player.observe(\.currentItem) { player, _ in
  guard let asset = player.currentItem?.asset as? AVURLAsset else {
    done.signal()
    return
  }
  print("now playing \(asset.url.lastPathComponent)")
}

player.play()
while let line = readLine() {
  player.insert(AVPlayerItem(url: URL(fileURLWithPath: line)), after: nil)
}
// No more input: what is queued is played to its end.
while player.currentItem != nil { done.wait() }
withExtendedLifetime(observation) {}
