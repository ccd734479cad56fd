internal import CDesktopBus
internal import Glibc
internal import Reactor

/// One libdbus connection and its place in the reactor.
///
/// Unchecked: used on the reactor's thread only, to which a connection that is released
/// elsewhere sends it once more to be closed.
final class Wire: @unchecked Sendable {
    private let connection: OpaquePointer
    private var watch: DescriptorWatch?
    private var events: DescriptorEvents = []
    private var isClosed = false

    init(adopting connection: OpaquePointer) {
        self.connection = connection
    }

    deinit {
        close()
    }

    /// Starts to watch the socket.
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
        // libdbus closes the descriptor: it has to leave the reactor first.
        watch?.cancel()
        watch = nil
        desktopbus_close(connection)
    }

    /// Who runs the bus; nil where the kernel does not know.
    var peerUserID: UInt32? {
        var wanted: Int16 = 0
        return isClosed
            ? nil : SocketPeer.user(of: desktopbus_descriptor(connection, &wanted))
    }

    var isConnected: Bool { !isClosed && desktopbus_is_connected(connection) }
    var queuedBytes: Int { isClosed ? 0 : Int(desktopbus_queued_bytes(connection)) }
    var hasUnsent: Bool { !isClosed && desktopbus_has_unsent(connection) }
    var carriesDescriptors: Bool {
        !isClosed && desktopbus_can_send_descriptors(connection)
    }

    /// Queues a message and writes what the socket takes; nil when memory ran out.
    func send(_ message: OutgoingMessage) -> UInt32? {
        var serial: UInt32 = 0
        guard !isClosed, desktopbus_send(connection, message.pointer, &serial) else { return nil }
        updateEvents()
        return serial
    }

    /// Reads and writes what poll(2) found possible.
    func handle(_ ready: DescriptorEvents) {
        guard !isClosed else { return }
        desktopbus_handle(connection, ready.rawValue)
        updateEvents()
    }

    /// The next received message.
    func next() -> IncomingMessage? {
        guard !isClosed, let message = desktopbus_pop(connection) else { return nil }
        return IncomingMessage(adopting: message)
    }

    /// libdbus wants to write only while something is left to write.
    func updateEvents() {
        guard !isClosed, let watch else { return }
        var wanted: Int16 = 0
        guard desktopbus_descriptor(connection, &wanted) >= 0 else { return watch.cancel() }
        guard wanted != events.rawValue else { return }
        events = DescriptorEvents(rawValue: wanted)
        watch.update(events)
    }
}
