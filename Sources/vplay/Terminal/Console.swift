import CVPlayCLI
import Glibc

/// The terminal: keys in, one status line out. Each only where there is a terminal, and only in the foreground. Main thread.
final class Console {
  private let hasKeys: Bool
  private var showsStatus: Bool
  private let charset: StatusLine.Charset
  private var decoder = KeyDecoder()
  private var shown = ""

  init(isQuiet: Bool) {
    hasKeys = isatty(0) == 1
    let isDumb = getenv("TERM").map { strcmp($0, "dumb") == 0 } ?? true
    showsStatus = isatty(1) == 1 && !isQuiet && !isDumb
    charset = showsStatus ? Console.userCharset() : .ascii
  }

  /// Whether the status line is to be kept up to date.
  var isShowing: Bool { showsStatus && isForeground(1) }

  /// Where keys can be read now.
  var keyDescriptor: Int32? { hasKeys && isForeground(0) ? 0 : nil }

  /// How long to wait for what may follow an ESC, if one came.
  var keyTimeout: Int32? { decoder.isWaiting ? KeyDecoder.escapeDelayMilliseconds : nil }

  /// Whether the program is a background job of its terminal. No signal says when that ends: a shell brings a running job
  /// to the front without a word.
  var isInBackground: Bool {
    let group = tcgetpgrp(hasKeys ? 0 : 1)
    return (hasKeys || showsStatus) && group > 0 && group != getpgrp()
  }

  /// Sets the terminal for keys, in the foreground. Elsewhere, or taken already: nothing.
  func take() {
    if hasKeys, isForeground(0) { _ = cvplay_terminal_take(0) }
  }

  /// Leaves the terminal as it was, on a fresh line.
  func giveBack() {
    if !shown.isEmpty, isShowing { write("\n") }
    shown = ""
    cvplay_terminal_restore()
  }

  /// After a stop of which nobody was told before (SIGSTOP): the shell has set the terminal for itself meanwhile.
  func continued() {
    shown = ""
    cvplay_terminal_continue(isForeground(0) ? 1 : 0)
  }

  /// The keys that have come.
  func readKeys() -> [Key] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(0, &bytes, bytes.count)
    return count > 0 ? decoder.feed(bytes[..<count]) : []
  }

  /// No byte followed an ESC in its time.
  func keysTimedOut() -> Key? { decoder.flush() }

  func show(_ line: StatusLine) {
    guard isShowing else { return }
    let columns = Int(cvplay_terminal_columns(1))
    let text = line.rendered(columns: columns > 0 ? columns : 80, charset: charset)
    guard text != shown else { return }
    if write("\r\(text)\u{1b}[K") { shown = text }
  }

  /// The width changed: what is shown may have wrapped.
  func resized() { shown = "" }

  /// A line on standard error; the status line makes way for it.
  func note(_ text: String) {
    if !shown.isEmpty, isShowing { write("\r\u{1b}[K") }
    shown = ""
    Console.writeError("vplay: \(text)\n")
  }

  static func writeError(_ text: String) {
    // There is nowhere to report that standard error is gone.
    _ = Output.write(text, to: 2)
  }

  /// False when the terminal takes nothing now (stopped by Ctrl-S, or gone): the main thread must not wait for it.
  @discardableResult private func write(_ text: String) -> Bool {
    var terminal = pollfd(fd: 1, events: Int16(POLLOUT), revents: 0)
    guard poll(&terminal, 1, 0) == 1, terminal.revents & Int16(POLLOUT) != 0 else { return false }
    if Output.write(text, to: 1) { return true }
    showsStatus = false
    return false
  }

  private func isForeground(_ descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  private static func userCharset() -> StatusLine.Charset {
    // Only what characters are: numbers stay as the C language writes them.
    setlocale(LC_CTYPE, "")
    guard let name = nl_langinfo(nl_item(CODESET)), strcmp(name, "UTF-8") == 0 else { return .ascii }
    return StatusLine.Charset(isUnicode: true) { Int(cvplay_character_columns($0.value)) }
  }
}
