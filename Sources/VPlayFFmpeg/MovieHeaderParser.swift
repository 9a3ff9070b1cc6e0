/// Finds and reads a `moov` box with a bounded number of small reads; anything odd in it makes it give up, never trap.
struct MovieHeaderParser {
  typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]?

  private static let boxLimit = 20_000
  private static let tableLimit = 4_000_000

  private var window: [UInt8] = []
  private var windowStart: Int64 = 0
  private var boxesRead = 0
  private let read: Read

  /// What was found.
  enum Result: Equatable {
    case notMovie
    case movie(MovieHeader)
    /// A movie's header that cannot be read to its end, or makes no sense.
    case unreadable
    /// A movie, but nowhere in it a header.
    case missing
    /// A movie whose samples come before its header, met when told not to look past them.
    case behindMedia
  }

  /// Looks for the header in what `read` gives.
  static func parse(pastMedia: Bool = true, reading read: Read) -> Result {
    withoutActuallyEscaping(read) { read in
      var parser = MovieHeaderParser(read)
      return parser.movie(pastMedia)
    }
  }

  private init(_ read: @escaping Read) {
    self.read = read
  }

  private struct Box {
    var type: UInt32
    var body: Range<Int64>
  }

  private mutating func movie(_ pastMedia: Bool) -> Result {
    var offset: Int64 = 0
    while let box = box(at: offset, before: .max) {
      if offset == 0 && !Self.firstTypes.contains(box.type) { return .notMovie }
      if box.type == fourCC("moov") {
        var header = MovieHeader()
        let isGood = readMovie(box.body, &header) && header.movieScale > 0 && !header.tracks.isEmpty
        return isGood ? .movie(header) : .unreadable
      }
      if box.type == fourCC("mdat") && !pastMedia { return .behindMedia }
      if box.body.upperBound == .max { break }
      offset = box.body.upperBound
    }
    return offset == 0 ? .notMovie : .missing
  }

  private static let firstTypes = Set(
    ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "styp"].map(fourCC))

  private mutating func readMovie(_ body: Range<Int64>, _ header: inout MovieHeader) -> Bool {
    children(of: body) { parser, box in
      switch box.type {
      case fourCC("mvhd"):
        guard let scale = parser.timescale(box.body) else { return false }
        header.movieScale = scale
      case fourCC("mvex"): header.isFragmented = true
      case fourCC("trak"):
        var track = MovieTrack()
        guard parser.readTrack(box.body, &track) else { return false }
        header.tracks.append(track)
      default: break
      }
      return true
    }
  }

  private mutating func readTrack(_ body: Range<Int64>, _ track: inout MovieTrack) -> Bool {
    children(of: body) { parser, box in
      switch box.type {
      case fourCC("edts"), fourCC("mdia"), fourCC("minf"), fourCC("stbl"):
        return parser.readTrack(box.body, &track)
      case fourCC("mdhd"):
        guard let scale = parser.timescale(box.body) else { return false }
        track.scale = scale
      case fourCC("hdlr"):
        // The media's handler; QuickTime also has one for the data reference, further in and later.
        guard track.handler.isEmpty, let bytes = parser.bytes(box.body.lowerBound + 8, 4) else { break }
        track.handler = String(decoding: bytes, as: UTF8.self)
      case fourCC("stts"):
        guard let sum = parser.durationSum(box.body) else { return false }
        track.mediaDuration = sum
      case fourCC("ctts"):
        if let count = parser.integer(box.body.lowerBound + 4, bytes: 4), count > 0,
          let offset = parser.integer(box.body.lowerBound + 12, bytes: 4)
        {
          track.firstCompositionOffset = Int64(Int32(truncatingIfNeeded: offset))
        }
      case fourCC("elst"):
        guard let edits = parser.edits(box.body) else { return false }
        track.edits = edits
      default: break
      }
      return true
    }
  }

  private mutating func timescale(_ body: Range<Int64>) -> Int64? {
    guard let version = integer(body.lowerBound, bytes: 1) else { return nil }
    guard let scale = integer(body.lowerBound + (version == 1 ? 20 : 12), bytes: 4) else { return nil }
    return scale > 0 && scale <= Int64(Int32.max) ? scale : nil
  }

  private mutating func durationSum(_ body: Range<Int64>) -> Int64? {
    guard let count = entryCount(body, entryBytes: 8) else { return nil }
    var sum: Int64 = 0
    for index in 0..<Int64(count) {
      guard let samples = integer(body.lowerBound + 8 + index * 8, bytes: 4),
        let delta = integer(body.lowerBound + 12 + index * 8, bytes: 4)
      else { return nil }
      let (product, tooLarge) = samples.multipliedReportingOverflow(by: delta)
      let (next, tooLong) = sum.addingReportingOverflow(product)
      if tooLarge || tooLong || next > 1 << 60 { return nil }
      sum = next
    }
    return sum
  }

  private mutating func edits(_ body: Range<Int64>) -> [MovieTrack.Edit]? {
    guard let version = integer(body.lowerBound, bytes: 1), version <= 1 else { return nil }
    let wide = version == 1
    let entryBytes: Int64 = wide ? 20 : 12
    guard let count = entryCount(body, entryBytes: entryBytes), count <= 10_000 else { return nil }
    var edits: [MovieTrack.Edit] = []
    for index in 0..<Int64(count) {
      let at = body.lowerBound + 8 + index * entryBytes
      guard let duration = integer(at, bytes: wide ? 8 : 4),
        let time = integer(at + (wide ? 8 : 4), bytes: wide ? 8 : 4),
        let rate = integer(at + entryBytes - 4, bytes: 4)
      else { return nil }
      let mediaTime = wide ? time : Int64(Int32(truncatingIfNeeded: time))
      guard (0...1 << 60).contains(duration), (-1...1 << 60).contains(mediaTime) else { return nil }
      edits.append(
        MovieTrack.Edit(duration: duration, mediaTime: mediaTime, isNormalSpeed: rate == 0x10000))
    }
    return edits
  }

  /// The count in a full box's head, checked against the box's size.
  private mutating func entryCount(_ body: Range<Int64>, entryBytes: Int64) -> Int? {
    guard let count = integer(body.lowerBound + 4, bytes: 4), count <= Self.tableLimit,
      body.upperBound - body.lowerBound - 8 >= count * entryBytes
    else { return nil }
    return Int(count)
  }

  /// Calls `visit` for each box in `body`, until it returns false; false then, or when the boxes make no sense.
  private mutating func children(
    of body: Range<Int64>, _ visit: (inout MovieHeaderParser, Box) -> Bool
  ) -> Bool {
    var offset = body.lowerBound
    while body.upperBound - offset >= 8 {
      guard let box = box(at: offset, before: body.upperBound) else { return false }
      guard visit(&self, box) else { return false }
      offset = box.body.upperBound
    }
    return true
  }

  private mutating func box(at offset: Int64, before limit: Int64) -> Box? {
    boxesRead += 1
    guard boxesRead <= Self.boxLimit, let size = integer(offset, bytes: 4),
      let type = integer(offset + 4, bytes: 4)
    else { return nil }
    var start = offset + 8
    var end: Int64
    switch size {
    case 0: end = limit
    case 1:
      guard let large = integer(offset + 8, bytes: 8), large >= 16 else { return nil }
      start += 8
      let (sum, overflow) = offset.addingReportingOverflow(large)
      end = overflow ? .max : sum
    default: end = offset + size
    }
    guard end >= start, end <= limit else { return nil }
    return Box(type: UInt32(truncatingIfNeeded: type), body: start..<end)
  }

  private mutating func integer(_ offset: Int64, bytes count: Int) -> Int64? {
    guard fill(offset, count) else { return nil }
    var value: UInt64 = 0
    for index in 0..<count { value = value << 8 | UInt64(window[Int(offset - windowStart) + index]) }
    return Int64(bitPattern: value)
  }

  private mutating func bytes(_ offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
    guard fill(offset, count) else { return nil }
    let start = Int(offset - windowStart)
    return window[start..<start + count]
  }

  /// Brings `count` bytes at `offset` into the window.
  private mutating func fill(_ offset: Int64, _ count: Int) -> Bool {
    guard offset >= 0, offset < .max - 64 else { return false }
    if offset >= windowStart, offset + Int64(count) <= windowStart + Int64(window.count) { return true }
    guard let bytes = read(offset, 16 << 10), bytes.count >= count else { return false }
    (window, windowStart) = (bytes, offset)
    return true
  }
}

private func fourCC(_ text: String) -> UInt32 {
  text.utf8.reduce(0) { $0 << 8 | UInt32($1) }
}
