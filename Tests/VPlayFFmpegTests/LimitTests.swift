import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Claims that would only cost memory.
struct LimitTests {
  private static func header(rate: Int, channels: Int) throws -> URL {
    var bytes = MediaFixtures.wavBytes(
      samples: MediaFixtures.noise(frames: 3000, channels: 2), rate: 44_100, channels: 2)
    for index in 0..<4 { bytes[24 + index] = UInt8(rate >> (8 * index) & 255) }
    (bytes[22], bytes[23]) = (UInt8(channels & 255), UInt8(channels >> 8))
    (bytes[32], bytes[33]) = (UInt8(2 * channels & 255), UInt8(2 * channels >> 8))
    return try MediaFixtures.bytes("claim-\(rate)-\(channels).wav", bytes)
  }

  @Test(arguments: [(0x7FFF_FFFF, 2), (1_073_741_824, 1), (100_855_296, 2), (192_000, 189), (5_644_800, 64)])
  func `a rate or a number of channels that cannot be is damage`(_ claim: (rate: Int, channels: Int)) throws {
    let file = try Self.header(rate: claim.rate, channels: claim.channels)
    #expect {
      try DecodedFile(file)
    } throws: { error in
      (error as? MediaError)?.kind == .damaged
    }
  }

  @Test(arguments: [(1, 1), (8000, 3), (192_000, 64), (768_000, 2), (5_644_800, 2)])
  func `what can be is played`(_ claim: (rate: Int, channels: Int)) throws {
    let decoded = try DecodedFile(try Self.header(rate: claim.rate, channels: claim.channels))
    #expect(decoded.frameCount == 6000 / claim.channels)
    #expect(decoded.blocks.first?.format.channelCount == claim.channels)
  }

  // In a process of its own: the peak counts all that was ever there.
  @Test func `a picture's claimed size costs no memory`() async {
    await #expect(processExitsWith: .success) {
      let picture = try MediaFixtures.ffmpeg(
        "claim.png", ["-f", "lavfi", "-i", "testsrc2=s=32x32,format=rgb48", "-frames:v", "1"])
      var bytes = [UInt8](try Data(contentsOf: picture))
      bytes.replaceSubrange(16..<24, with: [0, 0, 0x3E, 0x80, 0, 0, 0x3E, 0x80])
      // The header's checksum, or it is not believed.
      var crc: UInt32 = 0xFFFF_FFFF
      for byte in bytes[12..<29] {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      for index in 0..<4 { bytes[29 + index] = UInt8(~crc >> UInt32(24 - 8 * index) & 255) }
      let before = try LoopTests.peakBytes()
      _ = try? FFmpegSource(url: DecodedFile.address(try MediaFixtures.bytes("claimed.png", bytes))).open()
      #expect(try LoopTests.peakBytes() - before < 100 << 20)
    }
  }
}
