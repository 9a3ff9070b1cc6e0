import Testing
import TestSupport
import VPlayEngine
import VPlayModel
import VPlayTesting

/// When nothing sounds any more, and what is counted.
@Suite struct QuietTests {
  private final class Flag: Sendable {
    private let count = Monitor(0)
    var calls: Int { count.withLock { $0 } }
    func raise() { count.withLock { $0 += 1 } }
  }

  @Test func quietIsWhenTheFadeWasHeard() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 480_000)])
    rig.engine.setRate(1)
    rig.run(1)
    let flag = Flag()
    rig.engine.setRate(0)
    rig.engine.whenQuiet { flag.raise() }
    rig.settle()
    #expect(flag.calls == 0)
    var waited = 0
    while flag.calls == 0, waited < 200 {
      rig.run(0.001)
      waited += 1
    }
    #expect(flag.calls == 1)
    let heard = rig.sink.heardSamples.count
    rig.run(0.5)
    // Whatever is heard from then on is silence.
    #expect(rig.sink.heardSamples.dropFirst(heard).allSatisfy { $0 == 0 })
    let end = rig.sink.heardSamples.lastIndex { $0 != 0 } ?? 0
    #expect(heard - end < 2 * 480, "it waited for more than the fade")
    #expect(flag.calls == 1)
  }

  @Test func quietIsAtOnceWhereNothingFades() {
    let rig = EngineRig()
    let flag = Flag()
    rig.engine.whenQuiet { flag.raise() }
    rig.settle(readers: 0)
    #expect(flag.calls == 1)
    rig.engine.setQueue([rig.entry(frames: 480_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.engine.whenQuiet { flag.raise() }
    rig.settle()
    #expect(flag.calls == 2)
    // Playing goes on before the fade is over.
    rig.engine.setRate(0)
    rig.engine.whenQuiet { flag.raise() }
    rig.engine.setRate(1)
    rig.settle()
    #expect(flag.calls == 3)
  }

  @Test func whatIsCounted() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 480_000) { $0.readDelaySeconds = 0 }])
    rig.engine.setRate(1)
    rig.run(2)
    #expect(rig.counters.streams == 1 && rig.counters.rewrites == 0)
    #expect(rig.counters.underruns == 0 && rig.counters.stalls == 0)
    rig.engine.setGain(0.5)
    rig.run(0.1)
    rig.engine.setRate(0)
    rig.run(0.1)
    #expect(rig.counters.rewrites == 2)
    rig.engine.setRate(1)
    rig.run(3)
    #expect(rig.counters.clockErrorSeconds < 0.001)
  }

  @Test func aSlowMediumIsCounted() {
    let rig = EngineRig()
    // A tenth of the speed that is needed.
    rig.engine.setQueue([rig.entry(frames: 48_000) { $0.readDelaySeconds = 0.2 }])
    rig.engine.setRate(1)
    rig.run(15)
    #expect(rig.counters.stalls > 0)
    #expect(rig.counters.underruns > 0)
  }
}
