internal import CVPlayFFmpeg
package import VPlayModel

/// Reads what lies at an address as it is: for what is no medium, such as a list of media.
// Safe to share: all stored properties are `let`s of Sendable types.
package final class AddressReader: Sendable {
  private let url: String
  private let interrupter = Interrupter()

  /// `url` is percent-encoded and absolute, as `FFmpegSource` takes it.
  package init(url: String) {
    self.url = url
  }

  /// All bytes. Blocks; throws `.other` when there are more than `limitBytes`.
  package func read(limitBytes: Int) throws(MediaError) -> [UInt8] {
    vplay_silence_log()
    do {
      let address = try SourceAddress(url: url)
      let request = HTTPRequest(
        url: address.networkURL ?? "", allowedProtocols: address.allowedProtocols, options: SourceOptions())
      let (input, _) = try Demuxer.openInput(address, request, interrupter)
      return try read(input, limitBytes)
    } catch {
      if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted", code: error.code) }
      throw error
    }
  }

  private func read(_ input: any MediaInput, _ limitBytes: Int) throws(MediaError) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 32 << 10)
    while true {
      let count = avio_read(input.context, &block, Int32(block.count))
      if count == vplay_averror_eof() || count == 0 { return bytes }
      if count < 0 { throw mediaError(count, during: .read) }
      bytes += block[..<Int(count)]
      if bytes.count > limitBytes { throw MediaError(.other, "it is too long to be read as a whole") }
    }
  }

  /// Ends `read` at once, and each later one. Any thread.
  package func interrupt() {
    interrupter.interrupt()
  }
}
