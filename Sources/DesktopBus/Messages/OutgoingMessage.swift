internal import CDesktopBus

/// A message ready to be sent: checked, and built on the thread of whoever sends it.
///
/// Unchecked: it is built by one thread and handed to the reactor, which alone uses it then.
final class OutgoingMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// The size on the wire, not less than the true one.
    let size: Int
    let descriptors: Int

    convenience init(_ call: MethodCall) throws(BusError) {
        try Self.checkNotLocal(call.path, call.interface)
        try self.init(
            body: call.arguments,
            names: [
                call.destination.rawValue, call.path.rawValue, call.interface.rawValue,
                call.member.rawValue,
            ]
        ) {
            desktopbus_new_call(
                call.destination.rawValue, call.path.rawValue, call.interface.rawValue,
                call.member.rawValue, Int32(call.flags.rawValue))
        }
    }

    convenience init(_ signal: BusSignal, to destination: BusName?) throws(BusError) {
        try Self.checkNotLocal(signal.path, signal.interface)
        try self.init(
            body: signal.arguments,
            names: [
                signal.path.rawValue, signal.interface.rawValue, signal.member.rawValue,
                destination?.rawValue ?? "",
            ]
        ) {
            desktopbus_new_signal(
                signal.path.rawValue, signal.interface.rawValue, signal.member.rawValue,
                destination?.rawValue)
        }
    }

    convenience init(
        replyTo serial: UInt32, of caller: String?, _ arguments: [BusValue]
    )
        throws(BusError)
    {
        try self.init(body: arguments, names: [caller ?? ""]) {
            desktopbus_new_return(serial, caller)
        }
    }

    convenience init(
        errorTo serial: UInt32, of caller: String?, name: ErrorName, message: String,
        detail: String? = nil
    ) throws(BusError) {
        // The text may quote anything: it is cut and cleaned rather than refused.
        let text = String(message.prefix(2_000).map { $0 == "\0" ? "\u{FFFD}" : $0 })
        let body = [BusValue.string(text)] + (detail.map { [.string($0)] } ?? [])
        try self.init(body: body, names: [caller ?? "", name.rawValue]) {
            desktopbus_new_error(serial, caller, name.rawValue)
        }
    }

    private init(
        body: [BusValue], names: [String], make: () -> OpaquePointer?
    ) throws(BusError) {
        var measure = BodyMeasure()
        try measure.add(body)
        // The fixed part, alignment and the signature of the body are below 512 bytes.
        let header = names.reduce(512) { $0 + $1.utf8.count }
        size = header + measure.size
        descriptors = measure.descriptors
        guard header <= BodyMeasure.arrayLimit, size <= BodyMeasure.messageLimit else {
            throw BodyMeasure.messageTooLarge
        }
        guard let pointer = make() else { throw .outOfMemory }
        self.pointer = pointer
        guard BodyWriter.append(body, to: pointer) else { throw .outOfMemory }
    }

    deinit {
        desktopbus_message_free(pointer)
    }

    /// The bus disconnects whoever sends what libdbus reserves for itself.
    private static func checkNotLocal(
        _ path: ObjectPath, _ interface: InterfaceName
    ) throws(BusError) {
        guard path.rawValue != "/org/freedesktop/DBus/Local",
            interface.rawValue != "org.freedesktop.DBus.Local"
        else {
            throw BusError(
                .invalidValue,
                "org.freedesktop.DBus.Local is reserved and cannot be sent. Use another name.")
        }
    }
}
