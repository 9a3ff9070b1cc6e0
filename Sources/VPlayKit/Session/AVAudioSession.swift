public import Foundation

open class AVAudioSession: NSObject, @unchecked Sendable {
  override init() {}
  private static let shared = AVAudioSession()
  open class func sharedInstance() -> AVAudioSession { shared }
  open func setOutputMuted(_ muted: Bool) throws {}
  open var isOutputMuted: Bool { false }
  public static let outputMuteStateChangeNotification = Notification.Name(
    "AVAudioSessionOutputMuteStateChangeNotification")
}
