import CVPlayBus
import CVPlayMPRIS
import Glibc

/// What answers on the bus for MPRIS's object. Called on the bus thread.
protocol BusObject: AnyObject {
  /// 0, or a negative errno.
  func call(_ member: String, on interface: String, with arguments: BusMessage) -> Int32
  /// Nil when there is no such property.
  func property(_ name: String, of interface: String) -> BusValue?
  /// 0, or a negative errno.
  func set(_ name: String, of interface: String, to value: BusMessage) -> Int32
}

/// One connection to the session bus, with our object on it. Confined to the bus thread.
final class BusConnection {
  static let path = "/org/mpris/MediaPlayer2"
  /// A bus that does not answer within this is as none.
  private static let callTimeoutMicroseconds: UInt64 = 2_000_000

  private let bus: OpaquePointer
  private let handlers: UnsafeMutablePointer<cvplay_mpris_handlers>
  private let object: any BusObject

  /// Nil without a session bus, or when it refuses the object or each of the names.
  init?(object: any BusObject, names: [String]) {
    var opened: OpaquePointer?
    guard sd_bus_open_user(&opened) >= 0, let opened else { return nil }
    bus = opened
    self.object = object
    handlers = .allocate(capacity: 1)
    let context = BusContext(object: object)
    // Released in deinit, after the bus, the only one that calls with it.
    handlers.initialize(
      to: cvplay_mpris_handlers(
        context: Unmanaged.passRetained(context).toOpaque(), call: onCall, get: onGet, set: onSet))
    sd_bus_set_method_call_timeout(bus, Self.callTimeoutMicroseconds)
    guard cvplay_mpris_add(bus, handlers) >= 0,
      names.contains(where: { sd_bus_request_name(bus, $0, 0) >= 0 })
    else { return nil }
  }

  deinit {
    sd_bus_flush_close_unref(bus)
    if let context = handlers.pointee.context { Unmanaged<BusContext>.fromOpaque(context).release() }
    handlers.deinitialize(count: 1)
    handlers.deallocate()
  }

  /// Handles what has come. False when the connection is gone.
  func process() -> Bool {
    while true {
      let status = sd_bus_process(bus, nil)
      if status <= 0 { return status == 0 }
    }
  }

  /// Waits for the bus, or until `wake` can be read.
  func wait(wake: Int32) {
    var timeout: UInt64 = .max
    sd_bus_get_timeout(bus, &timeout)
    var milliseconds: Int32 = -1
    if timeout != .max {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
      milliseconds = timeout <= microseconds ? 0 : Int32(min((timeout - microseconds) / 1000 + 1, 60_000))
    }
    let events = Int16(truncatingIfNeeded: max(sd_bus_get_events(bus), 0))
    var descriptors = [
      pollfd(fd: sd_bus_get_fd(bus), events: events, revents: 0),
      pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, nfds_t(descriptors.count), milliseconds)
  }

  func emitChanged(_ properties: [String], of interface: String) {
    guard !properties.isEmpty else { return }
    var names: [UnsafeMutablePointer<CChar>?] = properties.map { strdup($0) } + [nil]
    sd_bus_emit_properties_changed_strv(bus, Self.path, interface, &names)
    for name in names { free(name) }
  }

  func emitSeeked(microseconds: Int64) {
    cvplay_mpris_emit_seeked(bus, microseconds)
  }
}

/// What the C callbacks recover.
private final class BusContext {
  let object: any BusObject
  init(object: any BusObject) { self.object = object }
}

private func object(_ context: UnsafeMutableRawPointer?) -> (any BusObject)? {
  context.map { Unmanaged<BusContext>.fromOpaque($0).takeUnretainedValue().object }
}

private func onCall(
  context: UnsafeMutableRawPointer?, interface: UnsafePointer<CChar>?, member: UnsafePointer<CChar>?,
  message: OpaquePointer?
) -> Int32 {
  guard let object = object(context), let interface, let member, let message else { return -EINVAL }
  return object.call(
    String(cString: member), on: String(cString: interface), with: BusMessage(pointer: message))
}

private func onGet(
  context: UnsafeMutableRawPointer?, interface: UnsafePointer<CChar>?, property: UnsafePointer<CChar>?,
  message: OpaquePointer?
) -> Int32 {
  guard let object = object(context), let interface, let property, let message,
    let value = object.property(String(cString: property), of: String(cString: interface))
  else { return -EINVAL }
  return BusMessage(pointer: message).append(value)
}

private func onSet(
  context: UnsafeMutableRawPointer?, interface: UnsafePointer<CChar>?, property: UnsafePointer<CChar>?,
  message: OpaquePointer?
) -> Int32 {
  guard let object = object(context), let interface, let property, let message else { return -EINVAL }
  return object.set(
    String(cString: property), of: String(cString: interface), to: BusMessage(pointer: message))
}
