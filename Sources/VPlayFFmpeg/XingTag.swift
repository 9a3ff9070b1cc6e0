/// The Xing or Info tag in an MP3 file's first frame, with its encoder's delay and padding: the exact length.
struct XingTag: Equatable {
  /// What a decoder adds before the encoder's own delay.
  static let decoderDelayFrames: Int64 = 529

  var sampleRate: Int
  /// Frames to drop at the start, the decoder's delay included.
  var startSkipFrames: Int64
  /// True frames of sound.
  var frameCount: Int64

  /// Nil when there is none that tells the length, or the file does not end where the tag says.
  init?(sizeBytes: Int64, reading read: (_ offset: Int64, _ count: Int) -> [UInt8]?) {
    guard let start = Self.audioStart(read), let bytes = read(start, 512), bytes.count >= 240 else {
      return nil
    }
    guard let frame = FrameHeader(bytes) else { return nil }
    let tag = 4 + frame.sideInfoBytes
    guard let name = Self.text(bytes, tag), name == "Xing" || name == "Info" else { return nil }
    let flags = Self.integer(bytes, tag + 4)
    var at = tag + 8
    guard flags & 1 != 0 else { return nil }
    let mpegFrames = Self.integer(bytes, at)
    at += 4
    if flags & 2 != 0 {
      // Cut short, or more glued on: then the count says nothing.
      let stated = Self.integer(bytes, at)
      let rest = sizeBytes - start
      guard stated <= rest, rest - stated <= stated / 16 else { return nil }
      at += 4
    }
    at += flags & 4 != 0 ? 100 : 0
    at += flags & 8 != 0 ? 4 : 0
    guard let encoder = Self.text(bytes, at), ["LAME", "Lavf", "Lavc"].contains(encoder),
      at + 24 <= bytes.count
    else { return nil }
    let delay = Int64(bytes[at + 21]) << 4 | Int64(bytes[at + 22]) >> 4
    let padding = Int64(bytes[at + 22] & 15) << 8 | Int64(bytes[at + 23])
    sampleRate = frame.sampleRate
    startSkipFrames = delay + Self.decoderDelayFrames
    frameCount = mpegFrames * frame.frameCount - delay - padding
    guard frameCount > 0 else { return nil }
  }

  private struct FrameHeader {
    var sampleRate: Int
    var frameCount: Int64
    var sideInfoBytes: Int

    /// Nil unless the bytes begin with a frame of layer III.
    init?(_ bytes: [UInt8]) {
      guard bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0, bytes[1] & 6 == 2 else { return nil }
      let version = bytes[1] >> 3 & 3
      let rate = Int(bytes[2] >> 2 & 3)
      guard version != 1, rate < 3 else { return nil }
      let isFirst = version == 3
      let isMono = bytes[3] >> 6 == 3
      sampleRate = [44100, 48000, 32000][rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
      frameCount = isFirst ? 1152 : 576
      sideInfoBytes = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    }
  }

  /// Past any ID3v2 tags.
  private static func audioStart(_ read: (_ offset: Int64, _ count: Int) -> [UInt8]?) -> Int64? {
    var offset: Int64 = 0
    for _ in 0..<8 {
      guard let head = read(offset, 10), head.count == 10 else { return nil }
      guard head.starts(with: Array("ID3".utf8)) else { return offset }
      let size = head[6...9].reduce(Int64(0)) { $0 << 7 | Int64($1 & 127) }
      offset += 10 + size + (head[5] & 16 != 0 ? 10 : 0)
    }
    return nil
  }

  private static func integer(_ bytes: [UInt8], _ offset: Int) -> Int64 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
  }

  private static func text(_ bytes: [UInt8], _ offset: Int) -> String? {
    guard offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }
}
