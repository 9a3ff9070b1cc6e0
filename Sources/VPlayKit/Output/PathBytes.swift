import Foundation

extension URL {
  /// The path, byte for byte: `path` loses bytes that are not UTF-8.
  var pathBytes: [UInt8] {
    var rest = Array(path(percentEncoded: true).utf8)[...]
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }

  /// The same for C.
  func withPathBytes<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result? {
    (pathBytes.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer { $0.baseAddress.map(body) }
  }
}
