import VPlayModel

/// The header of a WAV file of 32-bit floats: `RIFF`, `fmt `, `fact` and the head of `data`.
struct WAVHeader: Sendable {
  let format: AudioFormat

  var bytesASecond: Int { format.sampleRate * format.channelCount * 4 }

  /// The speakers' bits, in the order of the file's channels; 0 where that order is another one or not known.
  var channelMask: UInt32 {
    let places = format.channels.map(\.rawValue)
    guard !format.channels.contains(.unknown), zip(places, places.dropFirst()).allSatisfy(<) else { return 0 }
    return places.reduce(0) { $0 | 1 << UInt32($1) }
  }

  private var isExtensible: Bool {
    format.channels != [.frontCenter] && format.channels != [.frontLeft, .frontRight]
  }

  /// Sizes past 32 bits are written as the largest number, which readers take as "to the file's end".
  func bytes(dataBytes: UInt64) -> [UInt8] {
    let frameBytes = format.channelCount * 4
    var fmt: [UInt8] = []
    fmt.append(isExtensible ? 0xfffe : 3, bytes: 2)
    fmt.append(UInt64(format.channelCount), bytes: 2)
    fmt.append(UInt64(format.sampleRate), bytes: 4)
    fmt.append(UInt64(bytesASecond), bytes: 4)
    fmt.append(UInt64(frameBytes), bytes: 2)
    fmt.append(32, bytes: 2)
    fmt.append(isExtensible ? 22 : 0, bytes: 2)
    if isExtensible {
      fmt.append(32, bytes: 2)
      fmt.append(UInt64(channelMask), bytes: 4)
      fmt += [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
    }
    let overhead = UInt64(4 + 8 + fmt.count + 12 + 8)
    var bytes = Array("RIFF".utf8)
    bytes.append(dataBytes.addingReportingOverflow(overhead).overflow ? .max : dataBytes + overhead, bytes: 4)
    bytes += Array("WAVEfmt ".utf8)
    bytes.append(UInt64(fmt.count), bytes: 4)
    bytes += fmt
    bytes += Array("fact".utf8)
    bytes.append(4, bytes: 4)
    bytes.append(dataBytes == .max ? .max : dataBytes / UInt64(frameBytes), bytes: 4)
    bytes += Array("data".utf8)
    bytes.append(dataBytes, bytes: 4)
    return bytes
  }
}

extension [UInt8] {
  /// Adds a number, little end first; one that does not fit becomes the largest that does.
  fileprivate mutating func append(_ number: UInt64, bytes: Int) {
    let largest = UInt64.max >> UInt64(64 - bytes * 8)
    let fitting = Swift.min(number, largest)
    for index in 0..<bytes { append(UInt8(truncatingIfNeeded: fitting >> UInt64(index * 8))) }
  }
}
