import Foundation
import TestSupport
import Testing
import VPlayFFmpeg
import VPlayModel

/// Media that come through a descriptor and cannot be sought in.
struct PipeTests {
  /// A descriptor from which `bytes` can be read, and a thread that feeds them.
  static func pipe(_ bytes: [UInt8]) -> FileHandle {
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    signal(SIGPIPE, SIG_IGN)
    Thread.detachNewThread {
      try? writer.write(contentsOf: Data(bytes))
      try? writer.close()
    }
    return pipe.fileHandleForReading
  }

  static func decode(_ bytes: [UInt8]) throws -> DecodedFile {
    let handle = pipe(bytes)
    defer { try? handle.close() }
    return try DecodedFile(url: "pipe:\(handle.fileDescriptor)")
  }

  @Test func `a WAV of unknown size plays to its end by file and by pipe`() throws {
    let samples = MediaFixtures.noise(frames: 100_001, channels: 2)
    var bytes = MediaFixtures.wavBytes(samples: samples, rate: 44100, channels: 2)
    for index in [4, 5, 6, 7, 40, 41, 42, 43] { bytes[index] = 255 }
    let expected = samples.map { Float($0) / 32768 }

    let file = try DecodedFile(try MediaFixtures.bytes("streamed.wav", bytes))
    #expect(file.samples == expected)
    #expect(file.description.duration == MediaTime(frame: 100_001, rate: 44100))

    let piped = try Self.decode(bytes)
    #expect(piped.samples == expected)
    #expect(piped.description.duration == nil)
    #expect(!piped.description.isSeekable)
    #expect(piped.description.audioTracks.first?.exactEndFrame == nil)
  }

  @Test func `an empty WAV is empty`() throws {
    let bytes = MediaFixtures.wavBytes(samples: [], rate: 44100, channels: 2)
    let file = try DecodedFile(try MediaFixtures.bytes("zero.wav", bytes))
    #expect(file.frameCount == 0 && file.errors.isEmpty)
    #expect(file.description.duration == .zero)
    #expect(try Self.decode(bytes).frameCount == 0)
  }

  @Test func `a movie with its index in front has its exact length by pipe too`() throws {
    let wav = try MediaFixtures.wav(
      "piped.wav", samples: MediaFixtures.noise(frames: 33_333, channels: 2), rate: 44100, channels: 2)
    let movie = try MediaFixtures.encode(wav, as: "piped.m4a", ["-c:a", "aac", "-movflags", "+faststart"])
    let decoded = try Self.decode([UInt8](try Data(contentsOf: movie)))
    #expect(decoded.frameCount == 33_333)
    #expect(decoded.description.isDurationExact)
  }

  @Test func `a movie with its index at the end cannot be piped, and fails at once`() throws {
    let bytes = [UInt8](try Data(contentsOf: try SourceErrorTests.clip()))
    #expect(throws: MediaError.self) { try Self.decode(bytes) }
  }

  @Test func `a pipe cannot be sought in`() throws {
    let handle = Self.pipe(MediaFixtures.wavBytes(samples: [1, 2, 3, 4], rate: 44100, channels: 2))
    defer { try? handle.close() }
    let reader = try TrackReader(url: "pipe:\(handle.fileDescriptor)")
    let error = #expect(throws: MediaError.self) { try reader.seek(to: .zero) }
    #expect(error?.kind == .notSeekable)
  }

  @Test func `a descriptor of a file is read from where it stands, and can be sought in`() throws {
    let samples = MediaFixtures.noise(frames: 5000, channels: 2)
    let wav = MediaFixtures.wavBytes(samples: samples, rate: 44100, channels: 2)
    let file = try MediaFixtures.bytes("prefixed.bin", Array("line\n".utf8) + wav)
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try handle.seek(toOffset: 5)
    let reader = try TrackReader(url: "pipe:\(handle.fileDescriptor)")
    #expect(try reader.read(atLeast: .max).frameCount == 5000)
    try reader.seek(to: MediaTime(frame: 1234, rate: 44100))
    let part = try reader.read(atLeast: .max)
    #expect(part.startFrame == 1234 && part.endFrame == 5000)
  }

  @Test func `an interrupt ends the wait for a FIFO's writer and for data`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-fifo-\(getpid())").path
    mkfifo(path, 0o600)
    defer { unlink(path) }
    for hasWriter in [false, true] {
      let source = FFmpegSource(url: "file://" + path)
      let result = Monitor<MediaError?>(nil)
      Thread.detachNewThread {
        do {
          _ = try source.open()
          result.withLockAndWake { $0 = MediaError(.other, "opened") }
        } catch {
          result.withLockAndWake { $0 = error as? MediaError }
        }
      }
      // Opening to write succeeds once the reader is there, so that this waits for it.
      let writer = hasWriter ? Glibc.open(path, O_WRONLY) : -1
      source.interrupt()
      let deadline = SystemClock().now.advanced(bySeconds: 5)
      let error = result.wait(until: deadline) { $0 }
      #expect(error?.kind == .interrupted)
      if writer >= 0 { close(writer) }
    }
  }

  // FFmpeg looks through 64 KiB of a WAV for other sound in disguise.
  @Test(arguments: [80_000, 120_000])
  func `what a pipe has given so far can be decoded`(_ count: Int) throws {
    let bytes = MediaFixtures.wavBytes(
      samples: MediaFixtures.noise(frames: 100_000, channels: 2), rate: 48_000, channels: 2)
    let pipe = Pipe()
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread { try? writer.write(contentsOf: Data(bytes[..<count])) }
    let source = FFmpegSource(url: "pipe:\(pipe.fileHandleForReading.fileDescriptor)")
    let frames = Monitor(0)
    Thread.detachNewThread {
      do {
        let description = try source.open()
        source.select(trackIDs: description.audioTracks.map(\.id))
        while let packet = try source.read() { frames.withLockAndWake { $0 += packet.sizeBytes / 4 } }
      } catch {}
      frames.withLockAndWake { $0 = .min }
    }
    // All but the last packet's.
    let deadline = SystemClock().now.advanced(bySeconds: 5)
    let isThere = frames.wait(until: deadline) { $0 >= count / 4 - 2048 ? true : nil }
    #expect(isThere == true)
    source.interrupt()
    _ = frames.wait(until: deadline) { $0 < 0 ? true : nil }
  }

  @Test func `an interrupted source stays so`() throws {
    let reader = try TrackReader(url: DecodedFile.address(try SeekTests.file("wav")))
    reader.source.interrupt()
    let read = #expect(throws: MediaError.self) { try reader.source.read() }
    let seek = #expect(throws: MediaError.self) { try reader.source.seek(to: .zero) }
    #expect(read?.kind == .interrupted && seek?.kind == .interrupted)
  }
}
