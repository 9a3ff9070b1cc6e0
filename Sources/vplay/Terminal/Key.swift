/// What a key asks for.
enum Key: Equatable {
  case space
  case escape
  case up
  case down
  case left
  case right
  case shiftLeft
  case shiftRight
  /// A printable ASCII character.
  case character(Character)
}
