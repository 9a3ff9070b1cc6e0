import Foundation
import TestSupport
import Testing
import VPlayModel

@testable import VPlayFFmpeg

struct SourceAddressTests {
  @Test(arguments: [
    ("file:///a%20b.wav", "/a b.wav"), ("file:/a.wav", "/a.wav"), ("FILE:///a.wav", "/a.wav"),
    ("file://localhost/a.wav", "/a.wav"), ("file:///100%25.wav", "/100%.wav"), ("file:///a%2525", "/a%25"),
    ("file:///a%23b%3Fc.wav#frag", "/a#b?c.wav"), ("file:///a:b.wav", "/a:b.wav"),
    ("file:///a%zz%2", "/a%zz%2"),
    ("file:///-dash.wav", "/-dash.wav"), ("file:///%ED%95%9C.wav", "/한.wav"),
  ])
  func `file URLs are decoded to their path`(_ url: String, _ path: String) throws {
    #expect(try SourceAddress(url: url) == .file(Array(path.utf8)))
  }

  @Test func `bytes that are no UTF-8 are kept`() throws {
    #expect(try SourceAddress(url: "file:///%FF%fe%80") == .file([0x2F, 0xFF, 0xFE, 0x80]))
  }

  @Test func `a NUL or nothing names no file`() {
    for url in ["file:///a%00b", "file:", "file://"] {
      let error = #expect(throws: MediaError.self) { try SourceAddress(url: url) }
      #expect(error?.kind == .notFound)
    }
  }

  @Test(arguments: ["a:b", "100% sure?", "#1", "한글", "-dash", "a\nb"])
  func `files of any name are opened`(_ name: String) throws {
    let bytes = MediaFixtures.wavBytes(samples: [1, 2, 3], rate: 8000, channels: 1)
    let file = try MediaFixtures.bytes(name + ".wav", bytes)
    let allowed = Set("/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    let path = file.path.utf8.map { byte in
      let hex = String(byte, radix: 16)
      return allowed.contains(byte) ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + hex
    }
    #expect(try DecodedFile(url: "file://" + path.joined()).frameCount == 3)
  }

  @Test func `what is remote cannot reach files`() throws {
    #expect(try !SourceAddress(url: "https://localhost/x").allowedProtocols.contains("file"))
  }
}
