internal import Foundation
internal import Glibc

/// Reads a file although the disk cannot read some of its blocks any more.
///
/// An unreadable block becomes zeros, which are neither a page of SQLite nor a frame of its log.
/// The code does not map the file: in a mapping, an unreadable block causes SIGBUS, which ends the
/// program.
enum DiskBlocks {
    private static let chunkSize = 1 << 20
    private static let blockSize = 4_096

    /// The content of a file; nil for a missing file.
    static func bytes(of path: String) throws -> Data? {
        var bytes = Data()
        return try read(path) { bytes += $0 } ? bytes : nil
    }

    /// Passes the parts of a file to `take` in order; returns false if there is no file.
    static func read(_ path: String, into take: (Data) throws -> Void) throws -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path) }
            return false
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        var offset = 0
        var size = chunkSize
        while offset < status.st_size {
            if offset % chunkSize == 0 { size = chunkSize }
            var buffer = [UInt8](repeating: 0, count: min(size, Int(status.st_size) - offset))
            let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
            if count == 0 { break }
            if count > 0 {
                try take(Data(buffer[..<count]))
                offset += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EIO where size > blockSize:
                // Find the block that cannot be read.
                size = blockSize
            case EIO:
                try take(Data(count: buffer.count))
                offset += buffer.count
            default: throw failure(path)
            }
        }
        return true
    }

    private static func failure(_ path: String) -> any Error {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: path])
    }
}
