package import Foundation
internal import Glibc
internal import VPlayModel

/// Media files for tests, made once a run by the installed `ffmpeg` in a folder that goes with the process.
package enum MediaFixtures {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private struct State {
    var made: [String: URL] = [:]
    var folder: URL?
  }

  private static let state = Monitor(State())

  /// The file `name`, made by `ffmpeg` from these arguments (output left out) on first use.
  package static func ffmpeg(_ name: String, _ arguments: [String]) throws -> URL {
    try make(name) { file in
      try run(["ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "error", "-y"] + arguments + [file.path])
    }
  }

  /// The file `name`, holding exactly these bytes.
  package static func bytes(_ name: String, _ bytes: [UInt8]) throws -> URL {
    try make(name) { file in try Data(bytes).write(to: file) }
  }

  /// A 16-bit WAV file of `samples`, interleaved.
  package static func wav(_ name: String, samples: [Int16], rate: Int, channels: Int) throws -> URL {
    try bytes(name, wavBytes(samples: samples, rate: rate, channels: channels))
  }

  /// `source` encoded by `ffmpeg` with these options.
  package static func encode(_ source: URL, as name: String, _ options: [String]) throws -> URL {
    try ffmpeg(name, ["-i", source.path] + options)
  }

  /// A movie like `source` whose picture is to be shown a quarter turn clockwise, by its track's matrix. `ffmpeg` takes this by
  /// different options in each version.
  package static func turned(_ source: URL, as name: String) throws -> URL {
    try make(name) { file in
      var bytes = [UInt8](try Data(contentsOf: source))
      // ISO/IEC 14496-12, 8.3.2, version 0: the matrix stands 40 bytes into the box's content, then width and height.
      for index in bytes.indices.dropLast(88) where bytes[index...].starts(with: "tkhd".utf8) {
        let matrix = index + 44
        let isPicture = bytes[(matrix + 36)..<(matrix + 44)].contains { $0 != 0 }
        guard isPicture else { continue }
        let height = Array(bytes[(matrix + 40)..<(matrix + 44)])
        let one: [UInt8] = [0, 1, 0, 0]
        let zero: [UInt8] = [0, 0, 0, 0]
        let minusOne: [UInt8] = [0xFF, 0xFF, 0, 0]
        let unit: [UInt8] = [0x40, 0, 0, 0]
        let rows = [zero, one, zero, minusOne, zero, zero, height, zero, unit]
        bytes.replaceSubrange(matrix..<(matrix + 36), with: rows.joined())
      }
      try Data(bytes).write(to: file)
    }
  }

  /// Reproducible noise under half of full scale, for telling every frame from every other.
  package static func noise(frames: Int, channels: Int, seed: UInt64 = 1) -> [Int16] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<frames * channels).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int16(truncatingIfNeeded: Int64(state >> 48) - 32768) / 2
    }
  }

  package static func wavBytes(samples: [Int16], rate: Int, channels: Int) -> [UInt8] {
    var file = wavHeader(dataBytes: samples.count * 2, rate: rate, channels: channels)
    file.reserveCapacity(file.count + samples.count * 2)
    for sample in samples {
      file.append(UInt8(truncatingIfNeeded: sample))
      file.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return file
  }

  /// What stands before the data of a 16-bit WAV file.
  package static func wavHeader(dataBytes: Int, rate: Int, channels: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    var header = Array("RIFF".utf8) + little(36 + dataBytes, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
    header += little(1, 2) + little(channels, 2) + little(rate, 4) + little(rate * channels * 2, 4)
    header += little(channels * 2, 2) + little(16, 2) + Array("data".utf8) + little(dataBytes, 4)
    return header
  }

  /// Runs a program found in PATH; its standard output. Throws with its error output when it is missing or fails.
  @discardableResult
  package static func run(_ command: [String]) throws -> Data {
    var log = Array("\(FileManager.default.temporaryDirectory.path)/vplay-log-XXXXXX".utf8CString)
    let file = mkstemp(&log)
    guard file >= 0 else { throw Failure(description: "no temporary file: \(String(cString: strerror(errno)))") }
    defer {
      unlink(log)
      close(file)
    }
    let pipe = try ChildProcess.pipe()
    defer { close(pipe.read) }
    let child: ChildProcess
    do {
      defer { close(pipe.write) }
      let path = log.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      child = try ChildProcess(
        command, environment: ProcessInfo.processInfo.environment, log: path, output: pipe.write)
    }
    let data = readAll(pipe.read)
    let status = child.wait()
    guard status == 0 else {
      throw Failure(
        description: "\(command.joined(separator: " ")): status \(status): "
          + "\(String(decoding: readAll(file), as: UTF8.self))(tests need ffmpeg in PATH)")
    }
    return data
  }

  // Foundation's own reading traps when a signal (a child's end) interrupts it.
  private static func readAll(_ file: Int32) -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count > 0 { data.append(contentsOf: buffer[0..<count]) }
      if count == 0 || (count < 0 && errno != EINTR) { return data }
    }
  }

  /// The repository's root.
  package static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  // The lock is held while a file is made, so that two tests which want the same one share it.
  private static func make(_ name: String, _ body: (URL) throws -> Void) throws -> URL {
    try state.withLock { state in
      if let file = state.made[name] { return file }
      let folder = try state.folder ?? newFolder()
      state.folder = folder
      let file = folder.appendingPathComponent(name)
      try body(file)
      state.made[name] = file
      return file
    }
  }

  private static func newFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("vplay-fixtures-\(getpid())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit(removeFixtures)
    return folder
  }

  fileprivate static func remove() {
    let folder = state.withLock { $0.folder }
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }
}

private func removeFixtures() {
  MediaFixtures.remove()
}
