import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Every codec and container that FFmpeg can make: to the frame where they tell their length, to a block elsewhere.
struct ZooTests {
  @Test(arguments: MediaZoo.all)
  func `each kind of file gives what it holds`(_ animal: MediaZoo.Animal) throws {
    let file = try MediaZoo.file(animal)
    let decoded = try DecodedFile(file)
    let samples = MediaZoo.samples(of: animal)
    let frames = samples.count / animal.channels
    #expect(decoded.errors.isEmpty)
    #expect(decoded.isContinuous)
    let first = try #require(decoded.blocks.first)
    #expect(first.format.channelCount == animal.channels)
    #expect(first.format.sampleRate == animal.rate)
    if animal.isExact {
      #expect(decoded.startFrame == 0)
      #expect(decoded.frameCount == frames)
    } else {
      // Whole blocks; two of them are lost where a decoder has no beginning without what came before.
      let start = try #require(decoded.startFrame)
      let end = try #require(decoded.endFrame)
      #expect(start <= 4096 && abs(Int(end) - frames) <= 4096, "\(start)..<\(end) of \(frames)")
    }
  }
}
