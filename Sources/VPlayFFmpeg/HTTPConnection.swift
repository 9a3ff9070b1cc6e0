internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// One answer of a server: what lies at a URL from an offset on, read forwards. Demux thread.
final class HTTPConnection {
  enum Failure: Error {
    /// The server gives the whole only.
    case rangeRefused
    case media(MediaError)
  }

  private var io: UnsafeMutablePointer<AVIOContext>?
  /// The medium's next byte.
  private(set) var position: Int64
  /// The whole medium's size; negative when it is not known.
  let sizeBytes: Int64
  /// Whether the server answers for parts, and says of how much.
  let givesRanges: Bool
  let claimsRanges: Bool
  /// What the server says of the stream as such: a stream of this kind has no beginning and no end.
  let streamHeaders: [String: String]
  private var lastPacket: String?

  /// Asks from `offset` on. `place` is where in the medium that is, if it is not the same.
  init(
    _ request: HTTPRequest, from offset: Int64, place: Int64? = nil, interrupter: Interrupter
  ) throws(Failure) {
    if let host = NameLookup.host(of: request.url) {
      switch NameLookup.wait(for: host, seconds: request.options.silenceSeconds, interrupter: interrupter) {
      case .answered: break
      case .interrupted: throw .media(MediaError(.interrupted, "interrupted", code: vplay_averror_exit()))
      case .timedOut:
        let code = vplay_averror(ETIMEDOUT)
        throw .media(MediaError(.network, "no name server answers for \(host)", code: code))
      }
    }
    var callback = interrupter.callback
    var dictionary = makeDictionary(request.settings(from: offset))
    defer { av_dict_free(&dictionary) }
    let code = avio_open2(&io, request.url, AVIO_FLAG_READ, &callback, &dictionary)
    guard code >= 0, let io else {
      // FFmpeg's bare failure: the answer is not for where we asked.
      if offset > 0, code == -1 { throw .rangeRefused }
      throw .media(connectionError(code, isSecure: request.url.lowercased().hasPrefix("https:")))
    }
    position = place ?? offset
    sizeBytes = avio_size(io)
    claimsRanges = io.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0
    givesRanges = claimsRanges && sizeBytes > 0
    streamHeaders = HTTPConnection.headers(HTTPConnection.option("icy_metadata_headers", of: io) ?? "")
  }

  deinit {
    avio_closep(&io)
  }

  var isStream: Bool { !streamHeaders.isEmpty && sizeBytes <= 0 }

  /// Some bytes, as soon as there are any; 0 or less as FFmpeg has it.
  func read(into buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
    let n = Int(avio_read_partial(io, buffer, Int32(clamping: count)))
    if n > 0 { position += Int64(n) }
    return n
  }

  /// What the stream says is heard, once for each change.
  func takeTags() -> [String: String]? {
    guard isStream, let io, let packet = HTTPConnection.option("icy_metadata_packet", of: io), packet != lastPacket
    else { return nil }
    lastPacket = packet
    return HTTPConnection.tags(ofPacket: packet)
  }

  private static func option(_ name: String, of io: UnsafeMutablePointer<AVIOContext>) -> String? {
    var value: UnsafeMutablePointer<UInt8>?
    guard av_opt_get(io, name, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
    defer { av_free(value) }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// `icy-name: A\nicy-genre: B\n`.
  private static func headers(_ text: String) -> [String: String] {
    var result: [String: String] = [:]
    for line in text.split(whereSeparator: \.isNewline) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      result[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return result
  }

  /// `StreamTitle='It's me';StreamUrl='';`.
  static func tags(ofPacket packet: String) -> [String: String] {
    var result: [String: String] = [:]
    var rest = packet[...]
    while let start = rest.firstRange(of: "='"), let end = rest.firstRange(of: "';") ?? lastQuote(of: rest),
      start.upperBound <= end.lowerBound
    {
      let key = rest[..<start.lowerBound].lowercased()
      result[key == "streamtitle" ? "title" : key] = String(rest[start.upperBound..<end.lowerBound])
      rest = rest[end.upperBound...]
    }
    return result
  }

  /// The last quote of a packet that does not end in a semicolon.
  private static func lastQuote(of text: Substring) -> Range<String.Index>? {
    text.lastIndex(of: "'").map { $0..<text.endIndex }
  }
}

/// An address that cannot be reached is the network's fault, whatever code FFmpeg picks for it.
private func connectionError(_ code: Int32, isSecure: Bool) -> MediaError {
  let error = mediaError(code, during: .open)
  switch error.kind {
  case .damaged where isSecure:
    return MediaError(.network, "no secure connection could be made (is the certificate valid?)", code: code)
  case .other, .damaged, .unrecognizedFormat:
    return MediaError(.network, "the address could not be reached (\(errorText(code)))", code: code)
  default: return error
  }
}
