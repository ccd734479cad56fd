internal import Foundation
internal import Glibc

/// Reads a file although the disk cannot read some of its blocks any more.
///
/// An unreadable block becomes zeros, which are neither a page of SQLite nor a frame of its log.
/// The code does not map the file: in a mapping, an unreadable block causes SIGBUS, which ends the
/// program.
enum DiskBlocks {
    /// Passes the parts of a file to `take` in order.
    ///
    /// Returns whether all blocks were read; nil if there is no file.
    static func read(_ path: String, into take: (Data) throws -> Void) throws -> Bool? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw failure(path) }
            return nil
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path) }
        var cursor = BlockCursor(size: Int(status.st_size))
        var isWhole = true
        while let range = cursor.next {
            var buffer = [UInt8](repeating: 0, count: range.count)
            let count = pread(descriptor, &buffer, buffer.count, off_t(range.lowerBound))
            if count == 0 { break }
            if count > 0 {
                try take(Data(buffer[..<count]))
                cursor.advance(by: count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EIO:
                // The buffer holds zeros.
                guard cursor.readFailed() == .skip else { continue }
                isWhole = false
                try take(Data(buffer))
            default: throw failure(path)
            }
        }
        return isWhole
    }

    private static func failure(_ path: String) -> any Error {
        NSError(
            domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: path])
    }
}

/// Chooses which part of a file the caller reads next.
///
/// It chooses large parts. If a part cannot be read, it chooses the blocks of this part one by one,
/// and skips each block that cannot be read.
struct BlockCursor {
    static let chunkSize = 1 << 20
    static let blockSize = 4_096

    enum Decision {
        case skip
        /// Read the next part, which begins at the same place and is smaller.
        case readLess
    }

    let size: Int
    private var offset = 0
    /// The end of the part that is read block by block.
    private var endOfBlocks = 0

    init(size: Int) {
        self.size = size
    }

    /// The next part to read; nil at the end of the file.
    var next: Range<Int>? {
        guard offset < size else { return nil }
        return offset..<min(offset + (offset < endOfBlocks ? Self.blockSize : Self.chunkSize), size)
    }

    mutating func advance(by count: Int) {
        offset += count
    }

    /// Notes that the part `next` cannot be read.
    mutating func readFailed() -> Decision {
        guard let part = next else { return .skip }
        guard part.count > Self.blockSize else {
            offset = part.upperBound
            return .skip
        }
        endOfBlocks = part.upperBound
        return .readLess
    }
}
