import Testing

@testable import vplay

struct KeyDecoderTests {
  static let table: [(String, [Key])] = [
    (" ", [.space]), ("m", [.character("m")]), ("q", [.character("q")]), ("\u{1b}[A", [.up]),
    ("\u{1b}[B", [.down]),
    ("\u{1b}[C", [.right]), ("\u{1b}[D", [.left]), ("\u{1b}OA", [.up]), ("\u{1b}OD", [.left]),
    ("\u{1b}[1;2C", [.shiftRight]), ("\u{1b}[1;2D", [.shiftLeft]), ("\u{1b}[c", [.shiftRight]),
    ("\u{1b}[d", [.shiftLeft]),
    ("\u{1b}[1;5C", []), ("\u{1b}[5~", []), ("\u{1b}[200~m", [.character("m")]), ("\u{1b}x", []),
    ("\u{1b}[<0;1;1M", []),
    ("\u{1b}[12;34;56;78;90;12;34C ", [.space]), ("\u{1b}\u{1b}[A", [.escape, .up]),
    ("\u{1b}[\u{1b}[B", [.down]),
    ("\r\n\u{7f}", []), ("é", []), ("m\u{1b}[Cq", [.character("m"), .right, .character("q")]),
    ("\u{1b}O\u{1b}[A", [.up]),
  ]

  @Test(arguments: table)
  func whole(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(text.utf8) == keys)
    #expect(!decoder.isWaiting)
  }

  @Test(arguments: table)
  func cutAnywhere(text: String, keys: [Key]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.feed([$0]) } == keys)
  }

  @Test func escapeAloneIsAKey() {
    var decoder = KeyDecoder()
    #expect(decoder.feed([0x1b]) == [])
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == .escape)
    #expect(!decoder.isWaiting)
    #expect(decoder.flush() == nil)
  }

  @Test func anUnfinishedSequenceIsNoKey() {
    var decoder = KeyDecoder()
    #expect(decoder.feed("\u{1b}[1;".utf8) == [])
    #expect(decoder.flush() == nil)
    #expect(decoder.feed("q".utf8) == [.character("q")])
  }
}
