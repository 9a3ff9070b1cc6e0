import Foundation
import Glibc
import TestSupport
import Testing

@testable import VPlayDesktop

/// A centre of its own on a private session bus, and a player's answers to its commands.
final class DesktopRig {
  // One bus for the process: sd-bus looks for it in the environment, which is set once, before any thread asks.
  private static let shared = Result {
    let bus = try PrivateSessionBus()
    setenv("DBUS_SESSION_BUS_ADDRESS", bus.address, 1)
    return bus
  }

  let bus: PrivateSessionBus
  let center: DesktopCenter
  let info: MPNowPlayingInfoCenter
  let busName: String
  let events: AsyncStream<MPRemoteCommandEvent>
  private let continuation: AsyncStream<MPRemoteCommandEvent>.Continuation

  init(_ name: String) throws {
    bus = try Self.shared.get()
    let queue = DispatchQueue(label: "test.commands")
    center = DesktopCenter(name: name, callbackQueue: { queue })
    info = MPNowPlayingInfoCenter(center: center)
    busName = try #require(DesktopCenter.busNames(name).first)
    (events, continuation) = AsyncStream.makeStream()
  }

  var commands: MPRemoteCommandCenter { center.commands }

  static func track(_ title: String, elapsed: Double = 0, rate: Double = 1, duration: Double = 100) -> [String: Any] {
    [
      MPMediaItemPropertyTitle: title, MPMediaItemPropertyPlaybackDuration: duration,
      MPNowPlayingInfoPropertyElapsedPlaybackTime: elapsed, MPNowPlayingInfoPropertyPlaybackRate: rate,
    ]
  }

  func listen(_ commands: MPRemoteCommand...) {
    for command in commands {
      command.addTarget { [continuation] event in
        continuation.yield(event)
        return .success
      }
    }
  }

  /// Puts the centre on the bus and waits until it is seen there.
  func appear(_ values: [String: Any]) throws {
    info.nowPlayingInfo = values
    _ = try bus.run(["gdbus", "wait", "--session", "--timeout", "30", busName])
  }

  func playerctl(_ arguments: String...) throws -> String {
    try bus.run(["playerctl", "-p", busName.replacing("org.mpris.MediaPlayer2.", with: "")] + arguments)
  }

  func call(_ method: String, _ arguments: String..., interface: String = MPRISProperties.player) throws -> String {
    try bus.run(
      ["gdbus", "call", "--session", "--timeout", "30", "-d", busName, "-o", "/org/mpris/MediaPlayer2"]
        + ["-m", "\(interface).\(method)"] + arguments)
  }

  func property(_ name: String, interface: String = MPRISProperties.player) throws -> String {
    try call("Get", interface, name, interface: "org.freedesktop.DBus.Properties")
  }

  func set(_ name: String, _ value: String) throws {
    _ = try call("Set", MPRISProperties.player, name, value, interface: "org.freedesktop.DBus.Properties")
  }

  /// Sees the signals of this player from now on.
  func signals() throws -> SignalListener { try SignalListener(sender: busName) }
}
