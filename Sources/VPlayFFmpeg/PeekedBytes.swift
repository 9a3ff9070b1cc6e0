/// Parts of a medium that were looked at before the demuxer reads them, so that they are asked for once. A value.
struct PeekedBytes {
  private struct Piece {
    var start: Int64
    var bytes: [UInt8]
    var end: Int64 { start + Int64(bytes.count) }
  }

  private var pieces: [Piece] = []

  var totalBytes: Int { pieces.reduce(0) { $0 + $1.bytes.count } }

  /// What is known from `offset` on, without a hole.
  func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8> {
    guard let piece = piece(at: offset) else { return [] }
    let first = Int(offset - piece.start)
    return piece.bytes[first..<min(piece.bytes.count, first + count)]
  }

  /// Where the part that holds `offset`, or ends there or shortly before it, ends; else nil.
  func end(before offset: Int64, within limit: Int64) -> Int64? {
    pieces.filter { $0.start <= offset && offset - $0.end <= limit }.map(\.end).max()
  }

  mutating func append(_ bytes: [UInt8], at offset: Int64) {
    if let index = pieces.firstIndex(where: { $0.end == offset }) {
      pieces[index].bytes += bytes
    } else {
      pieces.append(Piece(start: offset, bytes: bytes))
    }
  }

  /// Forgets the part that was read to its end.
  mutating func forget(readTo offset: Int64) {
    pieces.removeAll { $0.end == offset }
  }

  private func piece(at offset: Int64) -> Piece? {
    pieces.first { $0.start <= offset && offset < $0.end }
  }
}
