internal import Glibc

/// A socket of the abstract namespace, which has a name and no file (unix(7)).
package enum AbstractSocket {
    /// The id of the user whose process listens at a name.
    ///
    /// The result is nil if no process listens, or if this process has no free descriptor.
    package static func listener(_ name: String) -> UInt32? {
        let descriptor = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8)
        let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let isConnected = withUnsafePointer(to: &address) { whole in
            whole.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(start + bytes.count)) == 0
            }
        }
        return isConnected ? SocketPeer.user(of: descriptor) : nil
    }
}
