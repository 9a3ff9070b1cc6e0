public import Foundation

open class AVAsset: NSObject, @unchecked Sendable {
  let location: URL
  init(location: URL) { self.location = location }
}

open class AVURLAsset: AVAsset, @unchecked Sendable {
  public init(url: URL, options: [String: Any]? = nil) { super.init(location: url) }
  open var url: URL { location }
}

public let AVURLAssetPreferPreciseDurationAndTimingKey = "AVURLAssetPreferPreciseDurationAndTimingKey"
