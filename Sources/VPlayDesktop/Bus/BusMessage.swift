import CVPlayBus

/// A message while it is handled: reads its arguments in order, or appends to it. Borrowed from sd-bus; valid during the
/// call that hands it out.
struct BusMessage {
  let pointer: OpaquePointer

  // MARK: - Reading

  func int64() -> Int64? {
    var value: Int64 = 0
    return sd_bus_message_read_basic(pointer, Self.type("x"), &value) > 0 ? value : nil
  }

  func double() -> Double? {
    var value = 0.0
    return sd_bus_message_read_basic(pointer, Self.type("d"), &value) > 0 ? value : nil
  }

  func bool() -> Bool? {
    var value: Int32 = 0
    return sd_bus_message_read_basic(pointer, Self.type("b"), &value) > 0 ? value != 0 : nil
  }

  func string() -> String? { text("s") }

  func objectPath() -> String? { text("o") }

  private func text(_ type: Unicode.Scalar) -> String? {
    var value: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(pointer, Self.type(type), &value) > 0, let value else { return nil }
    return String(cString: value)
  }

  // MARK: - Appending

  /// 0 or more, or a negative errno.
  func append(_ value: BusValue) -> Int32 {
    switch value {
    case .bool(let bool):
      var number: Int32 = bool ? 1 : 0
      return sd_bus_message_append_basic(pointer, Self.type("b"), &number)
    case .int32(var number): return sd_bus_message_append_basic(pointer, Self.type("i"), &number)
    case .int64(var number): return sd_bus_message_append_basic(pointer, Self.type("x"), &number)
    case .double(var number): return sd_bus_message_append_basic(pointer, Self.type("d"), &number)
    case .string(let text): return append(text, as: "s")
    case .objectPath(let path): return append(path, as: "o")
    case .strings(let list):
      return container("a", "s") { list.lazy.map { append($0, as: "s") }.first { $0 < 0 } ?? 0 }
    case .dictionary(let entries):
      return container("a", "{sv}") {
        entries.sorted { $0.key < $1.key }.lazy.map(append).first { $0 < 0 } ?? 0
      }
    }
  }

  private func append(_ entry: (key: String, value: BusValue)) -> Int32 {
    container("e", "sv") {
      let status = append(entry.key, as: "s")
      if status < 0 { return status }
      return container("v", entry.value.signature) { append(entry.value) }
    }
  }

  // D-Bus strings hold no NUL (specification, "Basic types"), Swift's may.
  private func append(_ text: String, as type: Unicode.Scalar) -> Int32 {
    text.prefix { $0 != "\0" }.withCString { sd_bus_message_append_basic(pointer, Self.type(type), $0) }
  }

  private func container(_ type: Unicode.Scalar, _ contents: String, _ body: () -> Int32) -> Int32 {
    var status = sd_bus_message_open_container(pointer, Self.type(type), contents)
    if status >= 0 { status = body() }
    return status < 0 ? status : sd_bus_message_close_container(pointer)
  }

  private static func type(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }
}
