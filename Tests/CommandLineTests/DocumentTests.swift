import Foundation
import TestSupport
import Testing

@testable import vplay

/// The manual page and the completions: as the table of options says, without a fault, and understood by the shells.
struct DocumentTests {
  private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func file(_ document: Document) -> String { DocumentTests.repository + "/" + document.path }

  @Test(arguments: Document.allCases)
  func whatIsKeptIsCurrent(document: Document) throws {
    let kept = FileManager.default.contents(atPath: file(document)).map { String(decoding: $0, as: UTF8.self) }
    let isCurrent = kept == document.text
    #expect(isCurrent, "\(document.path) is not what the program says: make documents")
  }

  @Test(arguments: Document.allCases)
  func theProgramSaysIt(document: Document) throws {
    let player = try PlayerProcess([Array("--generate=\(document.rawValue)".utf8)])
    #expect(player.next() == .exited(0))
    #expect(player.output == document.text)
  }

  @Test func whatIsNoDocument() throws {
    let player = try PlayerProcess([Array("--generate=x".utf8)])
    #expect(player.next() == .exited(2))
    #expect(player.errors == "vplay: --generate: x is none of manual, bash, zsh, fish\n")
  }

  @Test func everyOptionIsInEach() {
    for row in OptionTable.sections.flatMap(\.rows) {
      #expect(Document.manual.text.contains("\n.It Fl -\(row.name)"))
      #expect(Document.bash.text.contains(row.flag))
      #expect(Document.zsh.text.contains("'\(row.flag)"))
      #expect(Document.fish.text.contains(" -l \(row.name) "))
    }
    #expect(!Document.manual.text.contains("Fl -generate"))
    #expect(!HelpText.help.contains("--generate"))
  }

  private func run(_ command: String, _ arguments: String...) throws -> (output: String, errors: String) {
    let process = try PlayerProcess(command: command, arguments.map { Array($0.utf8) })
    #expect(process.next(within: 20) == .exited(0))
    return (process.output, process.errors)
  }

  @Test func theManualPageHasNoFault() throws {
    let (output, errors) = try run("sh", "-c", "mandoc -Tlint -W warning '\(file(.manual))' 2>&1 || true")
    #expect((output + errors).split(separator: "\n").allSatisfy { $0.contains("mandoc.db") }, "\(output)\(errors)")
  }

  // MARK: Shells

  @Test(
    arguments: [
      (["--vo"], ["--volume"]), (["--volume", "=", ""], []), (["--output", ""], ["auto", "pulse", "null", "wav:"]),
      (["--output", "=", "n"], ["null"]), (["--output", "="], ["auto", "pulse", "null", "wav:"]),
      (["--output", "wav", ":", "Pack"], ["Package.swift"]), (["--loop", "Pack"], ["Package.swift"]),
      (["--device", "b"], ["beta"]), (["x", "--no"], ["--no-video"]), (["Makef"], ["Makefile"]),
    ] as [([String], [String])])
  func bash(words: [String], offered: [String]) throws {
    let (output, errors) = try run(
      "bash", "-c",
      """
      cd '\(DocumentTests.repository)'; . '\(file(.bash))'
      compopt() { :; }; vplay() { printf '* alpha\\tA\\n  beta\\tB\\n'; }
      COMP_WORDS=(vplay "$@"); COMP_CWORD=$#; _vplay; printf '%s\\n' "${COMPREPLY[@]}"
      """, ["bash"] + words)
    #expect(output.split(separator: "\n").map(String.init) == offered)
    #expect(errors == "")
  }

  private func run(_ command: String, _ option: String, _ script: String, _ arguments: [String]) throws -> (
    output: String, errors: String
  ) {
    let process = try PlayerProcess(command: command, ([option, script] + arguments).map { Array($0.utf8) })
    #expect(process.next(within: 20) == .exited(0))
    return (process.output, process.errors)
  }

  @Test(arguments: [
    ("vplay --vo", "--volume"), ("vplay --output n", "null"), ("vplay --output=p", "--output=pulse"),
    ("vplay --output wav:/etc/pass", "wav:/etc/passwd"), ("vplay /etc/pass", "/etc/passwd"),
    ("vplay --device ", "beta"),
  ])
  func fish(line: String, offered: String) throws {
    let (output, errors) = try run(
      "fish", "--no-config", "-c",
      "function vplay; printf '* alpha\\tA\\n  beta\\tB\\n'; end; source '\(file(.fish))'; complete -C '\(line)'")
    #expect(output.split(separator: "\n").contains { $0.prefix { $0 != "\t" } == offered }, "\(output)")
    #expect(errors == "")
  }

  @Test func zsh() throws {
    let shell = try PlayerProcess(
      command: "zsh", ["-f", "-i"].map { Array($0.utf8) }, terminal: .pseudo(columns: 200),
      environment: ["PROMPT": "ready> "])
    #expect(shell.shows("ready> "))
    let folder = (file(.zsh) as NSString).deletingLastPathComponent
    shell.type("fpath=('\(folder)' $fpath); autoload -Uz compinit; compinit -u -D; zle_highlight=(none)\n")
    #expect(shell.shows("ready> "))
    shell.type("vplay() { printf '* alpha\\tA\\n  beta\\tB\\n'; }; cd '\(DocumentTests.repository)'\n")
    #expect(shell.shows("ready> "))
    for (typed, completed) in [
      ("vplay --volu\t", "vplay --volume="), ("vplay --output n\t", "null"), ("vplay --output=pu\t", "pulse"),
      ("vplay --output wav:Pack\t", "wav:Package.swift"), ("vplay --device b\t", "beta"), ("vplay Makef\t", "Makefile"),
      ("vplay --loop Pack\t", "Package.swift"), ("vplay --no\t", "--no-video"),
    ] {
      shell.type(typed)
      #expect(shell.shows(completed), "\(typed)")
      shell.type("\u{15}\n")
      #expect(shell.shows("ready> "))
    }
    shell.type("exit\n")
    #expect(shell.next() == .exited(0))
  }

  // MARK: Installation

  @Test func installAndUninstall() throws {
    let scratch = try Scratch()
    let make = { (target: String) in
      try PlayerProcess(
        command: "make",
        [
          "-C", DocumentTests.repository, target, "BINARY=\(PlayerProcess.executable)",
          "DESTDIR=\(scratch["a root"])", "PREFIX=/opt/player",
        ].map { Array($0.utf8) })
    }
    let install = try make("install")
    #expect(install.next(within: 60) == .exited(0), "\(install.errors)")
    let prefix = scratch["a root/opt/player"]
    let files = { FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? [] }
    #expect(files().contains("bin/vplay"))
    for document in Document.allCases {
      let path = prefix + "/" + document.path
      #expect(FileManager.default.contents(atPath: path) == Data(document.text.utf8))
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o644)
    }
    #expect(FileManager.default.isExecutableFile(atPath: prefix + "/bin/vplay"))
    let uninstall = try make("uninstall")
    #expect(uninstall.next(within: 60) == .exited(0), "\(uninstall.errors)")
    var isFolder: ObjCBool = false
    for path in files() {
      #expect(FileManager.default.fileExists(atPath: prefix + "/" + path, isDirectory: &isFolder) && isFolder.boolValue)
    }
  }
}
