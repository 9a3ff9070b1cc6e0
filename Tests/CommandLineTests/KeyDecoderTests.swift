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
    ("\u{1b}O2C", [.shiftRight]), ("\u{1b}O2D\u{1b}O2D", [.shiftLeft, .shiftLeft]), ("\u{1b}O5C", []),
    ("\u{1b}O2\u{1b}OC", [.right]), ("\u{1b}Oc", []), ("\u{1b}O22C", [.character("C")]),
    ("\u{1b}[2C", [.shiftRight]), ("\u{1b}[>1;2D", [.shiftLeft]), ("\u{1b}[1;1A", [.up]),
    ("\u{1b}[1;2:1C", [.shiftRight]), ("\u{1b}[1;2:3C", []), ("\u{1b}[1;1:2D", [.left]),
    ("nnpl", ["n", "n", "p", "l"].map { .character($0) }),
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
