// describe FILE: says what a file holds, the older way: in Swift 5, with keys and a completion handler.
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

guard CommandLine.arguments.count == 2 else {
  print("usage: describe FILE")
  exit(2)
}

let asset = AVURLAsset(
  url: URL(fileURLWithPath: CommandLine.arguments[1]),
  options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])

asset.loadValuesAsynchronously(forKeys: ["duration", "tracks", "commonMetadata"]) {
  var error: NSError?
  guard asset.statusOfValue(forKey: "duration", error: &error) == .loaded else {
    print(error?.localizedDescription ?? "it cannot be read")
    exit(1)
  }
  print("\(CMTimeGetSeconds(asset.duration)) s")
  for track in asset.tracks {
    print("track \(track.trackID): \(track.mediaType.rawValue) \(track.languageCode ?? "")")
  }
  let titles = AVMetadataItem.metadataItems(
    from: asset.commonMetadata, filteredByIdentifier: .commonIdentifierTitle)
  for title in titles { print(title.stringValue ?? "") }
  exit(0)
}
dispatchMain()
