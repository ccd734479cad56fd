internal import Glibc

/// Files of `/proc/self` that hold texts, each ended by NUL.
enum ProcessFile {
    /// The texts as bytes; none where the file cannot be read.
    static func strings(_ path: String) -> [ArraySlice<UInt8>] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        if bytes.last == 0 { bytes.removeLast() }
        return bytes.isEmpty
            ? [] : bytes.split(separator: 0, omittingEmptySubsequences: false)
    }
}
