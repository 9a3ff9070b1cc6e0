public import Foundation

extension NSValue {
  /// A value that holds a time.
  public convenience init(time: CMTime) {
    self.init(replacedBy: { TimeValue(.time(time)) })
  }

  /// A value that holds a range of time.
  public convenience init(timeRange: CMTimeRange) {
    self.init(replacedBy: { TimeValue(.range(timeRange)) })
  }

  /// A value that holds a mapping of time.
  public convenience init(timeMapping: CMTimeMapping) {
    self.init(replacedBy: { TimeValue(.mapping(timeMapping)) })
  }

  /// The time that it holds; invalid when it holds something else.
  public var timeValue: CMTime {
    if case .time(let time)? = (self as? TimeValue)?.content { return time }
    return .invalid
  }

  /// The range of time that it holds; invalid when it holds something else.
  public var timeRangeValue: CMTimeRange {
    if case .range(let range)? = (self as? TimeValue)?.content { return range }
    return .invalid
  }

  /// The mapping of time that it holds; invalid when it holds something else.
  public var timeMappingValue: CMTimeMapping {
    if case .mapping(let mapping)? = (self as? TimeValue)?.content { return mapping }
    return .invalid
  }
}

/// What may become another object of its class while it is made.
private protocol Replaceable {
  init(replacedBy make: () -> Self)
}

extension Replaceable {
  init(replacedBy make: () -> Self) {
    self = make()
  }
}

extension NSValue: Replaceable {
  fileprivate convenience init(replacedBy make: () -> TimeValue) {
    if let made = make() as NSValue as? Self {
      self.init(replacedBy: { made } as () -> Self)
    } else {
      // A class of values that cannot hold times, such as `NSNumber`: 0.
      var nothing = 0.0
      self.init(bytes: &nothing, objCType: "d")
    }
  }
}

/// Foundation's own values trap on structures here. Not private: archives know classes by names that others can see.
// Safe to share: what it holds never changes.
final class TimeValue: NSValue, @unchecked Sendable {
  enum Content: Hashable, Codable {
    case time(CMTime)
    case range(CMTimeRange)
    case mapping(CMTimeMapping)
  }

  let content: Content

  init(_ content: Content) {
    self.content = content
    super.init()
  }

  required init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "VPlayTime"),
      let content = try? JSONDecoder().decode(Content.self, from: data as Data)
    else { return nil }
    self.content = content
    super.init()
  }

  required init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<Int8>) {
    let name = String(cString: type)
    if name.hasPrefix("{CMTimeMapping") {
      content = .mapping(value.loadUnaligned(as: CMTimeMapping.self))
    } else if name.hasPrefix("{CMTimeRange") {
      content = .range(value.loadUnaligned(as: CMTimeRange.self))
    } else {
      content = .time(value.loadUnaligned(as: CMTime.self))
    }
    super.init()
  }

  override func encode(with coder: NSCoder) {
    guard let data = try? JSONEncoder().encode(content) else { return }
    coder.encode(data as NSData, forKey: "VPlayTime")
  }

  override var objCType: UnsafePointer<Int8> {
    // Literals last as long as the program.
    let name: StaticString =
      switch content {
      case .time: "{CMTime=qiIq}"
      case .range: "{CMTimeRange={CMTime=qiIq}{CMTime=qiIq}}"
      case .mapping: "{CMTimeMapping={CMTimeRange={CMTime=qiIq}{CMTime=qiIq}}{CMTimeRange={CMTime=qiIq}{CMTime=qiIq}}}"
      }
    return UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: Int8.self)
  }

  override func getValue(_ value: UnsafeMutableRawPointer) {
    switch content {
    case .time(let time): value.storeBytes(of: time, as: CMTime.self)
    case .range(let range): value.storeBytes(of: range, as: CMTimeRange.self)
    case .mapping(let mapping): value.storeBytes(of: mapping, as: CMTimeMapping.self)
    }
  }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? TimeValue)?.content == content
  }

  override var hash: Int { content.hashValue }

  override func copy(with zone: NSZone? = nil) -> Any { self }

  override var description: String {
    switch content {
    case .time(let time): "CMTime: \(time)"
    case .range(let range): "CMTimeRange: \(range)"
    case .mapping(let mapping): "CMTimeMapping: \(mapping)"
    }
  }
}
