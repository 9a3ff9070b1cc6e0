/// A decoded picture, as a presenter takes it.
package protocol VideoFrame: AnyObject, Sendable {
  /// Item time at which it is first to be seen.
  var time: MediaTime { get }
  /// How long it stays, zero when not known.
  var duration: MediaTime { get }
  var widthPixels: Int { get }
  var heightPixels: Int { get }
}

/// The video presenter contract: something that shows pictures when it is told to.
package protocol VideoPresenter: AnyObject, Sendable {
  /// Shows `frame` from `hostTime` on, until the next one. Does not block. Any thread.
  func present(_ frame: any VideoFrame, at hostTime: HostTime)

  /// Shows nothing from now on. Any thread.
  func clear()
}
