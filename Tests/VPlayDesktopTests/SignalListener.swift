import CVPlayBus
import TestSupport
import Testing

/// A client of the bus that receives one sender's signals, in order. One thread.
final class SignalListener {
  enum Signal: Equatable {
    case seeked(Int64)
    /// The names of the properties that changed, sorted.
    case changed([String])
    case other(String)
  }

  private static let limitMicroseconds: UInt64 = 30_000_000

  private let bus: OpaquePointer

  init(sender: String) throws {
    var opened: OpaquePointer?
    try #require(sd_bus_open_user(&opened) >= 0)
    bus = try #require(opened)
    try #require(
      sd_bus_match_signal(bus, nil, sender, "/org/mpris/MediaPlayer2", nil, nil, ignoreSignal, nil) >= 0)
  }

  deinit { sd_bus_flush_close_unref(bus) }

  func next() throws -> Signal {
    while true {
      var message: OpaquePointer?
      let status = sd_bus_process(bus, &message)
      try #require(status >= 0)
      if let message {
        defer { sd_bus_message_unref(message) }
        if sd_bus_message_is_signal(message, nil, nil) > 0, let signal = Self.read(message) { return signal }
      } else if status == 0 {
        try #require(sd_bus_wait(bus, Self.limitMicroseconds) > 0, "no signal came")
      }
    }
  }

  private static func read(_ message: OpaquePointer) -> Signal? {
    guard let path = sd_bus_message_get_path(message), String(cString: path) == "/org/mpris/MediaPlayer2",
      let member = sd_bus_message_get_member(message)
    else { return nil }
    switch String(cString: member) {
    case "Seeked":
      var position: Int64 = 0
      sd_bus_message_read_basic(message, CChar(UInt8(ascii: "x")), &position)
      return .seeked(position)
    case "PropertiesChanged":
      var names: [String] = []
      sd_bus_message_skip(message, "s")
      sd_bus_message_enter_container(message, CChar(UInt8(ascii: "a")), "{sv}")
      while sd_bus_message_enter_container(message, CChar(UInt8(ascii: "e")), "sv") > 0 {
        var name: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &name)
        if let name { names.append(String(cString: name)) }
        sd_bus_message_skip(message, "v")
        sd_bus_message_exit_container(message)
      }
      return .changed(names.sorted())
    case let other: return .other(other)
    }
  }
}

// Signals are taken from `sd_bus_process`, which hands out what no callback has used up.
private func ignoreSignal(
  message: OpaquePointer?, context: UnsafeMutableRawPointer?, error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 { 0 }
