import Foundation

/// What a run of the fuzzer is asked for.
struct FuzzOptions {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// How many inputs.
  var count = 10_000
  /// The first input's seed; the others follow on it.
  var seed: UInt64 = 1
  /// Processes at once.
  var jobs = 2
  /// Limits are longer by this factor (sanitizers, busy machines).
  var slack = 1.0
  /// Real files, of which the small ones are damaged too.
  var corpus: String?
  /// Where inputs that failed are left.
  var keep: String?

  /// A worker's folder of originals.
  var originals = ""
  var isWorker = false

  /// Wall time and CPU time of one input.
  var timeLimitSeconds: Double { 5 * slack }
  var cpuLimitSeconds: Double { 3 * slack }
  var memoryLimitBytes: Int { 300 << 20 }

  mutating func read(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    func value(_ name: String) throws -> String {
      guard let value = rest.popFirst() else { throw Failure(description: "\(name) wants a value") }
      return value
    }
    func number<N: LosslessStringConvertible>(_ name: String) throws -> N {
      let text = try value(name)
      guard let number = N(text) else { throw Failure(description: "\(name) wants a number, not \(text)") }
      return number
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--count": count = try number(argument)
      case "--seed": seed = try number(argument)
      case "--jobs": jobs = try number(argument)
      case "--slack": slack = try number(argument)
      case "--corpus": corpus = try value(argument)
      case "--keep": keep = try value(argument)
      case "--worker": (isWorker, originals) = (true, try value(argument))
      default: throw Failure(description: "unknown option \(argument)")
      }
    }
  }
}
