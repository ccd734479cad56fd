package import Glibc

/// Reads and makes directories.
package enum Directory {
    /// Returns the names in the system's order, with `.` and `..`.
    ///
    /// On failure the result is nil, and `errno` has the reason.
    package static func names(in path: String) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }

    /// Makes a directory and its parents; the path must be absolute.
    ///
    /// If the directory cannot be made, the caller's next use of the directory fails. The result is
    /// the number of the error that explains such a failure; nil if there was no error.
    @discardableResult
    package static func make(_ path: String, mode: mode_t) -> Int32? {
        var made = ""
        var reason: Int32?
        for part in path.split(separator: "/") {
            made += "/" + part
            // ENOENT means that a parent could not be made, and that parent's error is the reason.
            if mkdir(made, mode) != 0, errno != EEXIST, errno != ENOENT { reason = errno }
        }
        return reason
    }
}
