import TestSupport
import Testing

@testable import VPlayFFmpeg

struct MovieHeaderTests {
  static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big(8 + body.count, 4) + Array(type.utf8) + body
  }

  static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func track(
    scale: Int = 44100, stts: [(Int, Int)], edits: [(Int, Int, Int)]? = nil, handler: String = "soun"
  ) -> [UInt8] {
    let header = box("mdhd", big(0, 12) + big(scale, 4) + big(0, 8))
    let kind = box("hdlr", big(0, 8) + Array(handler.utf8) + big(0, 13))
    let times = box("stts", big(0, 4) + big(stts.count, 4) + stts.flatMap { big($0.0, 4) + big($0.1, 4) })
    let media = box("mdia", header + kind + box("minf", box("stbl", times)))
    guard let edits else { return box("trak", media) }
    let list = edits.flatMap { big($0.0, 4) + big($0.1, 4) + big($0.2, 4) }
    return box("trak", box("edts", box("elst", big(0, 4) + big(edits.count, 4) + list)) + media)
  }

  static func movie(scale: Int = 1000, _ tracks: [UInt8]) -> [UInt8] {
    box("ftyp", Array("qt  ".utf8) + big(0, 4))
      + box("moov", box("mvhd", big(0, 12) + big(scale, 4) + big(0, 80)) + tracks)
  }

  static func parse(_ file: [UInt8], pastMedia: Bool = true) -> MovieHeaderParser.Result {
    MovieHeaderParser.parse(pastMedia: pastMedia) { offset, count in
      offset >= file.count ? [] : Array(file[Int(offset)..<min(Int(offset) + count, file.count)])
    }
  }

  static func header(_ file: [UInt8]) -> MovieHeader? {
    guard case .movie(let header) = parse(file) else { return nil }
    return header
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var stts: [(Int, Int)] = [(33, 1024), (1, 565)]
    var edits: [(Int, Int, Int)]?
    var scale = 44100
    var start: Int64 = 0
    var end: Int64?
    var testDescription: String { name }
  }

  // 33 · 1024 + 565 = 34 357 = 1024 of priming and 33 333 of sound, which are 755.85 ms.
  static let cases = [
    Case(name: "no edit: all of the media", edits: nil, end: 34_357),
    Case(name: "rounded up to a millisecond", edits: [(756, 1024, 65536)], end: 33_333),
    Case(name: "rounded down", edits: [(755, 1024, 65536)], end: 33_333),
    Case(name: "two ticks short is still the end", edits: [(754, 1024, 65536)], end: 33_333),
    Case(name: "three are a cut", edits: [(753, 1024, 65536)], end: 33_207),
    Case(name: "longer than the media ends with it", edits: [(9000, 1024, 65536)], end: 33_333),
    Case(name: "no duration: to the end", edits: [(0, 1024, 65536)], end: 33_333),
    Case(
      name: "after an empty edit", edits: [(500, -1, 65536), (756, 1024, 65536)], start: 22_050,
      end: 22_050 + 33_333),
    Case(name: "a real cut", edits: [(100, 11_024, 65536)], end: 4410),
    Case(name: "a start past the media", edits: [(100, 50_000, 65536)], end: nil),
    Case(name: "two pieces are not ours", edits: [(100, 0, 65536), (100, 9000, 65536)], end: nil),
    Case(name: "nor is another speed", edits: [(756, 1024, 32768)], end: nil),
    Case(name: "nor only emptiness", edits: [(500, -1, 65536)], end: nil),
  ]

  @Test(arguments: cases)
  func `where a track's presentation begins and ends`(_ c: Case) throws {
    let header = try #require(
      Self.header(Self.movie(Self.track(scale: c.scale, stts: c.stts, edits: c.edits))))
    let presentation = header.tracks[0].presentation(movieScale: header.movieScale)
    #expect(presentation?.end == c.end)
    if c.end != nil { #expect(presentation?.start == c.start) }
  }

  @Test func `tracks are read in order, with their handlers`() {
    let file = Self.movie(Self.track(stts: [(1, 1)], handler: "vide") + Self.track(stts: [(2, 3)]))
    let header = Self.header(file)
    #expect(header?.tracks.map(\.handler) == ["vide", "soun"])
    #expect(header?.tracks.map(\.mediaDuration) == [1, 6])
  }

  @Test func `the header is found behind the media, unless told not to look there`() {
    let moov = Array(Self.movie(Self.track(stts: [(1, 1)]))[16...])
    let file = Self.box("ftyp", Self.big(0, 8)) + Self.box("mdat", Array(repeating: 7, count: 100_000)) + moov
    #expect(Self.header(file) != nil)
    #expect(Self.parse(file, pastMedia: false) == .behindMedia)
    #expect(Self.parse(Array(file.prefix(50_000))) == .missing)
  }

  @Test func `what is no movie is none`() {
    #expect(Self.parse([]) == .notMovie)
    #expect(Self.parse(Array("RIFF....WAVEfmt ".utf8)) == .notMovie)
    #expect(Self.parse(Array("hello".utf8)) == .notMovie)
  }

  @Test func `fragments are noticed`() {
    let file = Self.movie(Self.track(stts: []) + Self.box("mvex", []))
    #expect(Self.header(file)?.isFragmented == true)
  }

  @Test func `cut and mutated headers never trap`() {
    var random = SplitMix(state: 11)
    let file = Self.movie(
      Self.track(stts: [(33, 1024), (1, 565)], edits: [(500, -1, 65536), (756, 1024, 65536)]))
    for length in 0..<file.count { _ = Self.parse(Array(file.prefix(length))) }
    for _ in 0..<20_000 {
      var mutated = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        mutated[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let header = Self.header(mutated) {
        for track in header.tracks { _ = track.presentation(movieScale: header.movieScale) }
      }
    }
  }

  @Test(arguments: [
    (" 00000000 00000840 000001CA 00000000003F31F6 00000000", GaplessTag(2112, 458, 4_141_558)),
    ("00000000 00000840 00000000 0000000000030D40", GaplessTag(2112, 0, 200_000)), ("", nil),
    ("x y z w", nil),
    ("0 FFFFFFFFFFFFFFFF 0 5", nil), ("0 840 0 0", nil), ("0 840", nil),
  ])
  func `iTunSMPB is read`(_ text: String, _ expected: GaplessTag?) {
    #expect(GaplessTag(text) == expected)
  }

  @Test func `iTunSMPB narrows the presentation, unless it was cut since`() throws {
    let tag = GaplessTag(2112, 100, 10_000)
    var (start, end): (Int64, Int64) = (0, 12_288)
    let plain = MovieTrack(handler: "soun", scale: 44100, mediaDuration: 12_288)
    tag.apply(to: plain, start: &start, end: &end, rate: 44100)
    #expect(start == 2112 && end == 12_112)

    let piece = MovieTrack.Edit(duration: 1, mediaTime: 2112, isNormalSpeed: true)
    let edited = MovieTrack(handler: "soun", scale: 44100, mediaDuration: 12_288, edits: [piece])
    (start, end) = (0, 10_100)
    tag.apply(to: edited, start: &start, end: &end, rate: 44100)
    #expect(start == 0 && end == 10_000)
    (start, end) = (0, 5000)
    tag.apply(to: edited, start: &start, end: &end, rate: 44100)
    #expect(end == 5000)
  }
}

extension GaplessTag {
  init(_ priming: Int64, _ padding: Int64, _ count: Int64) {
    self = GaplessTag("0 0 0 1") ?? GaplessTag(priming, padding, count)
    (primingFrames, paddingFrames, frameCount) = (priming, padding, count)
  }
}
