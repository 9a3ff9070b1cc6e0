import Foundation
import TestSupport
import Testing
import VPlayKit

/// Tags and covers, from every kind of container.
@Suite struct MetadataTests {
  struct Container: Sendable, CustomTestStringConvertible {
    var name: String
    var options: [String]
    var title: AVMetadataIdentifier
    var format: AVMetadataFormat
    var holdsCover = true
    var testDescription: String { name }
  }

  private static let containers = [
    Container(
      name: "tags.mp3", options: ["-c:a", "libmp3lame", "-c:v", "copy", "-id3v2_version", "4"],
      title: .id3MetadataTitleDescription, format: .id3Metadata),
    Container(
      name: "tags.m4a", options: ["-c:a", "aac", "-c:v", "copy", "-disposition:v", "attached_pic"],
      title: .iTunesMetadataSongName, format: .iTunesMetadata),
    Container(
      name: "tags.mov", options: ["-c:a", "aac", "-vn"], title: .quickTimeUserDataFullName,
      format: .quickTimeUserData, holdsCover: false),
    Container(
      name: "tags.flac", options: ["-c:a", "flac", "-c:v", "copy", "-disposition:v", "attached_pic"],
      title: .commonIdentifierTitle, format: .unknown),
    Container(
      name: "tags.ogg", options: ["-c:a", "libvorbis", "-vn"], title: .commonIdentifierTitle, format: .unknown,
      holdsCover: false),
    Container(
      name: "tags.opus", options: ["-c:a", "libopus", "-vn"], title: .commonIdentifierTitle, format: .unknown,
      holdsCover: false),
    Container(
      name: "tags.mkv", options: ["-c:a", "libvorbis", "-vn"], title: .commonIdentifierTitle, format: .unknown,
      holdsCover: false),
    Container(
      name: "tags.wav", options: ["-c:a", "pcm_s16le", "-vn"], title: .commonIdentifierTitle, format: .unknown,
      holdsCover: false),
  ]

  @Test(arguments: containers)
  func tags(container: Container) async throws {
    let cover = try MediaFixtures.ffmpeg(
      "cover.png", ["-f", "lavfi", "-i", "color=red:size=16x16", "-frames:v", "1"])
    let file = try MediaFixtures.ffmpeg(
      container.name,
      [
        "-f", "lavfi", "-i", "sine=duration=0.5:sample_rate=48000", "-i", cover.path, "-map", "0", "-map", "1",
        "-metadata", "title=A Título", "-metadata", "artist=Ärtist", "-metadata", "album=Album", "-metadata",
        "date=2024", "-metadata", "track=3", "-metadata", "genre=Noise",
      ] + container.options)
    let (metadata, common, formats) = try await AVURLAsset(url: file).load(
      .metadata, .commonMetadata, .availableMetadataFormats)
    func text(_ identifier: AVMetadataIdentifier, in items: [AVMetadataItem]) -> String? {
      AVMetadataItem.metadataItems(from: items, filteredByIdentifier: identifier).first?.stringValue
    }
    #expect(text(.commonIdentifierTitle, in: common) == "A Título")
    #expect(text(.commonIdentifierArtist, in: common) == "Ärtist")
    #expect(text(.commonIdentifierAlbumName, in: common) == "Album")
    #expect(text(.commonIdentifierType, in: common) == "Noise")
    #expect(text(container.title, in: metadata) == "A Título")
    #expect(formats == [container.format])
    let date = AVMetadataItem.metadataItems(from: common, filteredByIdentifier: .commonIdentifierCreationDate).first
    #expect(try await date?.load(.dateValue) == Date(timeIntervalSince1970: 1_704_067_200))
    // FFmpeg's writer of QuickTime leaves it out.
    #expect(
      container.format == .quickTimeUserData
        || metadata.contains { $0.stringValue == "3" && $0.numberValue == 3 && $0.commonKey == nil })
    let artworks = AVMetadataItem.metadataItems(from: common, filteredByIdentifier: .commonIdentifierArtwork)
    #expect(artworks.count == (container.holdsCover ? 1 : 0))
    if container.holdsCover {
      #expect(try await artworks.first?.load(.dataValue) == Data(contentsOf: cover))
      #expect(artworks.first?.dataType == "public.png" && artworks.first?.stringValue == nil)
    }
    // A cover is no track.
    #expect(try await AVURLAsset(url: file).load(.tracks).map(\.mediaType) == [.audio])
  }

  @Test(arguments: [("mp4", "aac"), ("mkv", "flac"), ("mp3", "libmp3lame"), ("opus", "libopus")])
  func chapters(suffix: String, codec: String) async throws {
    let list = try MediaFixtures.bytes(
      "chapters.txt",
      Array(
        (";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=400\ntitle=Eins\n"
          + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=400\nEND=1000\ntitle=Zwei\n").utf8))
    let file = try MediaFixtures.ffmpeg(
      "chapters.\(suffix)",
      ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000", "-i", list.path, "-map_chapters", "1", "-c:a", codec])
    let asset = AVURLAsset(url: file)
    let groups = try await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: ["ko", "en"])
    #expect(groups.map { $0.items.first { $0.commonKey == .commonKeyTitle }?.stringValue } == ["Eins", "Zwei"])
    #expect(groups.map { ($0.timeRange.start.seconds * 100).rounded() } == [0, 40])
    #expect(groups.first?.items.first?.time == .zero && groups[0].timeRange.duration == groups[0].items[0].duration)
    #expect(try await asset.load(.availableChapterLocales).count == 1)
    #expect(try await asset.loadChapterMetadataGroups(withTitleLocale: Locale(identifier: "de")).count == 2)
  }

  @Test func choosing() async throws {
    let file = try MediaFixtures.ffmpeg(
      "choose.m4a",
      ["-f", "lavfi", "-i", "sine=duration=0.2", "-metadata", "title=T", "-metadata", "artist=A", "-c:a", "aac"])
    let items = try await AVURLAsset(url: file).load(.metadata)
    let byKey = AVMetadataItem.metadataItems(
      from: items, withKey: AVMetadataKey.commonKeyTitle, keySpace: .common)
    #expect(byKey.map(\.stringValue) == ["T"])
    #expect(AVMetadataItem.metadataItems(from: items, withKey: "©nam", keySpace: .iTunes).count == 1)
    #expect(AVMetadataItem.metadataItems(from: items, withKey: nil, keySpace: .iTunes).count >= 2)
    #expect(AVMetadataItem.metadataItems(from: items, withKey: 5, keySpace: nil).isEmpty)
    #expect(AVMetadataItem.identifier(forKey: "©nam", keySpace: .iTunes) == .iTunesMetadataSongName)
    #expect(AVMetadataItem.identifier(forKey: "TIT2", keySpace: .id3) == .id3MetadataTitleDescription)
    #expect(AVMetadataItem.keySpace(forIdentifier: .id3MetadataComposer) == .id3)
    #expect(AVMetadataItem.key(forIdentifier: .iTunesMetadataAlbum) as? NSString == "©alb")
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2024", 1_704_067_200), ("2024-03", 1_709_251_200),
      ("2024-02-29", 1_709_164_800), ("2024-05-06T07:08:09Z", 1_714_979_289),
      ("2024-05-06T07:08:09.500000Z", 1_714_979_289.5), ("2024-05-06T09:08:09+0200", 1_714_979_289),
      ("2024-05-06 07:08:09", 1_714_979_289), ("1969-12-31", -86_400), ("20", nil), ("soon", nil), ("2024-13", nil),
    ] as [(String, Double?)])
  func dates(text: String, seconds: Double?) {
    #expect(ISODate.date(of: text)?.timeIntervalSince1970 == seconds)
  }
}
