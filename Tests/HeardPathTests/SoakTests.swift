import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

extension HeardPathTests {
  /// A player driven at random for long: `VPLAY_SOAK_SECONDS`, 12 at first.
  @Suite struct SoakTests {
    private static let seconds =
      ProcessInfo.processInfo.environment["VPLAY_SOAK_SECONDS"].flatMap { Double($0) } ?? 12

    @Test func soakKeepsItsStateAndTakesNoMore() throws {
      let server = try PrivatePulseServer(.init { $0.keepsSound = false })
      defer { server.stop() }
      let web = try webServer()
      let media = [
        try NoiseFile.wav().url, try NoiseFile.flac(offset: 7).url, try m4a(),
        try #require(URL(string: web.url("noise.m4a"))),
      ]
      let clock = SystemClock()
      var driver = Driver(HeardPlayer(server), media, seed: 20_26)
      let start = clock.now
      // What is made once is there by then: caches, pools, threads of queues.
      driver.run(until: start.advanced(bySeconds: max(4, Self.seconds * 0.2)))
      driver.rest()
      let before = Held.settled { _ in true }
      driver.run(until: start.advanced(bySeconds: Self.seconds))
      driver.rest()
      let after = Held.settled { $0.threads <= before.threads + 2 && $0.descriptors <= before.descriptors + 2 }
      #expect(after.threads <= before.threads + 2, "\(before) \(after)")
      #expect(after.descriptors <= before.descriptors + 2, "\(before) \(after)")
      #expect(after.kilobytes < before.kilobytes + 16_384, "\(before) \(after)")
      print("soak: \(driver.count) commands; at rest \(before) before, \(after) after")
    }

    private func m4a() throws -> URL {
      try MediaFixtures.encode(try NoiseFile.wav().url, as: "soak.m4a", ["-t", "30", "-c:a", "aac"])
    }

    private func webServer() throws -> HTTPServer {
      let bytes = [UInt8](try Data(contentsOf: try m4a()))
      // Every third answer breaks off somewhere.
      return try HTTPServer { request in
        HTTPReply(bytes) { if request.number % 3 == 2 { $0.dropsAt = bytes.count / 2 } }
      }
    }
  }
}

/// Gives a player random commands, and looks at what becomes of them.
private struct Driver {
  let heard: HeardPlayer
  let media: [URL]
  private(set) var count = 0
  private var random: SeededGenerator
  private var isPlaying = false
  private var isMuted = false
  private var item: AVPlayerItem?

  private var player: AVQueuePlayer { heard.player }

  init(_ heard: HeardPlayer, _ media: [URL], seed: UInt64) {
    self.heard = heard
    self.media = media
    random = SeededGenerator(seed: seed)
  }

  mutating func run(until end: HostTime) {
    let clock = SystemClock()
    if item == nil { change() }
    while clock.now < end {
      for _ in 0..<Int.random(in: 1...12, using: &random) { act() }
      check()
    }
  }

  /// Nothing is loaded, and nothing is under way.
  mutating func rest() {
    player.replaceCurrentItem(with: nil)
    player.pause()
    (item, isPlaying) = (nil, false)
    #expect(heard.waitForAnswers())
    let isLetGo = eventually { (try? heard.streams().isEmpty) == true }
    #expect(isLetGo)
  }

  private mutating func act() {
    count += 1
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5:
      player.play()
      isPlaying = true
    case 5..<9:
      player.pause()
      isPlaying = false
    case 9..<14: heard.seek(toFrame: Int64.random(in: 0..<1_200_000, using: &random))
    case 14: heard.seek(toFrame: 1_430_000)
    case 15, 16:
      isMuted.toggle()
      player.isMuted = isMuted
    case 17: player.volume = Float.random(in: 0...1, using: &random)
    default: change()
    }
    if Bool.random(using: &random) { heard.wait(seconds: Double.random(in: 0...0.15, using: &random)) }
  }

  private mutating func change() {
    let next = AVPlayerItem(url: media[Int.random(in: 0..<media.count, using: &random)])
    player.replaceCurrentItem(with: next)
    item = next
  }

  /// The state is the last command's, and time goes or stands as it says.
  private mutating func check() {
    // Away from the end, at which a player pauses by itself.
    heard.seek(toFrame: 96_000)
    if isPlaying { player.play() } else { player.pause() }
    #expect(heard.waitForAnswers())
    let answer = heard.answers.all.last { $0.seek == heard.seekCount - 1 }
    #expect(answer?.isDone == true)
    #expect(player.rate == (isPlaying ? 1 : 0) && player.isMuted == isMuted && player.currentItem === item)
    let expected: AVPlayer.TimeControlStatus = isPlaying ? .playing : .paused
    #expect(waitUntil(player, \.timeControlStatus) { $0 == expected })
    let place = player.currentTime()
    if isPlaying {
      let goesOn = eventually { player.currentTime().seconds > place.seconds + 0.05 }
      #expect(goesOn)
    } else {
      #expect(abs(place.seconds - 2) < 0.001)
      heard.wait(seconds: 0.05)
      #expect(player.currentTime() == place)
    }
  }
}

/// Waits for what nothing tells of.
func eventually(seconds: Double = 10, _ condition: () -> Bool) -> Bool {
  let limit = SystemClock().now.advanced(bySeconds: seconds)
  while !condition() {
    if SystemClock().now > limit { return false }
    sched_yield()
  }
  return true
}
