/// A value as D-Bus types it.
enum BusValue: Sendable, Equatable {
  case bool(Bool)
  case int32(Int32)
  case int64(Int64)
  case double(Double)
  case string(String)
  case objectPath(String)
  case strings([String])
  /// Type `a{sv}`.
  case dictionary([String: BusValue])

  var signature: String {
    switch self {
    case .bool: "b"
    case .int32: "i"
    case .int64: "x"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .strings: "as"
    case .dictionary: "a{sv}"
    }
  }
}
