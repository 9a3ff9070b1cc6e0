/// Bytes of a terminal to keys, whichever way they are cut: a sequence may arrive over several reads.
struct KeyDecoder {
  private enum State: Equatable {
    case ground
    /// ESC: a key of its own, or the start of a sequence.
    case escape
    /// ESC [ and its parameters.
    case sequence([UInt8])
    /// ESC O, and the digit that some terminals put behind it for the shift key.
    case singleShift(UInt8?)
  }

  private var state = State.ground

  /// Whether a lone ESC waits for what may follow it: after `escapeDelay` without a byte call `flush()`.
  var isWaiting: Bool { state != .ground }

  /// How long a sequence may pause between its bytes.
  static let escapeDelayMilliseconds: Int32 = 50

  /// The keys that these bytes complete.
  mutating func feed(_ bytes: some Sequence<UInt8>) -> [Key] {
    bytes.compactMap { feed($0) }
  }

  /// Nothing follows: a lone ESC is the key, an unfinished sequence is dropped.
  mutating func flush() -> Key? {
    defer { state = .ground }
    return state == .escape ? .escape : nil
  }

  private mutating func feed(_ byte: UInt8) -> Key? {
    switch state {
    case .ground:
      return ground(byte)
    case .escape:
      switch byte {
      case UInt8(ascii: "["): state = .sequence([])
      case UInt8(ascii: "O"): state = .singleShift(nil)
      case 0x1b: return .escape
      // Alt and a key: none of ours.
      default: state = .ground
      }
      return nil
    case .singleShift(let modifier):
      if byte == 0x1b { return ground(byte) }
      if modifier == nil, (0x30...0x39).contains(byte) {
        state = .singleShift(byte)
        return nil
      }
      state = .ground
      // rxvt sends a small letter with the control key.
      switch modifier {
      case nil: return KeyDecoder.arrow(byte, isShifted: false)
      case UInt8(ascii: "2"): return KeyDecoder.arrow(byte, isShifted: true)
      default: return nil
      }
    case .sequence(let parameters):
      switch byte {
      case 0x1b:
        return ground(byte)
      case 0x40...0x7e:
        state = .ground
        return KeyDecoder.key(parameters, final: byte)
      default:
        // A sequence longer than any key's is swallowed up to its end, and means nothing.
        state = .sequence(parameters.count < 16 ? parameters + [byte] : parameters)
        return nil
      }
    }
  }

  private mutating func ground(_ byte: UInt8) -> Key? {
    state = .ground
    switch byte {
    case 0x1b:
      state = .escape
      return nil
    case UInt8(ascii: " "): return .space
    case 0x21...0x7e: return .character(Character(Unicode.Scalar(byte)))
    default: return nil
    }
  }

  private static func key(_ parameters: [UInt8], final: UInt8) -> Key? {
    switch parameters {
    case []:
      // rxvt sends a shifted arrow as a small letter.
      (0x61...0x64).contains(final)
        ? arrow(final - 0x20, isShifted: true) : arrow(final, isShifted: false)
    // As xterm's ways of writing them, and the keyboard protocol of kitty's with a press or a repeat.
    case Array("1;2".utf8), Array("2".utf8), Array(">1;2".utf8), Array("1;2:1".utf8), Array("1;2:2".utf8):
      arrow(final, isShifted: true)
    case Array("1;1".utf8), Array("1;1:1".utf8), Array("1;1:2".utf8): arrow(final, isShifted: false)
    default: nil
    }
  }

  private static func arrow(_ final: UInt8, isShifted: Bool) -> Key? {
    switch (final, isShifted) {
    case (UInt8(ascii: "A"), false): .up
    case (UInt8(ascii: "B"), false): .down
    case (UInt8(ascii: "C"), false): .right
    case (UInt8(ascii: "D"), false): .left
    case (UInt8(ascii: "C"), true): .shiftRight
    case (UInt8(ascii: "D"), true): .shiftLeft
    default: nil
    }
  }
}
