internal import CDesktopBus

/// A message ready to be sent, checked and built on the thread of its sender.
///
/// Unchecked: one thread builds it and passes it to the reactor; after that, only the reactor uses
/// the message.
final class OutgoingMessage: @unchecked Sendable {
    let pointer: OpaquePointer
    /// An upper bound of the size on the wire, in bytes.
    let size: Int
    let descriptors: Int

    convenience init(_ call: MethodCall) throws(BusError) {
        try self.init(
            DBUS_MESSAGE_TYPE_METHOD_CALL, to: call.destination, path: call.path,
            interface: call.interface, member: call.member, flags: call.flags, call.arguments)
    }

    convenience init(_ signal: BusSignal, to destination: BusName?) throws(BusError) {
        try self.init(
            DBUS_MESSAGE_TYPE_SIGNAL, to: destination, path: signal.path,
            interface: signal.interface, member: signal.member, flags: .noReplyExpected,
            signal.arguments)
    }

    convenience init(
        replyTo serial: UInt32, of caller: BusName?, _ arguments: [BusValue]
    ) throws(BusError) {
        try self.init(
            DBUS_MESSAGE_TYPE_METHOD_RETURN, to: caller, replyTo: serial, flags: .noReplyExpected,
            arguments)
    }

    convenience init(
        errorTo serial: UInt32, of caller: BusName?, name: ErrorName, message: String,
        detail: String? = nil
    ) throws(BusError) {
        // The text may quote anything, so shorten it and replace NUL instead of refusing the text.
        let scalars = message.unicodeScalars.prefix(IncomingMessage.longestReason)
            .map { $0 == "\0" ? "\u{FFFD}" : $0 }
        let text = String(String.UnicodeScalarView(scalars))
        let body = [BusValue.string(text)] + (detail.map { [.string($0)] } ?? [])
        try self.init(
            DBUS_MESSAGE_TYPE_ERROR, to: caller, replyTo: serial, error: name,
            flags: .noReplyExpected, body)
    }

    /// Takes only checked names and paths, because libdbus aborts on an invalid name.
    private init(
        _ type: Int32, to destination: BusName?, path: ObjectPath? = nil,
        interface: InterfaceName? = nil, member: MemberName? = nil, replyTo serial: UInt32? = nil,
        error: ErrorName? = nil, flags: MethodCallFlags, _ body: [BusValue]
    ) throws(BusError) {
        try Self.checkNotLocal(path, interface)
        var measure = BodyMeasure()
        try measure.add(body)
        let names = [
            destination?.rawValue, path?.rawValue, interface?.rawValue, member?.rawValue,
            error?.rawValue,
        ]
        // The fixed part, alignment and the signature of the body together take less than 512
        // bytes.
        let header = names.reduce(512) { $0 + ($1?.utf8.count ?? 0) }
        size = header + measure.size
        descriptors = measure.descriptors
        guard header <= BodyMeasure.arrayLimit, size <= BodyMeasure.messageLimit else {
            throw BodyMeasure.messageTooLarge
        }
        guard let pointer = dbus_message_new(type) else { throw .outOfMemory }
        self.pointer = pointer
        dbus_message_set_no_reply(pointer, flags.contains(.noReplyExpected) ? 1 : 0)
        dbus_message_set_auto_start(pointer, flags.contains(.noAutoStart) ? 0 : 1)
        // Append the body before the header's fields are set. For each argument, libdbus changes
        // the signature in the header and copies all fields that the header already has.
        guard BodyWriter.append(body, to: pointer),
            destination.map({ dbus_message_set_destination(pointer, $0.rawValue) }) != 0,
            path.map({ dbus_message_set_path(pointer, $0.rawValue) }) != 0,
            interface.map({ dbus_message_set_interface(pointer, $0.rawValue) }) != 0,
            member.map({ dbus_message_set_member(pointer, $0.rawValue) }) != 0,
            error.map({ dbus_message_set_error_name(pointer, $0.rawValue) }) != 0,
            serial.map({ dbus_message_set_reply_serial(pointer, $0) }) != 0
        else { throw .outOfMemory }
    }

    deinit {
        dbus_message_unref(pointer)
    }

    /// Refuses libdbus's reserved names: the bus disconnects a client that sends such a name.
    private static func checkNotLocal(
        _ path: ObjectPath?, _ interface: InterfaceName?
    ) throws(BusError) {
        guard path?.rawValue != "/org/freedesktop/DBus/Local",
            interface?.rawValue != "org.freedesktop.DBus.Local"
        else {
            throw BusError(
                .invalidValue,
                "org.freedesktop.DBus.Local is reserved and cannot be sent. Use another name.")
        }
    }
}
