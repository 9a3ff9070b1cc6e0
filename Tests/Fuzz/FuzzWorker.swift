import Dispatch
import Foundation
import Glibc
import TestSupport
import VPlayKit

/// Runs input after input and says on standard output which one it is at. What it must not do, its parent watches.
struct FuzzWorker {
  private let options: FuzzOptions
  private let originals: [URL]
  private let folder: URL

  init(_ options: FuzzOptions) throws {
    self.options = options
    let folder = URL(fileURLWithPath: options.originals)
    self.folder = folder
    originals = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix("input-") }.map { folder.appendingPathComponent($0) }
    guard !originals.isEmpty else { throw FuzzOptions.Failure(description: "nothing to damage") }
    // A program without a main loop.
    _ = AVPlayer.setCallbackQueue(DispatchQueue(label: "fuzz"))
  }

  func run() throws {
    let file = folder.appendingPathComponent("input-\(getpid())")
    defer { try? FileManager.default.removeItem(at: file) }
    for seed in options.seed..<options.seed &+ UInt64(options.count) {
      say("\(seed)\n")
      try FuzzRound.write(seed: seed, from: originals, to: file)
      let before = usage()
      let round = FuzzRound(file, seed: seed)
      let after = usage()
      var faults = round.faults
      let cpu = after.cpuSeconds - before.cpuSeconds
      if cpu > options.cpuLimitSeconds { faults.append(String(format: "%.1f s of CPU", cpu)) }
      if options.slack <= 1, after.peakBytes > options.memoryLimitBytes {
        faults.append("\(after.peakBytes >> 20) MB of memory")
      }
      guard faults.isEmpty else {
        say("! \(faults.joined(separator: ", "))\n")
        // The next one starts with clean counters.
        return
      }
    }
    say("done\n")
  }

  private func say(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  private func usage() -> (cpuSeconds: Double, peakBytes: Int) {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return (seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss << 10)
  }
}
