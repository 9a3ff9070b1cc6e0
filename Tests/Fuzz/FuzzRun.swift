import Foundation
import Glibc
import TestSupport

/// Makes the originals, starts workers, and ends those that hang. A worker that fails is followed by one that goes on
/// behind the input that it failed on.
struct FuzzRun {
  private let options: FuzzOptions
  private let folder: URL

  init(_ options: FuzzOptions) throws {
    self.options = options
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("vplay-fuzz-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for animal in MediaZoo.all {
      let file = try MediaZoo.file(animal)
      try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(file.lastPathComponent))
    }
    if let corpus = options.corpus { try copySmallFiles(of: corpus) }
  }

  private func copySmallFiles(of corpus: String) throws {
    guard let paths = FileManager.default.enumerator(atPath: corpus) else { return }
    for case let path as String in paths {
      let file = URL(fileURLWithPath: corpus).appendingPathComponent(path)
      let values = try file.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
      guard values.isRegularFile == true, (values.fileSize ?? 0) < 300_000 else { continue }
      let name = path.replacingOccurrences(of: "/", with: "-")
      try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(name))
    }
  }

  /// True when nothing failed.
  func run() throws -> Bool {
    defer { try? FileManager.default.removeItem(at: folder) }
    let jobs = max(1, min(options.jobs, options.count))
    var lanes: [FuzzLane] = []
    for job in 0..<jobs {
      let first = options.count * job / jobs
      let end = options.count * (job + 1) / jobs
      lanes.append(
        FuzzLane(options, folder: folder, seeds: options.seed + UInt64(first)..<options.seed + UInt64(end)))
    }
    let start = Date()
    while lanes.contains(where: { !$0.isDone }) {
      var files = lanes.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
      poll(&files, nfds_t(files.count), 100)
      for index in lanes.indices where !lanes[index].isDone {
        try lanes[index].turn(canRead: files[index].revents != 0)
      }
    }
    let failures = lanes.flatMap(\.failures)
    print("\(options.count) inputs, \(failures.count) failures, \(Int(Date().timeIntervalSince(start))) s")
    return failures.isEmpty
  }
}
