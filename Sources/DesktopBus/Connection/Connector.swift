internal import CDesktopBus
internal import Glibc

/// Connects, on a thread of its own unless told otherwise: connect(2) blocks while a listener's
/// backlog is full.
enum Connector {
    /// What came of it.
    ///
    /// Unchecked: the connection is handed from that thread to the reactor.
    struct Outcome: @unchecked Sendable {
        let connection: Result<OpaquePointer, BusError>
    }

    private final class Attempt {
        let address: BusAddress
        let done: @Sendable (Outcome) -> Void

        init(_ address: BusAddress, _ done: @escaping @Sendable (Outcome) -> Void) {
            self.address = address
            self.done = done
        }
    }

    /// Calls `done` once, on the other thread or, if there can be none, here.
    static func connect(to address: BusAddress, done: @escaping @Sendable (Outcome) -> Void) {
        let argument = Unmanaged.passRetained(Attempt(address, done))
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, enter, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            let error = BusError(
                .system(status),
                "No thread could be started to connect to the bus. Close other programs.")
            return done(Outcome(connection: .failure(error)))
        }
        pthread_detach(thread)
    }

    private static let enter:
        @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? =
            { argument in
                guard let argument else { return nil }
                let attempt = Unmanaged<Attempt>.fromOpaque(argument).takeRetainedValue()
                attempt.done(outcome(of: attempt.address))
                return nil
            }

    /// Connects here and now.
    static func outcome(of address: BusAddress) -> Outcome {
        Outcome(connection: open(address))
    }

    private static func open(_ address: BusAddress) -> Result<OpaquePointer, BusError> {
        var reason = [CChar](repeating: 0, count: 512)
        if let connection = desktopbus_open(address.rawValue, &reason, reason.count) {
            return .success(connection)
        }
        let text = reason.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
        return .failure(
            BusError(
                .connectionFailed,
                "Could not connect to the bus at \(address): \(text). "
                    + "Check DBUS_SESSION_BUS_ADDRESS, or log in again."))
    }
}
