import VPlayEngine
import VPlayModel

/// The state machine in few words.
enum MachineDump {
  static let position = EnginePosition(
    entry: EntryID(rawValue: 1), pass: 0, time: MediaTime(value: 2, timescale: 1), rate: 1)

  static func state(_ machine: PlayerStateMachine) -> String {
    var words = ["[\(machine.queue.map(entry).joined(separator: " "))]", "rate \(Int(machine.rate))"]
    switch machine.timeControl {
    case .paused: words.append("paused")
    case .playing: words.append("playing")
    case .waiting(let reason): words.append("waiting(\(reason))")
    }
    switch machine.status {
    case .unknown: words.append("unknown")
    case .ready: words.append("ready")
    case .failed: words.append("failed")
    }
    words.append("at \(time(machine.time(of: position)))")
    if let seek = machine.pendingSeek { words.append("seek \(seek.id.rawValue) to \(time(seek.target))") }
    return words.joined(separator: " ")
  }

  static func effect(_ effect: PlayerStateMachine.Effect) -> String {
    switch effect {
    case .command(.setQueue): "setQueue"
    case .command(.seek(let seek)): "seek(\(seek.id.rawValue), \(time(seek.target)))"
    case .command(.setRate(let rate)): "setRate(\(Int(rate)))"
    case .changed(let property): "changed \(changed(property))"
    case .seekCompleted(let id, let success): "completed(\(id.rawValue), \(success))"
    case .playedToEnd(let id, let pass): "playedToEnd(\(name(id)), \(pass))"
    case .failedToPlayToEnd(let id, _): "failedToPlayToEnd(\(name(id)))"
    case .playbackStalled(let id): "playbackStalled(\(name(id)))"
    case .tagsChanged(let id, let tags, _): "tagsChanged(\(name(id)), \(tags["title"] ?? "-"))"
    case .timeJumped(let id): "timeJumped(\(name(id)))"
    case .timeMoved(.startOrStop(let at)): "startOrStop at \(time(at))"
    case .timeMoved(.jump(let target)): "jump to \(time(target))"
    case .released(let id, let at): "released(\(name(id)) at \(time(at)))"
    case .interrupted(let began): "interrupted(\(began))"
    }
  }

  private static func changed(_ property: PlayerStateMachine.Property) -> String {
    switch property {
    case .itemStatus(let id, let status):
      switch status {
      case .unknown: "\(name(id)).status unknown"
      case .ready: "\(name(id)).status ready"
      case .failed: "\(name(id)).status failed"
      }
    case .itemTitle(let id, let title): "\(name(id)).title \(title)"
    case .itemDuration(let id, let duration): "\(name(id)).duration \(time(duration))"
    case .itemBuffer(let id, let status):
      "\(name(id)).buffer\(status.isEmpty ? " empty" : "")\(status.isLikelyToKeepUp ? " likely" : "")"
        + (status.isFull ? " full" : "")
    case .itemSeekability(let id, let isSeekable, let isRemote):
      "\(name(id)).seekable \(isSeekable)\(isRemote ? " remote" : "")"
    case .loopCount(let id, let count): "\(name(id)).loopCount \(count)"
    default: "\(property)"
    }
  }

  private static func entry(_ entry: PlayerStateMachine.Entry) -> String {
    var word = name(entry.id)
    switch entry.status {
    case .unknown: word += "?"
    case .ready: break
    case .failed: word += "!"
    }
    if entry.passes != 1 { word += "x\(entry.passes.map(String.init) ?? "∞")" }
    if entry.passesDone > 0 { word += "+\(entry.passesDone)" }
    if entry.hasEnded { word += "|" }
    return word
  }

  private static func name(_ id: EntryID) -> String {
    ["-", "a", "b", "c"].indices.contains(Int(id.rawValue)) ? ["-", "a", "b", "c"][Int(id.rawValue)] : "n"
  }

  private static func time(_ time: MediaTime) -> String {
    time.timescale == 1 ? "\(time.value)" : "\(time.seconds)"
  }
}
