import Foundation
import VPlayModel

/// An option of ``AVURLAsset``: a String, the value of `User-Agent` in requests for the medium.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

/// An option of ``AVURLAsset``: `[String: String]`, header fields that are sent with each request for the medium and
/// what belongs to it, such as the segments of a list. They are also sent to where a server redirects. A field that
/// holds a line break is left out.
public let AVURLAssetHTTPHeaderFieldsKey = "AVURLAssetHTTPHeaderFieldsKey"

/// An option of ``AVURLAsset``: seconds, 15 at first. A server that does not answer for so long has failed; one that
/// falls silent later is asked anew for what is missing. VPlay's own.
public let AVURLAssetRequestTimeoutKey = "VPlayURLAssetRequestTimeoutKey"

/// An option of ``AVURLAsset``: seconds, 60 at first. So long a medium that broke off is asked for again and again, from
/// where it broke; then it has failed. VPlay's own.
public let AVURLAssetPersistenceKey = "VPlayURLAssetPersistenceKey"

extension SourceOptions {
  /// What of an asset's options concerns the network. What is of another type, or no positive number, is ignored.
  init(assetOptions: [String: Any]?) {
    self.init()
    guard let assetOptions else { return }
    if let agent = assetOptions[AVURLAssetHTTPUserAgentKey] as? String { userAgent = agent }
    if let fields = assetOptions[AVURLAssetHTTPHeaderFieldsKey] as? [String: String] { headers = fields }
    if let seconds = Self.seconds(assetOptions[AVURLAssetRequestTimeoutKey]) { silenceSeconds = seconds }
    if let seconds = Self.seconds(assetOptions[AVURLAssetPersistenceKey]) { persistenceSeconds = seconds }
  }

  private static func seconds(_ value: Any?) -> Double? {
    let seconds = value as? Double ?? (value as? Int).map(Double.init) ?? (value as? NSNumber)?.doubleValue
    return seconds.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }
}
