internal import CDesktopBus
internal import Glibc

/// An open file descriptor that travels in a message; it is closed with this object.
///
/// Two are equal only if they are the same object.
public final class BusDescriptor: Sendable, Hashable {
    private let descriptor: Int32

    /// Duplicates a descriptor; the caller keeps its own.
    public init(duplicating descriptor: Int32) throws(BusError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard self.descriptor >= 0 else {
            throw BusError(
                .system(errno),
                "Could not duplicate descriptor \(descriptor): \(String(cString: strerror(errno)))."
            )
        }
    }

    /// Takes over a descriptor, which the caller must not close any more.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Makes a file in memory with these bytes, which its receiver may seal against changes.
    ///
    /// Source: memfd_create(2), `MFD_ALLOW_SEALING`.
    public convenience init(sealable bytes: [UInt8]) throws(BusError) {
        let descriptor = desktopbus_memory_file()
        guard descriptor >= 0 else { throw Self.failure("make a file in memory") }
        self.init(adopting: descriptor)
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress?.advanced(by: start), bytes.count - start)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("fill a file in memory") }
            start += count
        }
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw Self.failure("go to the start of a file in memory")
        }
    }

    private static func failure(_ what: String) -> BusError {
        BusError(.system(errno), "Could not \(what): \(String(cString: strerror(errno))).")
    }

    deinit {
        close(descriptor)
    }

    /// Gives the descriptor for the length of `body`, which must not close it.
    public func withDescriptor<Result, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(descriptor)
    }

    /// Whether both are the same object.
    public static func == (left: BusDescriptor, right: BusDescriptor) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
