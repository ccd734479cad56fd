internal import Glibc

/// Links in the file system.
package enum SymbolicLink {
    /// The target of a link; nil if the path is no link, or its target is too long.
    ///
    /// Foundation would cut a long target.
    package static func target(of path: String) -> String? {
        let capacity = Int(PATH_MAX)
        var buffer = [CChar](repeating: 0, count: capacity)
        let length = readlink(path, &buffer, capacity)
        guard length > 0, length < capacity else { return nil }
        return String(decoding: buffer[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
