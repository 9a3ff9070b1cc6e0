import Glibc
import TestSupport
import Testing
import VPlayEngine
import VPlayModel

@Suite struct WAVFileSinkTests {
  private func open(_ sink: WAVFileSink, _ format: AudioFormat = .stereo(48_000)) throws -> any AudioSinkStream {
    try sink.openStream(StreamRequest(format: format), cancellation: SinkCancellation()) { _ in }
  }

  private func write(_ stream: any AudioSinkStream, _ samples: [Float], at frame: Int64) throws {
    try samples.withUnsafeBufferPointer { try stream.write($0, at: frame) }
  }

  @Test func everyBitIsInTheFile() throws {
    try withTemporaryPath { path in
      let sink = WAVFileSink(path: path)
      let noise = NoiseMedia().floats(fromFrame: 0, count: 60_000)
      let stream = try open(sink)
      #expect(!sink.isRealTime)
      try stream.setCorked(false)
      for piece in 0..<6 {
        try write(stream, Array(noise[piece * 20_000..<(piece + 1) * 20_000]), at: Int64(piece * 10_000))
      }
      let timing = try stream.timing()
      #expect([timing.readFrame, timing.heardFrame, timing.rewriteFrame] == [60_000, 60_000, 60_000])
      #expect(stream.nextWake(endFrame: 0, now: HostTime(nanoseconds: 7)) == HostTime(nanoseconds: 7))
      // As after a kill: the header is right up to the last second.
      let killed = try ParsedWAV(path)
      #expect(killed.dataBytes >= 48_000 * 8)
      stream.close()
      stream.close()
      let file = try ParsedWAV(path)
      #expect(file.tag == 3 && file.channels == 2 && file.rate == 48_000 && file.bits == 32)
      #expect(file.dataBytes == 60_000 * 8 && file.riffBytes == file.fileBytes - 8 && file.factFrames == 60_000)
      #expect(file.samples == noise)
      try sink.finish()
    }
  }

  @Test func whileCorkedWhatIsWrittenCanBeRewritten() throws {
    try withTemporaryPath { path in
      let sink = WAVFileSink(path: path)
      let stream = try open(sink, .mono(48_000))
      try write(stream, [1, 2, 3, 4], at: 0)
      try write(stream, [7, 8, 9], at: 2)
      #expect(try stream.timing().readFrame == 0)
      try stream.setCorked(false)
      try write(stream, [0.5, 0.25], at: 4)
      try write(stream, [6], at: 7)
      try stream.setCorked(true)
      try write(stream, [1], at: 8)
      stream.close()
      #expect(try ParsedWAV(path).samples == [1, 2, 7, 8, 9, 0.25, 0, 6])
    }
  }

  @Test func aSecondStreamContinuesTheFileInItsFirstFormat() throws {
    try withTemporaryPath { path in
      let sink = WAVFileSink(path: path)
      let first = try open(sink)
      #expect(throws: SinkError.self) { try open(sink) }
      try first.setCorked(false)
      try write(first, [1, 2], at: 0)
      first.close()
      #expect(throws: SinkError(.lost, "the stream is closed")) { try first.timing() }
      let second = try open(sink, .mono(44_100))
      #expect(second.format == .stereo(48_000))
      try second.setCorked(false)
      try write(second, [3, 4], at: 0)
      second.close()
      #expect(try ParsedWAV(path).samples == [1, 2, 3, 4])
    }
  }

  @Test func moreChannelsAreNamedInTheOrderOfTheirPlaces() throws {
    try withTemporaryPath { path in
      let sink = WAVFileSink(path: path)
      let stream = try open(
        sink,
        AudioFormat(sampleRate: 48_000, channels: [.sideLeft, .frontLeft, .frontRight, .lowFrequency, .sideRight]))
      #expect(stream.format.channels == [.frontLeft, .frontRight, .lowFrequency, .sideLeft, .sideRight])
      stream.close()
      let file = try ParsedWAV(path)
      #expect(file.tag == 0xfffe && file.mask == 0x60b && file.channels == 5)
    }
    try withTemporaryPath { path in
      let format = AudioFormat(sampleRate: 48_000, channels: [.frontRight, .unknown, .unknown])
      let stream = try open(WAVFileSink(path: path), format)
      #expect(stream.format == format)
      stream.close()
      #expect(try ParsedWAV(path).mask == 0)
    }
  }

  @Test func whatCannotBeWrittenIsAnError() throws {
    #expect(throws: SinkError(.writeFailed, "No such file or directory")) {
      try open(WAVFileSink(path: "/nonexistent/file.wav"))
    }
    #expect(throws: SinkError(.writeFailed, "Is a directory")) { try open(WAVFileSink(path: "/tmp")) }
    #expect(throws: SinkError(.writeFailed, "No space left on device")) { try open(WAVFileSink(path: "/dev/full")) }
    let cancellation = SinkCancellation()
    let stream = try WAVFileSink(path: "/dev/null").openStream(
      StreamRequest(format: .stereo(48_000)), cancellation: cancellation
    ) { _ in }
    try stream.setCorked(false)
    try write(stream, [1, 1], at: 0)
    cancellation.cancel()
    #expect(throws: SinkError.self) { try write(stream, [1, 1], at: 1) }
  }

  @Test func aPipeWithoutAReaderIsAnErrorAndNoSignal() throws {
    try withTemporaryPath { path in
      #expect(mkfifo(path, 0o600) == 0)
      #expect(throws: SinkError(.writeFailed, "nobody reads the pipe")) { try open(WAVFileSink(path: path)) }
      let reader = Glibc.open(path, O_RDONLY | O_NONBLOCK)
      let stream = try open(WAVFileSink(path: path))
      try stream.setCorked(false)
      try write(stream, [1, 1], at: 0)
      Glibc.close(reader)
      #expect(throws: SinkError(.writeFailed, "Broken pipe")) { try write(stream, [1, 1], at: 1) }
      #expect(throws: SinkError(.writeFailed, "Broken pipe")) { try write(stream, [1, 1], at: 1) }
    }
  }
}

/// A WAV file taken apart.
struct ParsedWAV {
  private let bytes: [UInt8]
  private(set) var tag = 0
  private(set) var channels = 0
  private(set) var rate = 0
  private(set) var bits = 0
  private(set) var mask = 0
  private(set) var factFrames = 0
  private(set) var dataBytes = 0
  private var dataOffset = 0

  var riffBytes: Int { number(4, 4) }
  var fileBytes: Int { bytes.count }

  var samples: [Float] {
    stride(from: dataOffset, to: min(dataOffset + dataBytes, bytes.count), by: 4).map {
      Float(bitPattern: UInt32(number($0, 4)))
    }
  }

  init(_ path: String) throws {
    bytes = try contentsOfFile(path)
    var offset = 12
    while offset + 8 <= bytes.count {
      let name = String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
      let size = number(offset + 4, 4)
      switch name {
      case "fmt ":
        tag = number(offset + 8, 2)
        channels = number(offset + 10, 2)
        rate = number(offset + 12, 4)
        bits = number(offset + 22, 2)
        if tag == 0xfffe { mask = number(offset + 28, 4) }
      case "fact": factFrames = number(offset + 8, 4)
      case "data":
        dataBytes = size
        dataOffset = offset + 8
      default: break
      }
      offset += 8 + size
    }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
  }
}

private struct FileError: Error {}

func contentsOfFile(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw FileError() }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Runs `body` with the path of a file in a folder of its own, which is removed afterwards.
func withTemporaryPath(_ body: (String) throws -> Void) throws {
  var template = Array("/tmp/vplay-test-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw FileError() }
  let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let path = folder + "/out.wav"
  defer {
    unlink(path)
    rmdir(folder)
  }
  try body(path)
}
