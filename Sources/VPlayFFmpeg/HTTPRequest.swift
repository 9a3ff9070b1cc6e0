internal import CVPlayFFmpeg
internal import Glibc
internal import VPlayModel

/// What is asked of a server, as options of FFmpeg's protocols.
struct HTTPRequest {
  var url: String
  var allowedProtocols: String
  var options: SourceOptions

  /// For a request from an offset on.
  func settings(from offset: Int64) -> [String: String] {
    var settings = sharedSettings
    settings["protocol_whitelist"] = allowedProtocols
    if offset > 0 { settings["offset"] = String(offset) }
    return settings
  }

  /// For what a list or a container opens by itself: FFmpeg asks anew there when a connection breaks.
  var nestedSettings: [String: String] {
    var settings = sharedSettings
    settings["reconnect"] = "1"
    settings["reconnect_on_network_error"] = "1"
    settings["reconnect_on_http_error"] = "5xx"
    // The waits double: their sum is about twice the longest.
    settings["reconnect_delay_max"] = String(max(1, Int(min(options.persistenceSeconds, 3600) / 2)))
    return settings
  }

  private var sharedSettings: [String: String] {
    var settings = ["user_agent": HTTPRequest.oneLine(options.userAgent) ?? "", "tls_verify": "1"]
    // Microseconds; of the connection's opening, and of each wait for data.
    settings["timeout"] = String(Int64(min(max(options.silenceSeconds, 0.01), 86_400) * 1e6))
    let lines = options.headers.sorted { $0.key < $1.key }.compactMap { name, value -> String? in
      guard let name = HTTPRequest.oneLine(name), let value = HTTPRequest.oneLine(value),
        !name.isEmpty, !name.contains(":")
      else { return nil }
      return "\(name): \(value)\r\n"
    }
    if !lines.isEmpty { settings["headers"] = lines.joined() }
    if let file = options.certificateFile ?? HTTPRequest.systemCertificates { settings["ca_file"] = file }
    return settings
  }

  /// A line break would begin a header of its own: what holds one is not sent.
  private static func oneLine(_ text: String) -> String? {
    text.utf8.contains { $0 == 13 || $0 == 10 || $0 == 0 } ? nil : text
  }

  /// Where systems keep the certificates that they trust; not every library that FFmpeg uses looks there itself.
  private static let systemCertificates: String? = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/cert.pem",
  ].first { access($0, R_OK) == 0 }
}

/// FFmpeg's dictionary of these options, which the caller frees.
func makeDictionary(_ options: [String: String]) -> OpaquePointer? {
  var dictionary: OpaquePointer?
  for (key, value) in options { av_dict_set(&dictionary, key, value, 0) }
  return dictionary
}
