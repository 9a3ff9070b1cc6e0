import Testing

@testable import vplay

struct StatusLineTests {
  /// Two columns for what lies past the symbols, none for combining marks: enough for the tables here.
  private static let wide = StatusLine.Charset(isUnicode: true) { scalar in
    scalar.value == 0x301 ? 0 : scalar.value >= 0x2e80 ? 2 : 1
  }

  private func line(_ change: (inout StatusLine) -> Void = { _ in }) -> StatusLine {
    var line = StatusLine(
      state: .playing, position: 5, length: 10, volume: 0.5, isMuted: false, name: "clip.mov")
    change(&line)
    return line
  }

  @Test(arguments: [
    (80, "playing  0:05 / 0:10  ===============---------------  50%    clip.mov"),
    (60, "playing  0:05 / 0:10  =========---------  50%    clip.mov"),
    (50, "playing  0:05 / 0:10  ====----  50%    clip.mov"), (45, "playing  0:05 / 0:10  50%    clip.mov"),
    (36, "playing  0:05 / 0:10  50%    clip.~"), (31, "playing  0:05 / 0:10  50%  "),
    (24, "playing  0:05 / 0:10"),
    // A time that is cut would be another time.
    (20, "playing  0:05"), (14, "playing  0:05"), (13, "playing"), (9, "playing"), (5, "play"), (1, ""), (0, ""),
  ])
  func widths(columns: Int, text: String) {
    #expect(line().rendered(columns: columns, charset: .ascii) == text)
  }

  @Test func states() {
    #expect(
      line { $0.state = .paused }.rendered(columns: 45, charset: .ascii)
        == "paused   0:05 / 0:10  50%    clip.mov")
    #expect(
      line { $0.isMuted = true }.rendered(columns: 45, charset: .ascii)
        == "playing  0:05 / 0:10  muted  clip.mov")
    #expect(
      line { $0.isLooping = true }.rendered(columns: 60, charset: .ascii)
        == "playing  0:05 / 0:10  =========---------  50%    loop  cli~")
    #expect(
      line { $0.rate = 1.25 }.rendered(columns: 60, charset: .ascii)
        == "playing  0:05 / 0:10  =========---------  50%    x1.25  cl~")
    #expect(
      line { $0.length = nil }.rendered(columns: 80, charset: .ascii) == "playing  0:05 / ?  50%    clip.mov")
    #expect(
      line { $0.length = 0 }.rendered(columns: 80, charset: .ascii) == "playing  0:05 / 0:00  50%    clip.mov"
    )
  }

  @Test(
    arguments: [
      (0, "0:00"), (0.999, "0:00"), (59.9, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"),
      (360_000, "100:00:00"),
      (-1, "0:00"), (.nan, "?"), (.infinity, "?"), (1e300, "?"),
    ] as [(Double, String)])
  func clock(seconds: Double, text: String) {
    #expect(StatusLine.clock(seconds) == text)
  }

  @Test(
    arguments: [0, 1, 5, 20, 30, 31, 36, 40, 59, 60, 80, 200],
    ["clip.mov", "曲曲曲曲曲曲曲曲曲曲曲曲", "e\u{301}te\u{301}", ""])
  func neverTooWide(columns: Int, name: String) {
    for charset in [StatusLine.Charset.ascii, StatusLineTests.wide] {
      let text = line { ($0.name, $0.position, $0.length) = (name, .nan, 1e300) }.rendered(
        columns: columns, charset: charset)
      let width = text.unicodeScalars.reduce(0) { $0 + max(0, charset.width($1)) }
      #expect(width <= max(0, columns - 1))
    }
  }

  @Test func foreignNamesOnAPlainTerminal() {
    #expect(line { $0.name = "曲.wav" }.rendered(columns: 45, charset: .ascii).hasSuffix("  ?.wav"))
    #expect(
      line { $0.name = "曲曲.wav" }.rendered(columns: 36, charset: StatusLineTests.wide).hasSuffix("  曲曲.…"))
  }
}
