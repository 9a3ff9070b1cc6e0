/// What an Ogg file's first and last pages tell.
struct OggOutline: Equatable {
  /// Whether it is one Vorbis stream and no chain of several: its last granule is then its exact length.
  var isSingleVorbis: Bool
  /// Whether streams that are there at the end are none of those at the beginning: several files glued together.
  private(set) var isChained = false
  /// The granule at which the page before the last one ends; FFmpeg cannot place packets that it meets on the last.
  var lastPageStart: Int64?

  /// Nil when it is no Ogg file.
  init?(sizeBytes: Int64, reading read: (_ offset: Int64, _ count: Int) -> [UInt8]?) {
    guard let head = read(0, 64), head.starts(with: Self.capture), head.count >= 36, sizeBytes > 0 else {
      return nil
    }
    let isVorbis = head[28..<35].elementsEqual([1] + Array("vorbis".utf8))
    let tailBytes = min(sizeBytes, 128 << 10)
    guard let tail = read(sizeBytes - tailBytes, Int(tailBytes)),
      let last = Self.lastPage(in: tail[...])
    else {
      isSingleVorbis = false
      return
    }
    let beginners = Self.firstSerials(reading: read)
    isChained = !beginners.isEmpty && !beginners.contains(Array(tail[last + 14..<last + 18]))
    // One serial number from the first page to the last: nothing was glued on, and no picture runs beside it.
    isSingleVorbis = isVorbis && tail[last + 14..<last + 18].elementsEqual(head[14..<18])
    guard let previous = Self.lastPage(in: tail[..<last]) else { return }
    let granule = tail[previous + 6..<previous + 14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    if granule <= UInt64(Int64.max) { lastPageStart = Int64(granule) }
  }

  /// The serial numbers of the streams that begin at the file's beginning.
  private static func firstSerials(reading read: (_ offset: Int64, _ count: Int) -> [UInt8]?) -> [[UInt8]] {
    var serials: [[UInt8]] = []
    var offset: Int64 = 0
    while serials.count < mostStreams, let page = read(offset, 27 + 255), page.count >= 27,
      page.starts(with: capture), page[5] & 2 != 0
    {
      let segments = Int(page[26])
      guard page.count >= 27 + segments else { break }
      serials.append(Array(page[14..<18]))
      offset += Int64(27 + segments) + page[27..<27 + segments].reduce(0) { $0 + Int64($1) }
    }
    return serials
  }

  private static let mostStreams = 16
  private static let capture = Array("OggS".utf8)

  /// Where the last page with a whole header begins.
  private static func lastPage(in bytes: ArraySlice<UInt8>) -> Int? {
    var index = bytes.endIndex - 27
    while index >= bytes.startIndex {
      if bytes[index] == 0x4F && bytes[index..<index + 4].elementsEqual(capture) { return index }
      index -= 1
    }
    return nil
  }
}
