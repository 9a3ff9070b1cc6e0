/// A value as JSON writes it.
enum JSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  /// What is no number becomes null.
  case number(Double)
  case string(String)
  case array([JSON])
  /// In this order.
  case object([(String, JSON)])

  /// One line, without its end.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .number(let value): value.isFinite ? JSON.plain(value) : "null"
    case .string(let value): JSON.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(JSON.quoted($0.0)):\($0.1.text)" }.joined(separator: ",") + "}"
    }
  }

  /// Whole numbers without a fraction.
  private static func plain(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Line separators end a line to some readers; control and format characters are no good to any terminal.
      case _ where !isPlain(scalar):
        for unit in String(scalar).utf16 { result += escape(unit) }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  static func == (a: JSON, b: JSON) -> Bool { a.text == b.text }
}

extension JSON {
  /// To the millisecond.
  static func seconds(_ value: Double?) -> JSON {
    guard let value, value.isFinite else { return .null }
    return .number((value * 1000).rounded() / 1000)
  }

  static func optional(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
}
