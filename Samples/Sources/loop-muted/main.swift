// loop-muted FILE [SECONDS]: loops a file without a seam, muted at first, in a program that runs dispatchMain().
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

guard CommandLine.arguments.count > 1 else {
  print("usage: loop-muted FILE [SECONDS]")
  exit(2)
}
let seconds = CommandLine.arguments.count > 2 ? Double(CommandLine.arguments[2]) ?? 2 : 2

let player = AVQueuePlayer()
player.isMuted = true
let template = AVPlayerItem(url: URL(fileURLWithPath: CommandLine.arguments[1]))
let looper = AVPlayerLooper(player: player, templateItem: template)
player.play()

Task {
  try await Task.sleep(for: .seconds(seconds))
  // The sound joins where the loop is by now.
  player.isMuted = false
  print("unmuted")
  try await Task.sleep(for: .seconds(2 * seconds))
  print("went round \(looper.loopCount) times")
  exit(0)
}
dispatchMain()
