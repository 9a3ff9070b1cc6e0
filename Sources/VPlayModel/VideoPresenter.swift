/// The video presenter contract: something that shows pictures when it is told to.
package protocol VideoPresenter: AnyObject, Sendable {
  /// Whether a picture would be seen now. While false, none is scaled or presented for it. Any thread.
  var isVisible: Bool { get }

  /// Shows `frame` from `hostTime` on, until the next one. Does not block. Any thread.
  func present(_ frame: any VideoFrame, at hostTime: HostTime)

  /// Shows nothing from now on. Any thread.
  func clear()
}
