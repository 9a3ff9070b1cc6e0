/// A command line that cannot be followed: exit status 2 and one line.
struct UsageError: Error, Equatable {
  /// The option as the user would write it; nil when it is about none.
  var option: String?
  var reason: String

  init(_ option: String?, _ reason: String) {
    self.option = option
    self.reason = reason
  }

  var line: String {
    if let option { "vplay: \(option): \(reason)" } else { "vplay: \(reason)" }
  }
}
