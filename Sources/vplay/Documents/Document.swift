/// What is made from the table of options and kept in the repository's `share`.
enum Document: String, CaseIterable {
  case manual
  case bash
  case zsh
  case fish

  var text: String {
    switch self {
    case .manual: ManualPage.text
    case .bash: BashCompletion.text
    case .zsh: ZshCompletion.text
    case .fish: FishCompletion.text
    }
  }

  /// Where it lies, there and below the prefix of an installation.
  var path: String {
    switch self {
    case .manual: "share/man/man1/vplay.1"
    case .bash: "share/bash-completion/completions/vplay"
    case .zsh: "share/zsh/site-functions/_vplay"
    case .fish: "share/fish/vendor_completions.d/vplay.fish"
    }
  }

  /// A text in single quotes, for a shell.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  static let note = "# Made by `vplay --generate`, from its table of options: do not edit."
}
