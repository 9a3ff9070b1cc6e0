import Glibc
import VPlayKit

/// `--info`: says what the inputs hold.
struct InfoCommand {
  let options: Options

  /// Whether all could be opened, and everything said. Waits for the media on the calling thread.
  func run(note: @escaping @Sendable (String) -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    let (inputs, isJSON) = (options.inputs, options.isJSON)
    Task.detached {
      outcome.isWhole = await InfoCommand.tell(of: inputs, asJSON: isJSON, note: note)
      done.signal()
    }
    done.wait()
    return outcome.isWhole
  }

  /// Written before the semaphore is signalled, read after.
  private final class Outcome: @unchecked Sendable {
    var isWhole = false
  }

  private static func tell(of inputs: [Input], asJSON isJSON: Bool, note: (String) -> Void) async -> Bool {
    let list: TrackList
    if let plain = TrackList(inputs) { list = plain } else { list = await TrackList(reading: inputs) }
    var isWhole = true
    var isFirst = true
    func say(_ text: String) -> Bool {
      if Output.write(text, to: 1) { return true }
      note("standard output: \(String(cString: strerror(errno)))")
      return false
    }
    func fail(_ failure: Playback.Failure) -> Bool {
      isWhole = false
      note("\(failure.track.name): \(failure.reason)")
      return !isJSON || say(JSONReport.error(failure).text + "\n")
    }
    for failure in list.failures { guard fail(failure) else { return false } }
    for track in list.tracks {
      do {
        let report = try await MediaReport(of: AVURLAsset(url: track.url))
        if isJSON {
          guard say(report.json(file: track.text, url: track.url.absoluteString).text + "\n") else { return false }
        } else {
          guard say((isFirst ? "" : "\n") + report.text(name: track.name)) else { return false }
        }
        isFirst = false
      } catch {
        guard fail(Playback.Failure(track: track, error: error)) else { return false }
      }
    }
    return isWhole
  }
}
