package import FoundationEssentials

/// Dates as tags have them: `2024`, `2024-05`, `2024-05-06`, `2024-05-06T07:08:09.5+02:00`.
package enum ISODate {
  package static func date(of text: String) -> Date? {
    var rest = Substring(text.drop { $0 == " " })
    guard let year = digits(4, &rest) else { return nil }
    var (month, day, seconds) = (1, 1, 0.0)
    if skip("-", &rest), let number = digits(2, &rest) {
      month = number
      if skip("-", &rest), let number = digits(2, &rest) { day = number }
    }
    if skip("T", &rest) || skip(" ", &rest), let hour = digits(2, &rest) {
      _ = skip(":", &rest)
      let minute = digits(2, &rest) ?? 0
      _ = skip(":", &rest)
      let second = digits(2, &rest) ?? 0
      guard hour < 24, minute < 60, second < 61 else { return nil }
      seconds = Double(hour * 3600 + minute * 60 + second)
      if skip(".", &rest) || skip(",", &rest) {
        let fraction = rest.prefix { $0.isASCII && $0.isNumber }
        rest.removeFirst(fraction.count)
        seconds += Double("0.\(fraction)") ?? 0
      }
      seconds -= zone(&rest)
    }
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    return Date(timeIntervalSince1970: Double(daysSince1970(year, month, day)) * 86_400 + seconds)
  }

  /// Seconds east of UTC.
  private static func zone(_ rest: inout Substring) -> Double {
    let sign: Double = skip("+", &rest) ? 1 : skip("-", &rest) ? -1 : 0
    guard sign != 0, let hours = digits(2, &rest) else { return 0 }
    _ = skip(":", &rest)
    return sign * Double(hours * 3600 + (digits(2, &rest) ?? 0) * 60)
  }

  private static func skip(_ character: Character, _ rest: inout Substring) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  private static func digits(_ count: Int, _ rest: inout Substring) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    rest.removeFirst(count)
    return Int(digits)
  }

  /// In the Gregorian calendar, also before it was introduced. The year is counted from March, so that leap days come
  /// last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
