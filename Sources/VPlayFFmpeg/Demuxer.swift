internal import CVPlayFFmpeg
internal import VPlayModel

/// An open medium as a row of packets, with a place in it. Demux thread.
final class Demuxer {
  /// FFmpeg's "try again" this often in a row counts as an error.
  private static let retryLimit = 100
  /// Packets looked at to learn where tracks begin, or where a seek landed.
  private static let lookAheadPackets = 200

  /// What a demuxer of FFmpeg's is opened with.
  private struct Opening {
    var input: any MediaInput
    var name: [CChar]
    var options: [String: String]
    var request: HTTPRequest
  }

  private static let clockTolerance = MediaTime(value: 1, timescale: 10)
  private static let longestStepBack = MediaTime(value: 600, timescale: 1)

  let inspection: MediaInspection
  private var format: FormatContext
  private let network: NetworkInput?
  private let opening: Opening
  private let interrupter: Interrupter
  private var selected: Set<Int>
  /// Packets read ahead, next first.
  private var ahead: [Packet] = []
  /// Errors in a row with nothing read between.
  private var errorsInRow = 0
  /// Whether it was told, on this way to the end, that the file breaks off.
  private var hasToldOfEnd = false
  /// In a chain: what is added to a track's clock, and where its last packet ended.
  private var clockShifts: [Int: MediaTime] = [:]
  private var packetEnds: [Int: MediaTime] = [:]
  private let outline: ContainerOutline
  /// The first time stamp of each track, in its time base: no seek lands before it.
  private var firstTimestamps: [Int: Int64]

  init(address: SourceAddress, options: SourceOptions, interrupter: Interrupter) throws(MediaError) {
    self.interrupter = interrupter
    let request = HTTPRequest(
      url: address.networkURL ?? "", allowedProtocols: address.allowedProtocols, options: options)
    let (input, name) = try Self.openInput(address, request, interrupter)
    network = input as? NetworkInput
    outline = ContainerOutline(input)
    if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted") }
    if let reason = outline.obstacle { throw MediaError(.unrecognizedFormat, reason) }
    var settings = outline.options
    settings["protocol_whitelist"] = address.allowedProtocols
    // A list that names one server's segment and then another's crashes FFmpeg where it keeps connections.
    settings["http_persistent"] = "0"
    opening = Opening(input: input, name: name, options: settings, request: request)
    do {
      format = try FormatContext(
        input: input, name: name, interrupter: interrupter, options: settings, request: request)
    } catch {
      throw outline.explain(error)
    }

    let isSeekable = format.isSegmented ? !format.isLive : input.isSeekable
    let inspector = MediaInspector(format: format, outline: outline, isSeekable: isSeekable)
    if inspector.needsStreamInfo { try format.findStreamInfo() }
    let audio = inspector.playableAudio()
    let video = inspector.video()
    try inspector.checkPlayable(audio: audio, video: video)
    selected = Set(audio)
    for (index, stream) in format.streams.enumerated() {
      stream?.pointee.discard = selected.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
    let late = Set(audio.filter(inspector.beginsWithSecondPacket))
    let (firsts, packets, isEmpty) = try Self.readFirst(of: audio, passing: late, format, interrupter)
    var inspection = try inspector.inspect(
      audio: audio, video: video, firstPackets: firsts, isEmpty: isEmpty)
    inspection.description.isRemote = network != nil || format.isSegmented
    if let headers = network?.streamHeaders {
      inspection.description.tags.merge(headers) { own, _ in own }
    }
    self.inspection = inspection
    firstTimestamps = [:]
    for packet in packets where firstTimestamps[packet.trackID] == nil {
      firstTimestamps[packet.trackID] = packet.timestamp
    }
    ahead = packets
    for packet in ahead { stamp(packet) }
    try skipLeadIn()
    network?.endOpening()
  }

  func details() throws(MediaError) -> MediaDetails {
    try lookAtPictures()
    let input = format.pointer.pointee.pb
    return DetailsReader(format: format, inspection: inspection, sizeBytes: input.map { avio_size($0) } ?? -1)
      .details()
  }

  /// Some codecs keep their size to themselves: the first pictures tell.
  private func lookAtPictures() throws(MediaError) {
    let unknown = format.streams.filter { stream in
      guard let stream, let parameters = stream.pointee.codecpar?.pointee else { return false }
      return parameters.codec_type == AVMEDIA_TYPE_VIDEO && parameters.width <= 0
    }
    guard !unknown.isEmpty else { return }
    for stream in unknown { stream?.pointee.discard = AVDISCARD_DEFAULT }
    defer { for stream in unknown { stream?.pointee.discard = AVDISCARD_ALL } }
    do {
      try format.findStreamInfo()
    } catch {
      // What could not be learned stays unknown.
      if interrupter.isInterrupted { throw error }
    }
  }

  func select(_ trackIDs: [Int]) {
    selected = Set(trackIDs)
    for (index, stream) in format.streams.enumerated() {
      stream?.pointee.discard = selected.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
    ahead.removeAll { !selected.contains($0.trackID) }
  }

  func read() throws(MediaError) -> Packet? {
    if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted") }
    if !ahead.isEmpty { return ahead.removeFirst() }
    if errorsInRow >= 2 { return nil }
    do {
      let packet = try next()
      errorsInRow = 0
      return packet
    } catch {
      errorsInRow += 1
      throw error
    }
  }

  /// The next packet of a selected track from FFmpeg.
  private func next() throws(MediaError) -> Packet? {
    while let packet = try Self.readPacket(format, interrupter) {
      if selected.contains(packet.trackID) {
        stamp(packet)
        return packet
      }
    }
    if errorsInRow == 0, !hasToldOfEnd, breaksOff {
      hasToldOfEnd = true
      throw MediaError(.damaged, "the file ends before what it should hold", code: vplay_averror_eof())
    }
    return nil
  }

  /// Whether a movie's index names data beyond the end of the file: FFmpeg from 6 on ends there without a word.
  private var breaksOff: Bool {
    guard outline.movie != nil, opening.input.isSeekable else { return false }
    let sizeBytes = opening.input.sizeBytes
    return sizeBytes > 0
      && selected.contains { track in
        guard let stream = format.streams[track] else { return false }
        let last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1)
        return last.map { $0.pointee.pos + Int64($0.pointee.size) > sizeBytes } ?? false
      }
  }

  private func stamp(_ packet: Packet) {
    guard let stream = format.streams[packet.trackID] else { return }
    let base = stream.pointee.time_base
    packet.stamp(base: base, zero: inspection.zero - (clockShifts[packet.trackID] ?? .zero))
    let position = packet.pointer.pointee.pos
    packet.tags = network?.takeTags(at: position < 0 ? .max : position)
    guard outline.ogg?.isChained == true, let time = packet.time else { return }
    // A glued stream's clock begins again; the packets' times go on, as those of what is decoded do.
    if let end = packetEnds[packet.trackID], time < end - Self.clockTolerance {
      clockShifts[packet.trackID] = (clockShifts[packet.trackID] ?? .zero) + end - time
      packet.stamp(base: base, zero: inspection.zero - (clockShifts[packet.trackID] ?? .zero))
    }
    packetEnds[packet.trackID] = packet.time.map { $0 + packet.duration }
  }

  private static func readPacket(
    _ format: FormatContext, _ interrupter: Interrupter
  ) throws(MediaError) -> Packet? {
    let packet = try Packet()
    for _ in 0..<retryLimit {
      let code = av_read_frame(format.pointer, packet.pointer)
      if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted") }
      if code >= 0 { return packet }
      if code == vplay_averror(EAGAIN) { continue }
      // An input that failed reads as ended to some demuxers.
      let inputError = format.pointer.pointee.pb?.pointee.error ?? 0
      if code == vplay_averror_eof() {
        if inputError < 0 && inputError != code { throw mediaError(inputError, during: .read) }
        return nil
      }
      throw mediaError(code, during: .read)
    }
    throw MediaError(.damaged, "the medium gives no data", code: vplay_averror(EAGAIN))
  }

  // MARK: - Opening

  static func openInput(
    _ address: SourceAddress, _ request: HTTPRequest, _ interrupter: Interrupter
  ) throws(MediaError) -> (any MediaInput, [CChar]) {
    switch address {
    case .file(let path):
      let name = (Array("file:".utf8) + path + [0]).map { CChar(bitPattern: $0) }
      return (try FileInput(path: path, interrupter: interrupter), name)
    case .descriptor(let number):
      let name = "pipe:\(number)".utf8CString
      return (
        try FileInput(descriptor: number, ownsDescriptor: false, interrupter: interrupter), Array(name)
      )
    case .network(let url):
      return (try NetworkInput(request, interrupter: interrupter), Array(url.utf8CString))
    }
  }

  /// Reads until the first packet of each track is there, the second one of those in `late`; all that was read on the
  /// way is kept, in order.
  private static func readFirst(
    of tracks: [Int], passing late: Set<Int>, _ format: FormatContext, _ interrupter: Interrupter
  ) throws(MediaError) -> (firsts: [Int: Packet], all: [Packet], isEmpty: Bool) {
    var firsts: [Int: Packet] = [:]
    var passed: Set<Int> = []
    var all: [Packet] = []
    while firsts.count < tracks.count && all.count < lookAheadPackets {
      let packet: Packet?
      do {
        packet = try readPacket(format, interrupter)
      } catch {
        if error.kind == .interrupted || error.kind == .outOfMemory { throw error }
        // What is damaged here is met again, and reported, by who reads on.
        break
      }
      guard let packet else { return (firsts, all, all.isEmpty) }
      guard tracks.contains(packet.trackID) else { continue }
      all.append(packet)
      if late.contains(packet.trackID) && passed.insert(packet.trackID).inserted { continue }
      if firsts[packet.trackID] == nil { firsts[packet.trackID] = packet }
    }
    return (firsts, all, false)
  }

  /// A movie's edit may leave out a long beginning: go past it, so that it need not be decoded.
  private func skipLeadIn() throws(MediaError) {
    guard outline.hasOwnEdits, inspection.description.isSeekable, let first = ahead.first?.time,
      first < MediaTime(value: -1, timescale: 1)
    else { return }
    try seek(to: .zero)
  }

  // MARK: - Seeking

  func seek(to time: MediaTime) throws(MediaError) {
    if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted") }
    guard inspection.description.isSeekable else {
      throw MediaError(.notSeekable, "it cannot be sought in")
    }
    if outline.ogg?.isChained == true { return try rewind() }
    let tracks = inspection.tracks.filter { selected.contains($0.track.id) }
    guard let reference = tracks.first ?? inspection.tracks.first else { return }
    let preroll = tracks.map(\.preroll).max() ?? .zero
    let base = reference.timeBase
    var target = max(time, .zero)
    if inspection.description.isDurationExact, let end = inspection.description.duration {
      target = min(target, end)
    }
    target = target + inspection.zero - preroll
    let first = firstTimestamps[reference.track.id] ?? 0
    var wanted = max(first, target.units(of: base))
    if let last = outline.ogg?.lastPageStart, tracks.count <= 1 { wanted = max(first, min(wanted, last - 1)) }

    var aim = wanted
    var back = MediaTime(value: 1, timescale: 2)
    while true {
      ahead.removeAll()
      errorsInRow = 0
      hasToldOfEnd = false
      let reached = jump(to: aim, stream: reference.track.id)
      if interrupter.isInterrupted { throw MediaError(.interrupted, "interrupted") }
      if let reached, reached < 0, aim <= first { throw mediaError(reached, during: .seek) }
      let landing = try land(on: reference, pastFirstPage: reference.firstPageIsUnclocked && aim > first)
      let isEarlyEnough = landing.map { $0 <= wanted } ?? false
      if isEarlyEnough || aim <= first { return markStart(of: reference, first) }
      // An index can be wrong by some seconds; by more, only the beginning is sure.
      let isLost = back > Self.longestStepBack
      aim = isLost ? first : max(first, (MediaTime(aim, base) - back).units(of: base))
      back = MediaTime(value: back.value * 4, timescale: back.timescale)
    }
  }

  /// Opens the medium anew, for all of it to be decoded again: of glued streams FFmpeg knows only one at a time, and
  /// cannot find its way from one to another.
  private func rewind() throws(MediaError) {
    ahead.removeAll()
    errorsInRow = 0
    hasToldOfEnd = false
    clockShifts = [:]
    packetEnds = [:]
    let input = opening.input
    input.context.pointee.error = 0
    let code = avio_seek(input.context, 0, SEEK_SET)
    guard code >= 0 else { throw mediaError(Int32(clamping: code), during: .seek) }
    let anew = try FormatContext(
      input: input, name: opening.name, interrupter: interrupter, options: opening.options,
      request: opening.request)
    try anew.findStreamInfo()
    format = anew
    select(Array(selected))
  }

  /// At the medium's very beginning a packet without a time is the first one.
  private func markStart(of reference: TrackInfo, _ first: Int64) {
    guard let packet = ahead.first(where: { $0.trackID == reference.track.id }) else { return }
    if packet.timestamp == nil {
      packet.pointer.pointee.pts = first
      stamp(packet)
    }
    if let time = packet.timestamp, time <= first { packet.beginsTrack = reference.startIsUnclocked }
  }

  /// Places FFmpeg at or before a time; its error code where it failed.
  private func jump(to timestamp: Int64, stream: Int) -> Int32? {
    // An error of the input sticks to it; what failed there may work elsewhere.
    format.pointer.pointee.pb?.pointee.error = 0
    let code = av_seek_frame(format.pointer, Int32(stream), timestamp, AVSEEK_FLAG_BACKWARD)
    return code < 0 ? code : nil
  }

  /// Reads ahead to the first packet of `track` whose time can be trusted, keeping what is selected from there on; its
  /// time, or nil at the end.
  private func land(on track: TrackInfo, pastFirstPage: Bool) throws(MediaError) -> Int64? {
    var page: Int64?
    for _ in 0..<Self.lookAheadPackets {
      let packet: Packet?
      do {
        packet = try next()
      } catch {
        if error.kind == .interrupted || error.kind == .outOfMemory { throw error }
        errorsInRow += 1
        if errorsInRow >= 2 { return nil }
        continue
      }
      guard let packet else { return nil }
      let position = packet.pointer.pointee.pos
      if pastFirstPage && packet.trackID == track.track.id {
        if position < 0 || position == page ?? position {
          page = position
          continue
        }
      }
      ahead.append(packet)
      if packet.trackID == track.track.id, let timestamp = packet.timestamp { return timestamp }
    }
    return nil
  }
}
