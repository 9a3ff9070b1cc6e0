// render-wav FILE OUTPUT: writes a file's sound as a WAV file of 16 bits at 48 kHz in stereo, as fast as it decodes.
#if canImport(AVFoundation)
  import AVFoundation
#else
  import VPlayKit
#endif

guard CommandLine.arguments.count == 3 else {
  print("usage: render-wav FILE OUTPUT")
  exit(2)
}

func little(_ value: Int, bytes: Int) -> Data {
  Data((0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
}

func header(dataBytes: Int) -> Data {
  let format = little(1, bytes: 2) + little(2, bytes: 2) + little(48_000, bytes: 4)
  let layout = little(48_000 * 4, bytes: 4) + little(4, bytes: 2) + little(16, bytes: 2)
  return Data("RIFF".utf8) + little(36 + dataBytes, bytes: 4) + Data("WAVEfmt ".utf8) + little(16, bytes: 4)
    + format + layout + Data("data".utf8) + little(dataBytes, bytes: 4)
}

do {
  let asset = AVURLAsset(url: URL(fileURLWithPath: CommandLine.arguments[1]))
  let reader = try AVAssetReader(asset: asset)
  let output = AVAssetReaderAudioMixOutput(
    audioTracks: try await asset.loadTracks(withMediaType: .audio),
    audioSettings: [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
      AVLinearPCMBitDepthKey: 16, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
    ])
  reader.add(output)

  let url = URL(fileURLWithPath: CommandLine.arguments[2])
  try header(dataBytes: 0).write(to: url)
  let file = try FileHandle(forWritingTo: url)
  try file.seekToEnd()
  var bytes = 0
  if reader.startReading() {
    while let data = try output.copyNextSampleBuffer()?.dataBuffer?.dataBytes() {
      try file.write(contentsOf: data)
      bytes += data.count
    }
  }
  try file.seek(toOffset: 0)
  try file.write(contentsOf: header(dataBytes: bytes))
  if let error = reader.error { throw error }
  print("\(bytes / 4) frames")
} catch {
  print(error.localizedDescription)
  exit(1)
}
