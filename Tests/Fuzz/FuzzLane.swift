import Foundation
import Glibc
import TestSupport

/// One worker at a time over a row of seeds.
struct FuzzLane {
  private let options: FuzzOptions
  private let folder: URL
  private let log: String
  private var seeds: Range<UInt64>
  private var worker: ChildProcess?
  /// The worker's output; -1 while there is none.
  private(set) var output: Int32 = -1
  private var text = ""
  private var current: UInt64?
  private var deadline = Date.distantFuture
  private(set) var failures: [String] = []

  init(_ options: FuzzOptions, folder: URL, seeds: Range<UInt64>) {
    self.options = options
    self.folder = folder
    self.seeds = seeds
    log = folder.path + ".log-\(seeds.lowerBound)"
  }

  var isDone: Bool { seeds.isEmpty && worker == nil }

  mutating func turn(canRead: Bool) throws {
    if worker == nil {
      try start()
    } else if canRead {
      try readOutput()
    } else if Date() > deadline {
      try end(failure: "no end within \(options.timeLimitSeconds) s")
    }
  }

  private mutating func start() throws {
    let pipe = try ChildProcess.pipe()
    defer { close(pipe.write) }
    try? FileManager.default.removeItem(atPath: log)
    let arguments = [
      CommandLine.arguments[0], "--worker", folder.path, "--seed", "\(seeds.lowerBound)", "--count",
      "\(seeds.count)", "--slack", "\(options.slack)",
    ]
    worker = try ChildProcess(
      arguments, environment: ProcessInfo.processInfo.environment, log: log, output: pipe.write)
    output = pipe.read
    text = ""
    current = nil
    deadline = Date().addingTimeInterval(options.timeLimitSeconds + 10)
  }

  private mutating func readOutput() throws {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output, &buffer, buffer.count)
    if count < 0, errno == EINTR { return }
    guard count > 0 else { return try end(failure: nil) }
    text += String(decoding: buffer[..<count], as: UTF8.self)
    deadline = Date().addingTimeInterval(options.timeLimitSeconds)
    while let end = text.firstIndex(of: "\n") {
      let line = text[..<end]
      text = String(text[text.index(after: end)...])
      if line == "done" {
        seeds = seeds.upperBound..<seeds.upperBound
        current = nil
      } else if line.hasPrefix("! ") {
        report(String(line.dropFirst(2)))
      } else if let seed = UInt64(line) {
        current = seed
        seeds = seed..<seeds.upperBound
      }
    }
  }

  /// The worker has ended, or hangs.
  private mutating func end(failure: String?) throws {
    guard let worker else { return }
    if failure != nil { worker.signal(SIGKILL) }
    let status = worker.wait()
    close(output)
    (self.worker, output) = (nil, -1)
    if let failure {
      report(failure)
    } else if status != 0 {
      report(status < 0 ? "signal \(-status)" : "status \(status)")
    }
    if current != nil { seeds = seeds.dropFirst() } else if status != 0 { seeds = seeds.upperBound..<seeds.upperBound }
    try? FileManager.default.removeItem(atPath: log)
  }

  private mutating func report(_ fault: String) {
    let seed = current ?? seeds.lowerBound
    print("seed \(seed): \(fault)")
    if let said = try? String(contentsOfFile: log, encoding: .utf8), !said.isEmpty {
      print(said.split(separator: "\n").prefix(60).joined(separator: "\n"))
    }
    fflush(nil)
    failures.append("\(seed): \(fault)")
    guard let keep = options.keep else { return }
    try? FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
    let originals = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = originals.sorted().filter { !$0.hasPrefix("input-") }.map { folder.appendingPathComponent($0) }
    try? FuzzRound.write(
      seed: seed, from: files, to: URL(fileURLWithPath: keep).appendingPathComponent("seed-\(seed)"))
  }
}
