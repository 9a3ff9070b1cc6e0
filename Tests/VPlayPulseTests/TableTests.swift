import CVPlayPulse
import Testing
import VPlayModel

@testable import VPlayPulse

@Suite struct ChannelMapTests {
  static let layouts: [(channels: [ChannelPosition], map: String)] = [
    ([.frontCenter], "mono"),
    ([.unknown], "mono"),
    ([.frontLeft, .frontRight], "front-left,front-right"),
    ([.unknown, .unknown], "front-left,front-right"),
    ([.frontLeft, .frontRight, .frontCenter], "front-left,front-right,front-center"),
    ([.frontLeft, .frontRight, .backLeft, .backRight], "front-left,front-right,rear-left,rear-right"),
    (
      [.frontLeft, .frontRight, .frontCenter, .backLeft, .backRight],
      "front-left,front-right,front-center,rear-left,rear-right"
    ),
    (
      [.unknown, .unknown, .unknown, .unknown, .unknown],
      "front-left,front-right,front-center,rear-left,rear-right"
    ),
    (
      [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight],
      "front-left,front-right,front-center,lfe,side-left,side-right"
    ),
    (
      [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight],
      "front-left,front-right,front-center,lfe,rear-left,rear-right,side-left,side-right"
    ),
    // Half known, and one named twice.
    ([.frontLeft, .unknown, .frontCenter], "front-left,front-right,front-center"),
    ([.frontLeft, .frontLeft], "front-left,front-right"),
    ([.frontCenter, .lowFrequency], "front-center,lfe"),
    ([.topCenter, .backCenter, .frontLeftOfCenter], "top-center,rear-center,front-left-of-center"),
  ]

  @Test(arguments: layouts) func layout(channels: [ChannelPosition], map: String) throws {
    #expect(try name(#require(ChannelMap.make(channels))) == map)
  }

  @Test(arguments: 1...32) func anyNumberOfUnknownChannelsHasDistinctPlaces(count: Int) throws {
    let map = try #require(ChannelMap.make(Array(repeating: .unknown, count: count)))
    let places = name(map).split(separator: ",")
    #expect(places.count == count)
    #expect(Set(places).count == count)
  }

  static let maps: [[ChannelPosition]] = layouts.map(\.channels).filter {
    !$0.contains(.unknown) && Set($0).count == $0.count
  }

  @Test(arguments: maps) func aMapIsReadBack(channels: [ChannelPosition]) throws {
    #expect(try ChannelMap.positions(of: #require(ChannelMap.make(channels))) == channels)
  }

  @Test func aStudiosInterfaceHasNoPlaces() throws {
    let quad: [ChannelPosition] = [.frontLeft, .frontRight, .backLeft, .backRight]
    #expect(StreamChannels.choose(for: quad, on: Array(repeating: .unknown, count: 8)) == quad)
    #expect(StreamChannels.choose(for: [.frontCenter], on: [.unknown, .unknown]) == [.frontCenter])
    #expect(StreamChannels.choose(for: quad, on: nil) == quad)
  }

  @Test func moreChannelsThanTheServerKnowsAreRefused() {
    #expect(ChannelMap.make(Array(repeating: .unknown, count: 33)) == nil)
    #expect(ChannelMap.make([]) == nil)
  }

  private func name(_ map: pa_channel_map) -> String {
    var map = map
    return String(unsafeUninitializedCapacity: Int(PA_CHANNEL_MAP_SNPRINT_MAX)) { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        _ = pa_channel_map_snprint(text.baseAddress, text.count, &map)
        return text.firstIndex(of: 0) ?? 0
      }
    }
  }
}

@Suite struct PulseTimingTests {
  private static func report(
    read: Int64 = 48_000, sink: Int64 = 20_000, configured: Int64 = 21_333, age: Int64? = 20,
    playing: Bool = true, corked: Bool = false, suspended: Bool = false
  ) -> PulseTimingReport {
    PulseTimingReport(
      sent: HostTime(nanoseconds: 1_000_000), received: HostTime(nanoseconds: 1_200_000),
      ageMicroseconds: age,
      readIndexBytes: read * 8, sinkMicroseconds: sink, configuredMicroseconds: configured,
      isPlaying: playing,
      isCorked: corked, isSuspended: suspended)
  }

  private static func rules(pipeWire: Bool = false, canRewind: Bool = true) -> PulseTimingRules {
    PulseTimingRules(rate: 48_000, frameBytes: 8, isPipeWire: pipeWire, canRewind: canRewind)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var rules: PulseTimingRules
    var report: PulseTimingReport
    var expected: SinkTiming

    init(
      _ name: String, _ rules: PulseTimingRules, _ report: PulseTimingReport, at time: Int64 = 1_180_000,
      read: Int64 = 48_000, heard: Int64, rewrite: Int64, runs: Bool = true
    ) {
      testDescription = name
      self.rules = rules
      self.report = report
      expected = SinkTiming(
        hostTime: HostTime(nanoseconds: time), readFrame: read, heardFrame: heard, rewriteFrame: rewrite,
        isRunning: runs, isSuspended: report.isSuspended)
    }
  }

  static let rows = [
    Row("shallow: heard, configured latency and transit", rules(), report(), heard: 47_040, rewrite: 48_400),
    Row(
      "shallow, two blocks ahead: not before the read frame", rules(), report(sink: 40_000), heard: 46_080,
      rewrite: 48_000),
    Row(
      "deep, rewinds: a margin from the heard frame", rules(), report(sink: 100_000, configured: 100_000),
      heard: 43_200, rewrite: 44_640),
    Row(
      "deep, does not rewind", rules(canRewind: false), report(sink: 100_000, configured: 100_000),
      heard: 43_200, rewrite: 48_336),
    Row(
      "PipeWire is never asked to rewind", rules(pipeWire: true), report(sink: 0, configured: 170_000),
      heard: 48_000, rewrite: 56_496),
    Row(
      "corked: nothing of ours is on its way", rules(), report(corked: true), heard: 48_000, rewrite: 48_000,
      runs: false),
    Row("suspended", rules(), report(suspended: true), heard: 48_000, rewrite: 48_000, runs: false),
    Row("dry", rules(), report(playing: false), heard: 47_040, rewrite: 48_400, runs: false),
    Row(
      "nothing heard yet", rules(), report(read: 480, sink: 1_000_000, configured: 100_000), read: 480,
      heard: -47_520, rewrite: 0),
    Row(
      "no common clock: the middle", rules(), report(age: nil), at: 1_100_000, heard: 47_040, rewrite: 48_400),
    Row(
      "a clock that was set: within the exchange", rules(), report(age: 9_000_000), at: 1_000_000,
      heard: 47_040, rewrite: 48_400),
    Row(
      "a clock that was set back", rules(), report(age: -5_000), at: 1_200_000, heard: 47_040, rewrite: 48_400
    ),
  ]

  @Test(arguments: rows) func row(_ row: Row) {
    #expect(row.rules.timing(row.report) == row.expected)
  }
}

@Suite struct PulseBufferingTests {
  @Test func twoSecondsAskedForAtHalf() {
    let attributes = PulseBuffering.attributes(rate: 48_000, frameBytes: 8, isPipeWire: false)
    #expect(attributes.tlength == 96_000 * 8)
    #expect(attributes.minreq == 45_600 * 8)
    #expect(attributes.prebuf == 0)
    #expect(attributes.maxlength == .max)
  }

  @Test func hugeFramesLeaveTheSinkItsLatency() {
    let attributes = PulseBuffering.attributes(rate: 192_000, frameBytes: 32, isPipeWire: false)
    #expect(attributes.tlength <= 3 << 20)
    #expect(attributes.tlength % 32 == 0 && attributes.minreq % 32 == 0)
    let sinkFrames = (attributes.tlength - 2 * attributes.minreq) / 32
    #expect((19_200...19_202).contains(sinkFrames))
  }

  @Test(arguments: [8_000, 768_000]) func anyRateAndWidthIsSane(rate: Int) {
    for channels in 1...32 {
      let attributes = PulseBuffering.attributes(rate: rate, frameBytes: channels * 4, isPipeWire: true)
      #expect(attributes.minreq > 0 && attributes.minreq < attributes.tlength)
    }
  }
}
