import Testing
import VPlayEngine
import VPlayModel
import VPlayTesting

/// An output whose clock stands still is waited for, whatever is asked of it meanwhile.
@Suite struct SuspensionTests {
  private enum Told {
    case advancing, waitingForOutput, waitingForData
  }

  private func told(_ rig: EngineRig) -> Told? {
    rig.events.compactMap { event -> Told? in
      switch event {
      case .advancing: .advancing
      case .stalled(.output): .waitingForOutput
      case .stalled(.data): .waitingForData
      default: nil
      }
    }.last
  }

  @Test("suspended from the start: waiting, then whole, B24") func fromTheStart() {
    let rig = EngineRig()
    rig.sink.setSuspended(true)
    rig.engine.setQueue([rig.entry(frames: 96_000)])
    rig.engine.setRate(1)
    rig.run(3)
    #expect(told(rig) == .waitingForOutput)
    #expect(rig.position?.time == .zero)
    rig.sink.setSuspended(false)
    rig.run(1)
    #expect(told(rig) == .advancing)
    rig.run(2)
    #expect(rig.heard().sound == [HeardRun(kind: .media(0), frames: 96_000)])
  }

  @Test("suspended while paused: play waits, B24") func whilePaused() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 960_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.engine.setRate(0)
    rig.run(0.2)
    rig.sink.setSuspended(true)
    rig.run(0.2)
    let time = rig.position?.time
    rig.engine.setRate(1)
    rig.run(1)
    #expect(told(rig) == .waitingForOutput)
    #expect(rig.position?.time == time)
    rig.engine.setRate(0)
    rig.run(0.2)
    rig.engine.setRate(1)
    rig.run(0.2)
    #expect(told(rig) == .waitingForOutput)
    rig.sink.setSuspended(false)
    rig.run(0.5)
    #expect(told(rig) == .advancing)
  }

  @Test("a seek on a suspended output is done, and waits, B24") func aSeek() {
    let rig = EngineRig()
    rig.engine.setQueue([rig.entry(frames: 960_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.sink.setSuspended(true)
    rig.run(0.5)
    #expect(told(rig) == .waitingForOutput)
    let target = MediaTime(frame: 480_000, rate: 48_000)
    rig.engine.seek(SeekID(rawValue: 1), to: target, toleranceBefore: .zero, toleranceAfter: .zero)
    rig.run(1)
    #expect(told(rig) == .waitingForOutput)
    #expect(rig.position?.time == target)
    rig.sink.setSuspended(false)
    rig.run(0.5)
    #expect(told(rig) == .advancing)
    guard case .media(480_000)? = rig.heard().sound.last?.kind else {
      Issue.record("\(rig.heard())")
      return
    }
  }

  @Test("unmuted on a suspended output: waiting, then heard from there, B24") func unmuted() {
    let rig = EngineRig()
    rig.engine.setGain(0)
    rig.engine.setQueue([rig.entry(frames: 960_000)])
    rig.engine.setRate(1)
    rig.run(1)
    rig.sink.setSuspended(true)
    #expect(told(rig) == .advancing)
    rig.engine.setGain(1)
    rig.run(0.2)
    let time = rig.position?.time
    rig.run(4)
    #expect(told(rig) == .waitingForOutput)
    #expect(rig.position?.time == time && (time?.seconds ?? 0) >= 1)
    rig.sink.setSuspended(false)
    rig.run(0.5)
    #expect(told(rig) == .advancing)
    guard case .media(let frame)? = rig.heard().sound.last?.kind else {
      Issue.record("\(rig.heard())")
      return
    }
    #expect(abs(Double(frame) / 48_000 - (time?.seconds ?? 0)) < 0.001)
  }
}
