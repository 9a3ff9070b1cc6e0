import Foundation
import TestSupport
import Testing
import VPlayKit
import VPlayModel

/// How assets load: once, shared, cancelled, and never on the caller's time.
@Suite struct AssetLoadingTests {
  /// A source that opens when it is told to.
  final class GatedSource: MediaSource {
    struct State {
      var isOpenAllowed = false
      var isInterrupted = false
    }

    static let name = "AVAssetGate"
    let state = Monitor(State())

    func open() throws(MediaError) -> MediaDescription {
      let isAllowed = state.wait(until: nil) { state -> Bool? in
        state.isInterrupted ? false : state.isOpenAllowed ? true : nil
      }
      guard isAllowed == true else { throw MediaError(.interrupted, "interrupted") }
      return MediaDescription(
        duration: MediaTime(value: 3, timescale: 2), isDurationExact: true,
        audioTracks: [AudioTrack(id: 0, format: .stereo(48_000), exactEndFrame: 72_000, codecName: "pcm_s16le")],
        hasVideo: false, isSeekable: true, tags: ["title": "Gate"])
    }

    func select(trackIDs: [Int]) {}
    func read() throws(MediaError) -> (any MediaPacket)? { nil }
    func seek(to time: MediaTime) throws(MediaError) {}
    func interrupt() { state.withLockAndWake { $0.isInterrupted = true } }
    func makeAudioDecoder(trackID: Int) throws(MediaError) -> any AudioDecoder {
      throw MediaError(.other, "nothing is decoded here")
    }

    func allowOpen() { state.withLockAndWake { $0.isOpenAllowed = true } }
  }

  /// An asset, and the sources that it makes.
  struct Rig {
    let asset: AVURLAsset
    let sources = Log<GatedSource>()

    init() {
      let sources = sources
      // As what is far away: files' few threads are for those tests that load some.
      asset = AVURLAsset(url: URL(string: "gated:medium") ?? URL(fileURLWithPath: "/")) { _ in
        let source = GatedSource()
        sources.add(source)
        return source
      }
    }

    /// What loads is a task: it may wait long for one of the pool's few threads, which other tests hold.
    @discardableResult func isOpened(times count: Int) async -> Bool {
      await waiting { sources.wait(count: count, seconds: 120) }
    }

    func allowOpen() async {
      await isOpened(times: 1)
      for source in sources.all { source.allowOpen() }
    }
  }

  @Test func manyAskAndItIsOpenedOnce() async throws {
    let rig = Rig()
    guard case .notYetLoaded = rig.asset.status(of: .duration) else {
      Issue.record("loaded already")
      return
    }
    // More than Swift's pool has threads: it must stay free.
    let durations = try await withThrowingTaskGroup(of: CMTime.self) { group in
      for _ in 0..<64 { group.addTask { try await rig.asset.load(.duration) } }
      group.addTask {
        await rig.isOpened(times: 1)
        guard case .loading = rig.asset.status(of: .tracks) else { return .invalid }
        await rig.allowOpen()
        return try await rig.asset.load(.duration)
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(durations == Array(repeating: CMTime(value: 3, timescale: 2), count: 65))
    #expect(rig.sources.count == 1)
    guard case .loaded(let tracks) = rig.asset.status(of: .tracks) else {
      Issue.record("not loaded")
      return
    }
    #expect(tracks.count == 1 && rig.asset.tracks.first === tracks.first)
    #expect(rig.sources.count == 1)
  }

  @Test func loadingsDoNotWaitForEachOther() async throws {
    let stuck = (0..<3).map { _ in Rig() }
    for rig in stuck { rig.asset.loadValuesAsynchronously(forKeys: ["tracks"]) }
    for rig in stuck { #expect(await rig.isOpened(times: 1)) }
    let rig = Rig()
    async let title = rig.asset.load(.commonMetadata).first?.stringValue
    await rig.allowOpen()
    #expect(try await title == "Gate")
    for rig in stuck { rig.asset.cancelLoading() }
  }

  @Test func cancelledTaskWaitsNoLonger() async throws {
    let rig = Rig()
    let first = Task { try await rig.asset.load(.duration) }
    let second = Task { try await rig.asset.load(.tracks).count }
    #expect(await rig.isOpened(times: 1))
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await rig.allowOpen()
    #expect(try await second.value == 1)
    #expect(rig.sources.count == 1)

    let before = Rig()
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await before.asset.load(.duration)
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  /// The last one who waits takes the loading with him; it can be begun anew.
  @Test func nobodyWaits() async throws {
    let rig = Rig()
    let only = Task { try await rig.asset.load(.duration) }
    #expect(await rig.isOpened(times: 1))
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    #expect(rig.sources.all[0].state.withLock { $0.isInterrupted })
    let again = Task { try await rig.asset.load(.duration) }
    #expect(await rig.isOpened(times: 2))
    await rig.allowOpen()
    #expect(try await again.value.seconds == 1.5)
  }

  @Test func cancelLoading() async throws {
    let rig = Rig()
    let told = Log<Void>()
    rig.asset.loadValuesAsynchronously(forKeys: ["duration", "playable"]) { told.add(()) }
    let task = Task { try await rig.asset.load(.tracks) }
    #expect(await rig.isOpened(times: 1))
    var error: NSError?
    #expect(rig.asset.statusOfValue(forKey: "duration", error: &error) == .loading)
    // The task may not wait yet.
    while true {
      rig.asset.cancelLoading()
      if await waiting({ told.wait(count: 1) }) { break }
    }
    #expect(rig.asset.statusOfValue(forKey: "duration", error: &error) != .loaded)
    task.cancel()
    await #expect(throws: (any Error).self) { try await task.value }
    let again = Log<Void>()
    rig.asset.loadValuesAsynchronously(forKeys: ["duration"]) { again.add(()) }
    for source in rig.sources.all { source.allowOpen() }
    #expect(await eventuallyTrue { rig.sources.all.last?.state.withLock { !$0.isInterrupted } ?? false })
    rig.sources.all.last?.allowOpen()
    #expect(await waiting { again.wait(count: 1) })
    #expect(rig.asset.statusOfValue(forKey: "duration", error: &error) == .loaded && error == nil)
  }

  @Test func keys() async throws {
    let rig = Rig()
    let told = Log<Void>()
    #expect(rig.asset.statusOfValue(forKey: "duration") == .unknown)
    rig.asset.loadValuesAsynchronously(forKeys: ["duration"]) { told.add(()) }
    await rig.allowOpen()
    #expect(await waiting { told.wait(count: 1) })
    var error: NSError?
    #expect(rig.asset.statusOfValue(forKey: "playable", error: &error) == .loaded && error == nil)
    #expect(rig.asset.statusOfValue(forKey: "nonsense", error: &error) == .failed && error != nil)
    rig.asset.loadTracks(withMediaType: .audio) { tracks, error in
      if tracks?.count == 1 && error == nil { told.add(()) }
    }
    #expect(await waiting { told.wait(count: 2) })
  }

  /// An asset that is dropped ends what it has under way.
  @Test func droppedAsset() async throws {
    var rig: Rig? = Rig()
    let sources = try #require(rig?.sources)
    rig?.asset.loadValuesAsynchronously(forKeys: ["duration"])
    #expect(await waiting { sources.wait(count: 1) })
    rig = nil
    #expect(await eventuallyTrue { sources.all[0].state.withLock { $0.isInterrupted } })
  }

  private func eventuallyTrue(_ condition: @escaping @Sendable () -> Bool) async -> Bool {
    await waiting { eventually(condition) }
  }

  @MainActor @Test func fromAnActor() async throws {
    let rig = Rig()
    async let allowed: Void = Task.detached { await rig.allowOpen() }.value
    let (duration, isPlayable, metadata, common) = try await rig.asset.load(
      .duration, .isPlayable, .metadata, .commonMetadata)
    await allowed
    #expect(duration.seconds == 1.5 && isPlayable && metadata.count == 1 && common.count == 1)
    // Not Sendable, and never leaves the actor.
    let value = try await metadata[0].load(.value)
    #expect(value as? NSString == "Gate")
  }
}
