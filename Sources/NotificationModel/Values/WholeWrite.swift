internal import Glibc

/// Writes to descriptors until everything is written, without the C library's buffers.
package enum WholeWrite {
    /// Writes all bytes; on failure it returns false, with the reason in `errno`.
    package static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, Array(rest), rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
