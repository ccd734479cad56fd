internal import Glibc
internal import NotificationModel

/// A small file of this user's that other programs read.
enum UserFile {
    /// Its text, or nil where there is none.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// The names in a directory, in order; nil where it cannot be read, and errno says why.
    static func names(in path: String) -> [String]? {
        guard let directory = opendir(path) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names.sorted()
    }

    /// Writes it as a whole, with the directories above it.
    static func write(_ text: String, to path: String) throws(ToolError) {
        let parts = path.split(separator: "/")
        var made = ""
        for part in parts.dropLast() {
            made += "/" + part
            mkdir(made, 0o755)
        }
        // Hidden, so that no program takes the draft for the file.
        let draft = "\(made)/.\(parts.last ?? "")~"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count,
            rename(draft, path) == 0
        else { throw failure(path) }
    }

    private static func failure(_ path: String) -> ToolError {
        ToolError(
            .failure,
            "The file \(path.quotedForMessage()) could not be written: "
                + "\(String(cString: strerror(errno))). Check its directory.")
    }
}
