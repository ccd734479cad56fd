internal import CDesktopBus

/// A received message; its body is read on demand.
///
/// It never leaves the reactor's thread.
final class IncomingMessage {
    private let pointer: OpaquePointer

    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        dbus_message_unref(pointer)
    }

    /// One of the constants DBUS_MESSAGE_TYPE_….
    var type: Int32 { dbus_message_get_type(pointer) }
    var isError: Bool { type == DBUS_MESSAGE_TYPE_ERROR }
    var serial: UInt32 { dbus_message_get_serial(pointer) }
    var replySerial: UInt32 { dbus_message_get_reply_serial(pointer) }
    var expectsReply: Bool { dbus_message_get_no_reply(pointer) == 0 }
    var sender: BusName? {
        dbus_message_get_sender(pointer).map { BusName(trusted: String(cString: $0)) }
    }
    var path: String { Self.text(dbus_message_get_path(pointer)) }
    var interface: String { Self.text(dbus_message_get_interface(pointer)) }
    var member: String { Self.text(dbus_message_get_member(pointer)) }
    var signature: String { Self.text(dbus_message_get_signature(pointer)) }

    /// An estimate of the arguments' size in bytes; it is at least the size of all arrays and
    /// texts.
    var bodySize: Int { Int(desktopbus_body_size(pointer)) }

    var firstString: String? { BodyReader.firstString(pointer) }

    /// How many descriptors the arguments name; each stays open until the message is released.
    ///
    /// The arguments may name one descriptor many times, and the reader duplicates it each time.
    ///
    /// - Throws: `LimitsExceeded` if the arguments name more descriptors than a message can bring.
    func descriptorCount() throws(BusError) -> Int {
        let count = Int(desktopbus_descriptors(pointer))
        guard count <= DESKTOPBUS_DESCRIPTOR_LIMIT else {
            throw .remote(
                "org.freedesktop.DBus.Error.LimitsExceeded",
                "The message names more than \(DESKTOPBUS_DESCRIPTOR_LIMIT) descriptors (h), but no "
                    + "message can bring so many. Name each descriptor once.")
        }
        return count
    }

    /// Reads the body, up to a budget in bytes.
    func arguments(budget: Int = .max) throws(BusError) -> [BusValue] {
        _ = try descriptorCount()
        return try BodyReader.read(pointer, budget: budget)
    }

    func error() -> BusError {
        let name = ErrorName(trusted: Self.text(dbus_message_get_error_name(pointer)))
        // Read the whole body only for an error with two texts, because `reason` reads the first
        // text.
        let detail = signature == "ss" ? (try? arguments())?.last?.stringValue : nil
        return .remote(name, reason, detail: detail)
    }

    /// How many Unicode scalars of a received or sent error's reason are kept.
    static let longestReason = 2_000

    /// The reason of an error, on one line.
    ///
    /// Any app may send an error, and the reason becomes part of messages. So it must not forge or
    /// flood the lines of a log, nor control a terminal.
    private var reason: String {
        guard let text = firstString else { return "The other side gave no reason." }
        let scalars = text.unicodeScalars.prefix(Self.longestReason).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: " " as Unicode.Scalar
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
