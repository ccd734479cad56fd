internal import CDesktopBus

/// A received message: its header read, its body read on demand.
///
/// It never leaves the reactor.
final class IncomingMessage {
    private let pointer: OpaquePointer
    private let header: desktopbus_header

    /// Takes over a message.
    init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
        var header = desktopbus_header()
        desktopbus_message_header(pointer, &header)
        self.header = header
    }

    deinit {
        desktopbus_message_free(pointer)
    }

    var isError: Bool { header.type == Int32(DESKTOPBUS_ERROR) }
    var isReply: Bool { isError || header.type == Int32(DESKTOPBUS_METHOD_RETURN) }
    var isSignal: Bool { header.type == Int32(DESKTOPBUS_SIGNAL) }
    var isCall: Bool { header.type == Int32(DESKTOPBUS_METHOD_CALL) }
    var serial: UInt32 { header.serial }
    var replySerial: UInt32 { header.reply_serial }
    var expectsReply: Bool { !header.no_reply_expected }
    var sender: BusName? { header.sender.map { BusName(trusted: String(cString: $0)) } }
    var path: String { Self.text(header.path) }
    var interface: String { Self.text(header.interface) }
    var member: String { Self.text(header.member) }
    var signature: String { Self.text(header.signature) }

    /// The size of its arguments in bytes, not less than that of their arrays and texts.
    var bodySize: Int { Int(desktopbus_body_size(pointer)) }

    /// How many descriptors it brings; each is open until the message is released.
    var descriptorCount: Int { Int(desktopbus_descriptors(pointer)) }

    /// The first argument if it is a string.
    var firstString: String? { BodyReader.firstString(pointer) }

    /// Reads the body, as far as a budget of so many bytes goes.
    func arguments(budget: Int = .max) throws(BusError) -> [BusValue] {
        try BodyReader.read(pointer, budget: budget)
    }

    /// The error this message is.
    func error() -> BusError {
        let name = ErrorName(trusted: Self.text(header.error_name))
        // Only an error of two texts has its body read here: any other needs no more than the first.
        let detail = signature == "ss" ? (try? arguments())?.last?.stringValue : nil
        return .remote(
            name, firstString ?? "The other side gave no reason.", detail: detail)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
