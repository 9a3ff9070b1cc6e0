import Foundation
import TestSupport

// Usage: VPlayFuzz [--count N] [--seed S] [--jobs J] [--slack X] [--corpus FOLDER] [--keep FOLDER]
// A failure prints its seed; `--count 1 --seed S` runs that input alone, and `--keep` leaves the file behind.
var options = FuzzOptions()
do {
  try options.read(CommandLine.arguments.dropFirst())
  if options.isWorker {
    try FuzzWorker(options).run()
  } else {
    exit(try FuzzRun(options).run() ? 0 : 1)
  }
} catch {
  FileHandle.standardError.write(Data("VPlayFuzz: \(error)\n".utf8))
  exit(2)
}
