import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Real files that others made, where their folder lies beside the repository: `../shared/media`.
struct CorpusTests {
  static let folder = MediaFixtures.packageRoot.deletingLastPathComponent().appendingPathComponent(
    "shared/media")

  struct Entry: CustomTestStringConvertible {
    var path: String
    /// Frames that FFmpeg 5.1's command line decodes.
    var frames: Int?
    var testDescription: String { path }
  }

  static let entries: [Entry] = {
    let manifest = folder.appendingPathComponent("MANIFEST.tsv")
    guard let text = try? String(contentsOf: manifest, encoding: .utf8) else { return [] }
    let lines = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    guard let head = lines.first, let column = head.firstIndex(of: "pcm_frames") else { return [] }
    return lines.dropFirst().compactMap { line in
      guard line.count > column else { return nil }
      let entry = Entry(path: String(line[0]), frames: Int(line[column]))
      return FileManager.default.fileExists(atPath: folder.appendingPathComponent(entry.path).path)
        ? entry : nil
    }
  }()

  /// Where the command line's count is not the true one: what is, and why.
  static let trueFrames: [String: Int] = [
    // iTunSMPB says so.
    "m4a/gst__sine-1kHztone-48kHzrate-mono-s32le-200000samples-itunes.m4a": 200_000,
    "m4a/lar__guitar.m4a": 191_983,
    // The sample table's last entry is shorter than a packet.
    "m4a/gst__sine-1kHztone-48kHzrate-mono-s32le-200000samples-nero-without-itunsmpb.m4a": 202_624,
    // The edit ends before the last packet does.
    "m4a/swa__five_seconds.m4a": 55_125,
    "mov/str__ios9.mov": 20_580,
    "mp4/ax__sample_edit_list.mp4": 112_382,
    "mp4/lar__video_multi_audio.mp4": 88_200,
    "mp4/mp4p__afconvert-aac-0.5s.mp4": 22_050,
    "mp4/rails__video_without_video_stream.mp4": 48_000,
    // 3100 / 600 s; the command line leaves out the last packet, of which part is to be heard.
    "mp4/rails__video.mp4": 227_850,
    // The edit is rounded to milliseconds; the command line leaves out the last packet, or cuts it.
    "mp4/ax__sample.mp4": 45_124,
    "mp4/ax__sample_mdat_too_long.mp4": 45_124,
    "mp4/ax__sample_ac3_aac.mp4": 14_304,
    "mp4/ax__sample_shorter_audio.mp4": 33_792,
    "mp4/ax__sample_with_chapters.mp4": 46_079,
    "mp4/san__Tiny Sample - NEW - Metaxed.mp4": 474_112,
    // The default of its two tracks, at 16 kHz; the command line's count is of the other.
    "mp4/tc__nasa_13013.mp4": 208_896,
    // Frames of two rates; the command line counts them converted to the first.
    "mp3/m3__l3-nonstandard-he_44_48khz.mp3": 645_120,
  ]

  @Test(arguments: entries)
  func `a real file gives the frames it holds`(_ entry: Entry) throws {
    let file = Self.folder.appendingPathComponent(entry.path)
    let decoded: DecodedFile
    do {
      decoded = try DecodedFile(file)
    } catch let error as MediaError {
      #expect(entry.frames == nil || entry.frames == 0, "\(error)")
      #expect(error.kind != .other && !error.reason.isEmpty && !error.reason.contains("\n"), "\(error)")
      return
    }
    #expect(decoded.frameCount == Self.trueFrames[entry.path] ?? entry.frames ?? 0)
    for (block, next) in zip(decoded.blocks, decoded.blocks.dropFirst()) where block.format == next.format {
      #expect(block.startFrame + Int64(block.frameCount) <= next.startFrame)
    }
  }
}
