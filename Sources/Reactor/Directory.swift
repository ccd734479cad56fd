package import Glibc

/// Reads and makes directories.
package enum Directory {
    /// The names in the system's order, with `.` and `..`; nil, with the reason in `errno`, on
    /// failure.
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

    /// Makes a directory and its parents; the caller's next use of it reports a failure.
    package static func make(_ path: String, mode: mode_t) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            mkdir(made, mode)
        }
    }
}
