internal import CVPlayFFmpeg
internal import VPlayModel

/// How much of each input channel goes into each output channel: `rows[output][input]`.
struct MixMatrix: Equatable {
  var rows: [[Double]]

  /// The mix between two layouts; nil when it would change nothing.
  ///
  /// Named channels are mixed as swresample does, scaled down where the sum could clip. Mono keeps its level in each
  /// front channel. Channels without a name are heard in all front channels.
  init?(from input: [ChannelPosition], to output: [ChannelPosition]) throws(MediaError) {
    if input == output { return nil }
    // Unnamed channels, as many as are wanted, go through in their order.
    if input.count == output.count && (input + output).contains(.unknown) { return nil }
    rows = try Self.named(input, output)
    let fronts = output.indices.filter { output[$0] == .frontLeft || output[$0] == .frontRight }
    let targets = fronts.isEmpty ? [0] : fronts
    let level = 0.5.squareRoot()
    for (column, position) in input.enumerated() {
      // Nothing may be lost: what found no place goes to the front too. The LFE is left out on purpose.
      let isUnplaced = position == .unknown || Set(input).count < input.count
      if isUnplaced && rows.allSatisfy({ $0[column] == 0 }) {
        for row in targets { rows[row][column] = level }
      }
    }
    if input == [.frontCenter] && !output.contains(.frontCenter) && !fronts.isEmpty {
      for row in fronts { rows[row][0] = 1 }
    }
    let loudest = rows.map { $0.reduce(0) { $0 + abs($1) } }.max() ?? 0
    if loudest > 1 { rows = rows.map { $0.map { $0 / loudest } } }
  }

  /// swresample's own mix between the named channels of both sides, in the order given.
  private static func named(
    _ input: [ChannelPosition], _ output: [ChannelPosition]
  ) throws(MediaError) -> [[Double]] {
    var rows = Array(repeating: Array(repeating: 0.0, count: input.count), count: output.count)
    let (inMask, outMask) = (mask(input), mask(output))
    guard inMask != 0, outMask != 0 else { return rows }
    let (inNative, outNative) = (native(inMask), native(outMask))
    var (from, to) = (AVChannelLayout(), AVChannelLayout())
    av_channel_layout_from_mask(&from, inMask)
    av_channel_layout_from_mask(&to, outMask)
    // FFmpeg 5.1 scales a whole 64 by 64 matrix, however small the layouts are.
    let stride = 64
    var matrix = Array(repeating: 0.0, count: stride * stride)
    let level = 0.5.squareRoot()
    let code = swr_build_matrix2(
      &from, &to, level, level, 0, 1, 1, &matrix, stride, AV_MATRIX_ENCODING_NONE, nil)
    guard code >= 0 else { return rows }
    for (row, position) in output.enumerated() {
      guard let outIndex = outNative.firstIndex(of: position) else { continue }
      for (column, source) in input.enumerated() {
        guard let inIndex = inNative.firstIndex(of: source) else { continue }
        rows[row][column] = matrix[outIndex * stride + inIndex]
      }
    }
    return rows
  }

  private static func mask(_ positions: [ChannelPosition]) -> UInt64 {
    positions.reduce(0) { $1 == .unknown ? $0 : $0 | 1 << UInt64($1.rawValue) }
  }

  private static func native(_ mask: UInt64) -> [ChannelPosition] {
    ChannelPosition.allCases.filter { $0 != .unknown && mask & 1 << UInt64($0.rawValue) != 0 }
  }
}
