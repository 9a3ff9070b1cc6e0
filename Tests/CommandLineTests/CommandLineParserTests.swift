import Testing
import VPlayKit

@testable import vplay

// getopt_long keeps global state: these run one by one.
@Suite(.serialized)
struct CommandLineParserTests {
  private func parse(_ arguments: [String]) throws(UsageError) -> Options {
    try CommandLineParser.parse(arguments.map { Array($0.utf8) })
  }

  struct Example: Sendable {
    var arguments: [String]
    var change: @Sendable (inout Options) -> Void

    init(_ arguments: String..., change: @escaping @Sendable (inout Options) -> Void) {
      self.arguments = arguments
      self.change = change
    }
  }

  @Test(arguments: [
    Example("--mute", "a") { $0.isMuted = true },
    Example("--volume", "0.5", "a") { $0.volume = 0.5 },
    Example("--volume=25%", "a") { $0.volume = 0.25 },
    Example("--vol", "1", "a") { $0.volume = 1 },
    Example("--loop", "a") { $0.passes = .forever },
    Example("--loop=3", "a") { $0.passes = .times(3) },
    Example("--start", "1:02", "a") { $0.start = TimeArgument("62") },
    Example("--start", "1", "--end", "1.5", "a") {
      ($0.start, $0.end) = (TimeArgument("1"), TimeArgument("1.5"))
    },
    Example("--duration", "0:02", "a") { $0.duration = TimeArgument("2") },
    Example("--rate", "1.5", "a") { $0.rate = 1.5 },
    Example("--rate=.5", "a") { $0.rate = 0.5 },
    Example("--shuffle", "a") { $0.isShuffled = true },
    Example("--output", "auto", "a") { $0.output = .auto },
    Example("--output", "pulse", "a") { $0.output = .pulse },
    Example("--output=null", "a") { $0.output = .null },
    Example("--output", "wav:x y.wav", "a") { $0.output = .wav(Array("x y.wav".utf8)) },
    Example("--device", "hall", "a") { $0.device = "hall" },
    Example("--no-video", "a") { _ in },
    Example("--category", "ambient", "a") { $0.session.category = .ambient },
    Example("--category=soloAmbient", "a") { $0.session.category = .soloAmbient },
    Example("--category", "playback", "--mode", "spokenAudio", "a") { $0.session.mode = .spokenAudio },
    Example("--mode", "moviePlayback", "a") { $0.session.mode = .moviePlayback },
    Example("--mix-with-others", "a") { $0.session.options = .mixWithOthers },
    Example("--duck-others", "a") { $0.session.options = [.mixWithOthers, .duckOthers] },
    Example("--quiet", "a") { $0.isQuiet = true },
    Example("--json", "a") { $0.isJSON = true },
    Example("--stats", "a") { $0.showsStatistics = true },
    Example("a", "--mute") { $0.isMuted = true },
  ])
  func takes(example: Example) throws {
    var expected = Options()
    expected.inputs = [Input(argument: Array("a".utf8))]
    example.change(&expected)
    #expect(try parse(example.arguments) == expected)
  }

  @Test(arguments: [
    (["--volume", "1.5", "a"], "--volume"), (["--volume", "-1", "a"], "--volume"),
    (["--volume", "nan", "a"], "--volume"), (["--volume", "abc", "a"], "--volume"),
    (["--volume", "", "a"], "--volume"), (["a", "--volume"], "--volume"),
    (["--start", "x", "a"], "--start"), (["--start", "-1", "a"], "--start"), (["a", "--start"], "--start"),
    (["--end", "1:60", "a"], "--end"), (["a", "--end"], "--end"),
    (["--start", "2", "--end", "1", "a"], "--end"), (["--start", "2", "--end", "2", "a"], "--end"),
    (["--duration", "0", "a"], "--duration"), (["--duration", "0:00.000", "a"], "--duration"),
    (["--duration", "-1", "a"], "--duration"), (["a", "--duration"], "--duration"),
    (["--rate", "0.49", "a"], "--rate"), (["--rate", "2.01", "a"], "--rate"), (["--rate", "-1", "a"], "--rate"),
    (["--rate", "nan", "a"], "--rate"), (["--rate", "", "a"], "--rate"), (["a", "--rate"], "--rate"),
    (["--duration", "x", "a"], "--duration"), (["--shuffle=1", "a"], "--shuffle"),
    (["--loop=0", "a"], "--loop"), (["--loop=-1", "a"], "--loop"), (["--loop=x", "a"], "--loop"),
    (["--loop=", "a"], "--loop"), (["--loop=99999999999999999999", "a"], "--loop"),
    (["--loop", "--output", "wav:x", "a"], "--loop"),
    (["--output", "speaker", "a"], "--output"), (["--output", "wav:", "a"], "--output"),
    (["a", "--output"], "--output"),
    (["--category", "record", "a"], "--category"), (["--category", "", "a"], "--category"),
    (["a", "--category"], "--category"), (["--mode", "movie", "a"], "--mode"), (["a", "--mode"], "--mode"),
    (["--duck-others=1", "a"], "--duck-others"), (["--mix-with-others=1", "a"], "--mix-with-others"),
    (["--category", "ambient", "--duck-others", "a"], "--duck-others"),
    (["--mix-with-others", "--category", "soloAmbient", "a"], "--mix-with-others"),
    (["--device", "", "a"], "--device"), (["a", "--device"], "--device"),
    (["--device", "d", "--output", "null", "a"], "--device"),
    (["--mute=1", "a"], "--mute"), (["--quiet=", "a"], "--quiet"), (["--no-video=1", "a"], "--no-video"),
    (["--frobnicate", "a"], "--frobnicate"), (["--frobnicate=3", "a"], "--frobnicate"), (["-x", "a"], "-x"),
    (["--l", "a"], "--l"), (["-", "-"], "-"), (["--loop", "-"], "--loop"), (["--help=1"], "--help"),
    (["--version=x"], "--version"), (["--info=x", "a"], "--info"), (["--json=x", "a"], "--json"),
    (["--stats=x", "a"], "--stats"), (["--generate", "x"], "--generate"), (["--generate"], "--generate"),
    (["--list-devices=1"], "--list-devices"),
  ])
  func refuses(arguments: [String], option: String) {
    let error = #expect(throws: UsageError.self) { try parse(arguments) }
    #expect(error?.option == option)
    #expect(error?.line.hasPrefix("vplay: \(option): ") == true)
    #expect(error?.line.contains("\n") == false)
  }

  @Test(
    arguments: [
      (["--start", "1.5"], "1.5", nil), (["--end", "2"], nil, "2"), (["--duration", "2"], nil, "2"),
      (["--start", "1.25", "--duration", "2.5"], "1.25", "3.75"),
      (["--start", "999999999", "--duration", "0.000000001"], "999999999", "999999999.000000001"),
      (["--start", "1", "--end", "9", "--duration", "2"], "1", "3"),
      (["--start", "1", "--end", "2", "--duration", "9"], "1", "2"),
    ] as [([String], String?, String?)])
  func ranges(arguments: [String], start: String?, end: String?) throws {
    let range = try parse(arguments + ["a"]).range
    #expect(range.start == start.flatMap { TimeArgument($0) })
    #expect(range.end == end.flatMap { TimeArgument($0) })
  }

  @Test func nothingToPlay() {
    #expect(throws: UsageError(nil, "nothing to play: name a file, a URL or - (--help says more)")) {
      try parse([])
    }
    #expect(throws: UsageError.self) { try parse(["--mute"]) }
  }

  @Test func helpAndVersionNeedNoInput() throws {
    #expect(try parse(["--help", "--bad"]).action == .showHelp)
    #expect(try parse(["--version"]).action == .showVersion)
    #expect(try parse(["--list-devices"]).action == .listDevices)
    #expect(try parse(["--generate", "bash"]).action == .generate(.bash))
    #expect(try parse(["--info", "a"]).action == .showInfo)
    #expect(throws: UsageError.self) { try parse(["--bad", "--help"]) }
  }

  @Test func everyOptionIsInTheHelp() {
    for row in OptionTable.sections.flatMap(\.rows) { #expect(HelpText.help.contains(row.usage)) }
    for line in HelpText.help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
  }

  @Test func namesKeepTheirBytes() throws {
    let name: [UInt8] = [0xff, 0x25, 0x0a]
    let options = try CommandLineParser.parse([Array("--".utf8), name, Array("--mute".utf8)])
    #expect(options.inputs.map(\.argument) == [name, Array("--mute".utf8)])
    #expect(!options.isMuted)
  }

  @Test func messagesArePrintable() {
    let error = #expect(throws: UsageError.self) { try parse(["--volume", "\u{1b}[2J", "a"]) }
    #expect(error?.line.contains("\\x1b[2J") == true)
  }
}
