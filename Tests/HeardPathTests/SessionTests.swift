import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel
import VPlayPulse

extension HeardPathTests {
  /// What a session says when a private server changes.
  @Suite struct Session {
    final class Posts: Sendable {
      private let names = Monitor<[String]>([])
      private let tokens = Monitor<[any NSObjectProtocol]>([])

      init(_ session: AVAudioSession) {
        let all = [
          AVAudioSession.routeChangeNotification, AVAudioSession.mediaServicesWereLostNotification,
          AVAudioSession.mediaServicesWereResetNotification,
        ]
        for name in all {
          let token = NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) {
            [weak self] note in
            let reason = (note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt)
              .flatMap(AVAudioSession.RouteChangeReason.init)
            let previous = note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            let text = reason.map { "\($0) from \(previous?.outputs.first?.uid ?? "none")" } ?? note.name.rawValue
            self?.names.withLockAndWake { $0.append(text) }
          }
          tokens.withLock { $0.append(token) }
        }
      }

      /// Waits for the next post.
      func next() -> String? {
        names.wait(until: SystemClock().now.advanced(bySeconds: 10)) { $0.isEmpty ? nil : $0.removeFirst() }
      }

      deinit {
        for token in tokens.withLock({ $0 }) { NotificationCenter.default.removeObserver(token) }
      }
    }

    @Test(arguments: [PrivatePulseServer.Options.Kind.pulseAudio, .pipeWire])
    func `routes, volumes and the server's end are told once each`(kind: PrivatePulseServer.Options.Kind) throws {
      let server = try PrivatePulseServer(.init(kind) { $0.nullSinks = 2 })
      defer { server.stop() }
      let address = server.server
      let sink = PulseSink(applicationName: "VPlayTests", server: address)
      let session = AVAudioSession(sink: { sink })
      let posts = Posts(session)
      #expect(session.currentRoute.outputs.map(\.uid) == ["lab"])
      #expect(session.sampleRate == 48_000 && session.outputNumberOfChannels == 2)
      // While the output runs: PipeWire 1.4 leaves the volume of a null sink that nothing runs on as it is.
      let volumes = Monitor<[Float]>([])
      let observation = session.observe(\.outputVolume) { session, _ in
        let volume = session.outputVolume
        volumes.withLockAndWake { $0.append(volume) }
      }
      session.setOutputVolume(0.25)
      let seen: Bool? = volumes.wait(until: SystemClock().now.advanced(bySeconds: 10)) { volumes in
        volumes.contains { abs($0 - 0.25) < 0.01 } ? true : nil
      }
      #expect(seen == true)
      observation.invalidate()

      try server.run("pactl", "set-default-sink", "n1")
      #expect(posts.next() == "override from lab")
      #expect(session.currentRoute.outputs.map(\.uid) == ["n1"])

      let modules = try server.run("pactl", "list", "short", "modules").split(separator: "\n")
      let module = try #require(modules.first { $0.contains("sink_name=n1") }?.split(separator: "\t").first)
      try server.run("pactl", "unload-module", String(module))
      #expect(posts.next() == "oldDeviceUnavailable from n1")
      server.stop()
      #expect(posts.next() == AVAudioSession.mediaServicesWereLostNotification.rawValue)
      #expect(session.currentRoute.outputs.isEmpty)
    }
  }
}
