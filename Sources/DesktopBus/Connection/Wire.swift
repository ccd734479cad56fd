internal import CDesktopBus
internal import Glibc
internal import Reactor

/// One libdbus connection and its watch in the reactor.
///
/// Unchecked: only the reactor's thread uses it. If another thread releases the `BusConnection`,
/// the deinit of the `BusConnection` closes the wire on the reactor's thread.
final class Wire: @unchecked Sendable {
    private let connection: UnsafeMutablePointer<desktopbus_connection>
    private var watch: DescriptorWatch?
    private var events: DescriptorEvents = []
    private var isClosed = false

    private init(adopting connection: UnsafeMutablePointer<desktopbus_connection>) {
        self.connection = connection
    }

    /// Connects on the calling thread.
    static func connected(to address: BusAddress) -> Result<Wire, BusError> {
        var reason = [CChar](repeating: 0, count: 512)
        if let connection = desktopbus_open(address.rawValue, &reason, reason.count) {
            return .success(Wire(adopting: connection))
        }
        let text = reason.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        return .failure(
            BusError(
                .connectionFailed,
                "Could not connect to the bus at \(address): \(text). "
                    + "Check that a bus runs at this address."))
    }

    deinit {
        close()
    }

    func start(on reactor: Reactor, handler: @escaping (DescriptorEvents) -> Void) {
        var wanted: Int16 = 0
        let descriptor = desktopbus_descriptor(connection, &wanted)
        guard descriptor >= 0 else { return }
        events = DescriptorEvents(rawValue: wanted)
        watch = reactor.watch(descriptor, for: events, handler: handler)
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        // libdbus closes the descriptor, so the reactor must stop watching it first.
        watch?.cancel()
        watch = nil
        desktopbus_close(connection)
    }

    /// The id of the user who runs the bus; nil if the kernel does not know it.
    var peerUserID: UInt32? {
        var wanted: Int16 = 0
        return isClosed
            ? nil : SocketPeer.user(of: desktopbus_descriptor(connection, &wanted))
    }

    /// The connection of libdbus; nil after `close()`.
    private var bus: OpaquePointer? { isClosed ? nil : connection.pointee.bus }

    var isConnected: Bool { bus.map(dbus_connection_get_is_connected) == 1 }
    var queuedBytes: Int { bus.map(dbus_connection_get_outgoing_size) ?? 0 }
    var hasUnsent: Bool { bus.map(dbus_connection_has_messages_to_send) == 1 }
    /// Whether messages can carry descriptors; this is false before the authentication.
    var carriesDescriptors: Bool {
        bus.map { dbus_connection_can_send_type($0, Int32(UInt8(ascii: "h"))) } == 1
    }

    /// Queues a message, writes as much as the socket accepts, and returns the serial.
    ///
    /// The result is nil if memory ran out or the wire is closed.
    func send(_ message: OutgoingMessage) -> UInt32? {
        var serial: UInt32 = 0
        guard let bus, dbus_connection_send(bus, message.pointer, &serial) != 0 else { return nil }
        updateEvents()
        return serial
    }

    func handle(_ ready: DescriptorEvents) {
        guard !isClosed else { return }
        desktopbus_handle(connection, ready.rawValue)
        updateEvents()
    }

    /// Returns the next received message.
    ///
    /// The method bypasses libdbus's dispatcher, so that no C callback enters Swift. The dispatcher
    /// would also answer calls of the interface Peer; instead, `BusConnection` answers them.
    func next() -> IncomingMessage? {
        bus.flatMap(dbus_connection_pop_message).map(IncomingMessage.init(adopting:))
    }

    /// Adapts the watch: libdbus wants to write only while it has unsent data.
    func updateEvents() {
        guard !isClosed, let watch else { return }
        var wanted: Int16 = 0
        guard desktopbus_descriptor(connection, &wanted) >= 0 else { return watch.cancel() }
        guard wanted != events.rawValue else { return }
        events = DescriptorEvents(rawValue: wanted)
        watch.update(events)
    }
}
