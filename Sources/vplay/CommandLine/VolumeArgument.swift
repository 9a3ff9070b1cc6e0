import Glibc

/// A volume as the command line takes it: `0.5`, `50%` or `-6dB`.
struct VolumeArgument: Equatable {
  /// 0…1.
  var linear: Double

  /// Nil when the text is not a volume, or is out of range.
  init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = Decimal.parse(text.dropLast()) else { return nil }
      linear = percent / 100
    } else if text.lowercased().hasSuffix("db") {
      var level = text.dropLast(2)
      let isNegative = level.hasPrefix("-")
      if isNegative || level.hasPrefix("+") { level = level.dropFirst() }
      guard let decibels = Decimal.parse(level) else { return nil }
      linear = pow(10, (isNegative ? -decibels : decibels) / 20)
    } else {
      guard let value = Decimal.parse(text[...]) else { return nil }
      linear = value
    }
    guard linear <= 1 else { return nil }
  }
}

/// Plain decimals, without sign, exponent or the words that `Double` takes.
enum Decimal {
  static func parse(_ text: Substring) -> Double? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.contains(where: { !$0.isEmpty }), parts.allSatisfy(isDigits) else { return nil }
    return Double(parts.count == 2 ? "\(parts[0].isEmpty ? "0" : parts[0]).\(parts[1])0" : String(parts[0]))
  }

  static func isDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
