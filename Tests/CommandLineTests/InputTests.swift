import Testing

@testable import vplay

struct InputTests {
  private func input(_ text: String) -> Input { Input(argument: Array(text.utf8)) }
  private let folder = Array("/home/a b".utf8)

  @Test(arguments: [
    ("clip.mov", "file:///home/a%20b/clip.mov"), ("/x/clip.mov", "file:///x/clip.mov"),
    ("a:b.wav", "file:///home/a%20b/a%3Ab.wav"),
    ("100%.wav", "file:///home/a%20b/100%25.wav"), ("a#b?c", "file:///home/a%20b/a%23b%3Fc"),
    ("http:", "file:///home/a%20b/http%3A"), ("é", "file:///home/a%20b/%C3%A9"),
    ("./-", "file:///home/a%20b/./-"),
    ("ftp://x/y", "file:///home/a%20b/ftp%3A//x/y"), ("-", "pipe:0"),
    ("http://h:80/a?b=c%20d#e", "http://h:80/a?b=c%20d#e"), ("HTTPS://h/a b", "HTTPS://h/a%20b"),
    ("file:///a%20b", "file:///a%20b"),
  ])
  func addresses(argument: String, address: String) {
    #expect(input(argument).address(folder: folder) == address)
  }

  @Test func bytesThatAreNotUTF8() {
    #expect(Input(argument: [0x2f, 0xff, 0xfe]).address(folder: folder) == "file:///%FF%FE")
  }

  @Test func names() {
    #expect(input("-").name == "standard input")
    #expect(input("/x/y.wav").name == "/x/y.wav")
    #expect(input("/x/y.wav").shortName == "y.wav")
    #expect(input("/").shortName == "/")
    #expect(Input(argument: [0x61, 0x07]).name == "a\\x07")
  }
}
