internal import CVPlayFFmpeg
internal import VPlayModel

/// One `SwrContext`, interleaved floats in and out. Used by one thread at a time.
final class Resampler {
  private var context: OpaquePointer?

  /// `matrix` is the mix between the layouts, nil where channels go through in their order.
  init(from input: AudioFormat, to output: AudioFormat, matrix: MixMatrix?) throws(MediaError) {
    // The mix is ours: swresample is told counts, not places.
    var from = AVChannelLayout()
    var to = AVChannelLayout()
    from.order = AV_CHANNEL_ORDER_UNSPEC
    from.nb_channels = Int32(input.channelCount)
    to.order = AV_CHANNEL_ORDER_UNSPEC
    to.nb_channels = Int32(output.channelCount)
    var code = swr_alloc_set_opts2(
      &context, &to, AV_SAMPLE_FMT_FLT, Int32(output.sampleRate), &from, AV_SAMPLE_FMT_FLT,
      Int32(input.sampleRate), 0, nil)
    guard code >= 0, let context else { throw mediaError(code, during: .convert) }
    let object = UnsafeMutableRawPointer(context)
    av_opt_set_int(object, "filter_size", ResamplerSettings.filterSize, 0)
    av_opt_set_int(object, "phase_shift", ResamplerSettings.phaseShift, 0)
    av_opt_set_int(object, "linear_interp", ResamplerSettings.linearInterpolation, 0)
    av_opt_set_int(object, "exact_rational", 1, 0)
    av_opt_set_double(object, "cutoff", ResamplerSettings.cutoff, 0)
    if let matrix {
      let values = matrix.rows.flatMap { $0 }
      code = swr_set_matrix(context, values, Int32(input.channelCount))
      guard code >= 0 else { throw mediaError(code, during: .convert) }
    }
    try reset()
  }

  deinit {
    swr_free(&context)
  }

  /// Forgets what is held back.
  func reset() throws(MediaError) {
    let code = swr_init(context)
    guard code >= 0 else { throw mediaError(code, during: .convert) }
  }

  /// The most frames that `count` more can bring out.
  func capacity(for count: Int) -> Int {
    max(0, Int(swr_get_out_samples(context, Int32(clamping: count)))) + 64
  }

  /// Converts, or with nil gives the rest; returns the frames written.
  func convert(
    _ samples: UnsafePointer<Float>?, _ count: Int, into target: UnsafeMutablePointer<Float>, capacity: Int
  ) throws(MediaError) -> Int {
    var planes: UnsafeMutablePointer<UInt8>? = UnsafeMutableRawPointer(target)
      .assumingMemoryBound(to: UInt8.self)
    let code: Int32
    if let samples {
      var source: UnsafePointer<UInt8>? = UnsafeRawPointer(samples).assumingMemoryBound(to: UInt8.self)
      code = swr_convert(context, &planes, Int32(capacity), &source, Int32(count))
    } else {
      code = swr_convert(context, &planes, Int32(capacity), nil, 0)
    }
    guard code >= 0 else { throw mediaError(code, during: .convert) }
    return Int(code)
  }
}

/// A 64-tap filter leaves less than −93 dB of a tone up to 20 kHz (44.1 to 48 kHz), at about 1.2 ms of CPU a second.
private enum ResamplerSettings {
  static let filterSize: Int64 = 64
  static let phaseShift: Int64 = 10
  static let linearInterpolation: Int64 = 0
  static let cutoff = 0.97
}
