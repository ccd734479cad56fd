internal import Glibc

/// The user at the other end of a socket, as the kernel knows it (unix(7), `SO_PEERCRED`).
package enum SocketPeer {
    /// The user who listened at a connected Unix socket; nil if the descriptor is no Unix socket.
    package static func user(of descriptor: Int32) -> UInt32? {
        var family: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // For a socket of another family, SO_PEERCRED succeeds without naming a user.
        guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &family, &length) == 0,
            family == AF_UNIX
        else { return nil }
        // `struct ucred`, which Glibc's module does not have: process, user and group.
        var peer: [UInt32] = [0, 0, 0]
        var size = socklen_t(3 * MemoryLayout<UInt32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else { return nil }
        return peer[1]
    }
}
