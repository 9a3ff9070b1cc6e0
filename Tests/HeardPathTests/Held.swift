import Foundation
import Glibc
import VPlayModel

/// What this process holds of the system.
struct Held {
  var descriptors = Held.count("/proc/self/fd")
  var threads = Held.count("/proc/self/task")
  var kilobytes = Held.residentKilobytes()

  /// Waits, for a while, until it is what is expected: threads end in their own time, and the queues' are kept for some
  /// seconds.
  static func settled(_ isExpected: (Held) -> Bool) -> Held {
    let clock = SystemClock()
    let pause = Log<Bool>()
    let start = clock.now
    while true {
      _ = pause.wait(seconds: 0.2) { !$0.isEmpty }
      let held = Held()
      let passed = clock.now.seconds(since: start)
      if passed > 1, isExpected(held) { return held }
      if passed > 12 { return held }
    }
  }

  /// What this process has taken of the processors since its start, in seconds.
  static var cpuSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func count(_ folder: String) -> Int {
    guard let directory = opendir(folder) else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    return count
  }

  private static func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let fields = line.withUnsafeBufferPointer { buffer in
      String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
  }
}
