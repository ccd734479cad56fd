internal import Glibc
internal import Reactor

/// An open file descriptor that travels in a message.
///
/// The descriptor is closed when this object is released.
///
/// Two values are equal only if they are the same object.
public final class BusDescriptor: Sendable, Hashable {
    private let descriptor: Int32

    /// Duplicates a descriptor; the caller keeps the original descriptor.
    ///
    /// - Throws: `system` if the descriptor is not open, or no descriptor is free.
    public init(duplicating descriptor: Int32) throws(BusError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        guard self.descriptor >= 0 else {
            throw BusError(
                .system(errno),
                "Could not duplicate descriptor \(descriptor): \(String(cString: strerror(errno)))."
            )
        }
    }

    /// Takes over a descriptor; the caller must not close the descriptor any more.
    public init(adopting descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Makes a file in memory with these bytes; the receiver may seal the file against changes.
    ///
    /// - Throws: `system` if no descriptor or memory is free.
    ///
    /// Source: memfd_create(2), `MFD_ALLOW_SEALING`.
    public convenience init(sealable bytes: [UInt8]) throws(BusError) {
        do throws(SystemFailure) {
            self.init(adopting: try Subprocess.memoryFile(bytes))
        } catch {
            throw BusError(.system(error.code), "Could not make a file in memory: \(error).")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Passes the descriptor to `body`, which must not close it.
    ///
    /// - Throws: The error of `body`.
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
