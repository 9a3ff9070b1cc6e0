import Testing

@testable import vplay

struct ArgumentValueTests {
  @Test(
    arguments: [
      ("0", 0), ("1", 1), ("1.0", 1), ("0.5", 0.5), (".5", 0.5), ("1.", 1), ("50%", 0.5), ("100%", 1),
      ("0%", 0),
      ("12.5%", 0.125), ("0dB", 1), ("-6dB", 0.501187), ("-6.0db", 0.501187), ("-20dB", 0.1), ("-2000dB", 0),
    ] as [(String, Double)])
  func volume(text: String, linear: Double) throws {
    let volume = try #require(VolumeArgument(text))
    #expect(abs(volume.linear - linear) < 1e-6)
  }

  @Test(arguments: [
    "", ".", "%", "dB", "-", "1.5", "-1", "-0.5", "+0.5", "nan", "inf", "infinity", "abc", "0x1", "1e-1",
    "101%", "-5%",
    "6dB", "0.1dB", "--6dB", "0,5", " 0.5", "0.5 ", "0.5.5", "½", "0.5dBx", "1.0000001",
  ])
  func noVolume(text: String) {
    #expect(VolumeArgument(text) == nil)
  }

  @Test(
    arguments: [
      ("0", 0, 1), ("12", 12, 1), ("1.5", 15, 10), (".25", 25, 100), ("7.", 7, 1), ("1.500", 15, 10),
      ("1:00", 60, 1),
      ("90:00", 5400, 1), ("1:02:03.004", 3_723_004, 1000), ("0:00.000000001", 1, 1_000_000_000),
      ("0.0000000019", 1, 1_000_000_000), ("100:00:00", 360_000, 1),
    ] as [(String, Int64, Int32)])
  func time(text: String, value: Int64, timescale: Int32) throws {
    let time = try #require(TimeArgument(text))
    #expect(time.value == value)
    #expect(time.timescale == timescale)
  }

  @Test(arguments: [
    "", ".", ":", "x", "-1", "+1", "1:60", "1:2:60", "1:60:00", "1:2:3:4", ":30", "1:", "1::2", "1.2.3",
    "1.5:00", "nan",
    "1e3", "99999999999999999999", "1000000000", " 1", "1 ", "1,5",
  ])
  func noTime(text: String) {
    #expect(TimeArgument(text) == nil)
  }

  @Test func timesCompareAcrossScales() throws {
    let whole = try #require(TimeArgument("1"))
    let more = try #require(TimeArgument("1.000000001"))
    #expect(whole < more)
    #expect(!(more < whole))
  }

  @Test(arguments: [
    ("plain.wav", "plain.wav"), ("a b", "a b"), ("café", "café"), ("a\u{1b}[31mb", "a\\x1b[31mb"),
    ("a\nb", "a\\x0ab"),
    ("a\u{202e}b", "a\\xe2\\x80\\xaeb"), ("\u{9b}", "\\xc2\\x9b"), ("曲", "曲"),
  ])
  func printing(text: String, shown: String) {
    #expect(printable(text) == shown)
  }

  @Test func brokenBytesAreShown() {
    #expect(printable([0x61, 0xff, 0xc3]) == "a\\xff\\xc3")
    #expect(printable([0xc3, 0x28]) == "\\xc3(")
  }
}
