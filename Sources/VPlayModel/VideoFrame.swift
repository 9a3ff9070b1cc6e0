/// How the samples of a picture are laid out in its planes.
package enum PixelLayout: Sendable, Hashable {
  /// 8-bit planes Y, U, V; the chroma planes half as wide and half as high, rounded up.
  case yuv420p
  /// 8-bit plane Y, and a plane of U and V interleaved, half as wide and half as high, rounded up.
  case nv12
  /// One plane, four bytes a pixel in memory: blue, green, red, alpha (not premultiplied).
  case bgra
  /// Anything else, by FFmpeg's name of it; only a scaler makes use of it.
  case other(String)
}

/// The matrix that YUV samples are converted to RGB by (ITU-T H.273, MatrixCoefficients).
package enum ColorMatrix: Sendable, Hashable {
  case bt601
  case bt709
  case bt2020
}

/// What a picture looks like in memory, and how it is to be shown.
package struct VideoFormat: Sendable, Hashable {
  /// The visible part of the stored picture, before aspect and rotation.
  package var widthPixels: Int
  package var heightPixels: Int
  package var layout: PixelLayout
  package var matrix: ColorMatrix
  /// 0…255 for 8-bit samples, rather than 16…235.
  package var isFullRange: Bool
  /// Width of a sample by its height; 1:1 where the medium does not say.
  package var sampleAspectWidth: Int
  package var sampleAspectHeight: Int
  /// Clockwise turn that makes the stored picture upright: 0, 90, 180 or 270.
  package var rotationDegrees: Int
  /// The stored picture is flipped left to right, before it is turned.
  package var isMirrored: Bool

  package init(
    widthPixels: Int, heightPixels: Int, layout: PixelLayout, matrix: ColorMatrix = .bt709,
    isFullRange: Bool = false, sampleAspectWidth: Int = 1, sampleAspectHeight: Int = 1,
    rotationDegrees: Int = 0, isMirrored: Bool = false
  ) {
    self.widthPixels = widthPixels
    self.heightPixels = heightPixels
    self.layout = layout
    self.matrix = matrix
    self.isFullRange = isFullRange
    self.sampleAspectWidth = sampleAspectWidth
    self.sampleAspectHeight = sampleAspectHeight
    self.rotationDegrees = rotationDegrees
    self.isMirrored = isMirrored
  }
}

/// One plane of a picture. Valid during the call that hands it out.
package struct PixelPlane {
  package var bytes: UnsafeRawPointer
  /// From one row to the next; negative when the picture is stored bottom up.
  package var rowBytes: Int
  package var widthSamples: Int
  package var heightRows: Int

  package init(bytes: UnsafeRawPointer, rowBytes: Int, widthSamples: Int, heightRows: Int) {
    self.bytes = bytes
    self.rowBytes = rowBytes
    self.widthSamples = widthSamples
    self.heightRows = heightRows
  }
}

/// A decoded picture, as a presenter takes it. Immutable.
package protocol VideoFrame: AnyObject, Sendable {
  /// Item time at which it is first to be seen.
  var time: MediaTime { get }
  /// How long it stays, zero when not known.
  var duration: MediaTime { get }
  var format: VideoFormat { get }

  /// Hands out the planes in the layout's order. Any thread.
  func withPlanes<Result>(_ body: ([PixelPlane]) throws -> Result) rethrows -> Result
}

/// A rectangle of whole pixels, the origin at the upper left.
package struct PixelRect: Sendable, Hashable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

/// Scales and converts pictures to BGRA. Keeps what it computed for the last format and size. One thread.
package protocol VideoScaler: AnyObject {
  /// Draws `source` of the stored picture, unrotated, over `width` by `height` pixels at `target`; the alpha of an
  /// opaque picture is 255. Throws `MediaError` when the format cannot be converted or memory is short.
  func scale(
    _ frame: any VideoFrame, from source: PixelRect, to target: UnsafeMutableRawPointer, rowBytes: Int,
    width: Int, height: Int
  ) throws(MediaError)
}
