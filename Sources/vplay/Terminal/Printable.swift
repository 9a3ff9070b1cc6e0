/// Text that a terminal shows and does not obey: control, format and broken bytes as `\xNN`.
func printable(_ bytes: some Collection<UInt8>) -> String {
  var result = ""
  var rest = Array(bytes)[...]
  while !rest.isEmpty {
    var decoder = UTF8()
    var iterator = rest.makeIterator()
    if case .scalarValue(let scalar) = decoder.decode(&iterator) {
      let length = UTF8.width(scalar)
      if isPlain(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in rest.prefix(length) { result += escape(byte) }
      }
      rest = rest.dropFirst(length)
    } else {
      result += escape(rest.removeFirst())
    }
  }
  return result
}

func printable(_ text: some StringProtocol) -> String {
  printable(Array(text.utf8))
}

func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  // Joiners are part of the spelling of several scripts, and hide nothing.
  if scalar == "\u{200c}" || scalar == "\u{200d}" { return true }
  return switch scalar.properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
  default: true
  }
}

private func escape(_ byte: UInt8) -> String {
  let digits = Array("0123456789abcdef")
  return "\\x\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
}
