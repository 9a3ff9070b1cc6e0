package import Foundation
package import VPlayFFmpeg
package import VPlayModel

/// A medium's first sound track, decoded from one place on, and what was seen on the way.
package struct DecodedFile {
  package struct Block: Equatable {
    package var startFrame: Int64
    package var frameCount: Int
    package var format: AudioFormat
  }

  package var description: MediaDescription
  package var blocks: [Block] = []
  package var samples: [Float] = []
  package var errors: [MediaError] = []

  package var frameCount: Int { blocks.reduce(0) { $0 + $1.frameCount } }
  package var startFrame: Int64? { blocks.first?.startFrame }
  package var endFrame: Int64? { blocks.last.map { $0.startFrame + Int64($0.frameCount) } }
  /// Whether each block begins where the one before ended.
  package var isContinuous: Bool {
    zip(blocks, blocks.dropFirst()).allSatisfy { $0.startFrame + Int64($0.frameCount) == $1.startFrame }
  }

  package init(_ file: URL) throws { try self.init(url: Self.address(file)) }

  package init(url: String) throws {
    let reader = try TrackReader(url: url)
    description = reader.description
    try reader.readToEnd(into: &self)
  }

  package init(description: MediaDescription) { self.description = description }

  package static func address(_ file: URL) -> String { file.absoluteURL.absoluteString }
}

/// A source and a decoder of its first sound track, for a test's one thread.
package final class TrackReader {
  package let source: FFmpegSource
  package let description: MediaDescription
  package let decoder: any AudioDecoder

  package init(url: String, options: SourceOptions = SourceOptions()) throws {
    source = FFmpegSource(url: url, options: options)
    description = try source.open()
    guard let track = description.audioTracks.first else {
      throw MediaError(.nothingPlayable, "no sound track")
    }
    source.select(trackIDs: [track.id])
    decoder = try source.makeAudioDecoder(trackID: track.id)
  }

  package func seek(to time: MediaTime) throws {
    try source.seek(to: time)
    decoder.restart(at: time)
  }

  /// Decodes until at least `frames` frames are there, or to the end.
  package func readToEnd(into result: inout DecodedFile, atLeast frames: Int = .max) throws {
    var isEnded = false
    var (blocks, samples, count) = (result.blocks, result.samples, 0)
    while !isEnded && count < frames {
      do {
        let packet = try source.read()
        isEnded = packet == nil
        try decoder.decode(packet) { block in
          blocks.append(
            DecodedFile.Block(
              startFrame: block.startFrame, frameCount: block.frameCount, format: block.format))
          samples.append(contentsOf: block.samples)
          count += block.frameCount
        }
      } catch {
        result.errors.append(error)
        // No file has more packets than bytes.
        if result.errors.count > 2_000_000 { throw error }
      }
    }
    (result.blocks, result.samples) = (blocks, samples)
  }

  package func read(atLeast frames: Int) throws -> DecodedFile {
    var result = DecodedFile(description: description)
    try readToEnd(into: &result, atLeast: frames)
    return result
  }
}
