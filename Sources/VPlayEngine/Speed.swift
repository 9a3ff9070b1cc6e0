package import VPlayModel

/// How fast media go by, and what becomes of their pitch.
package struct Speed: Sendable, Hashable {
  /// Media seconds a second of stream, above 0.
  package var rate: Double
  package var algorithm: RateAlgorithm

  package init(rate: Double = 1, algorithm: RateAlgorithm = .timeStretch) {
    self.rate = rate
    self.algorithm = algorithm
  }
}
