internal import Glibc

/// What lies in a directory.
package enum DirectoryNames {
    /// The names, in the system's order, with `.` and `..`; nil where it cannot be read, and errno
    /// says why.
    package static func all(in path: String) -> [String]? {
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
}
