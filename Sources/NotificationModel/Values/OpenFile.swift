internal import Glibc

/// An open file that closes itself.
///
/// Attachments are passed as open files, so that the checked file is the file that is copied.
public final class OpenFile: Sendable {
    /// The descriptor, valid while this object lives.
    public let descriptor: Int32
    /// The size in bytes when the file was opened.
    public let size: Int

    /// Takes over an open descriptor.
    ///
    /// - Throws: `attachmentInvalid` if the descriptor is not a regular file; in this case the
    ///   initializer closes the descriptor.
    public init(adopting descriptor: Int32, name: String) throws(NotificationError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw NotificationError(
                .attachmentInvalid,
                "The attachment \(name.quotedForMessage()) is not a regular file. Attach a copy "
                    + "of the picture, sound or movie itself.")
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    /// Opens a file for reading, without following a link and without waiting for a pipe.
    ///
    /// - Throws: `attachmentInvalid` if the file cannot be opened, is a link, or is not a regular
    ///   file; `limitReached` or `attachmentNotStored` if a later attempt may open it.
    public convenience init(path: String) throws(NotificationError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw OpenFile.failure(path, errno) }
        try self.init(adopting: descriptor, name: path)
    }

    /// The error of a failed `open`; only `attachmentInvalid` says that the file is unusable.
    private static func failure(_ path: String, _ reason: Int32) -> NotificationError {
        let text = reason == ELOOP ? "it is a symbolic link" : String(cString: strerror(reason))
        let (code, remedy): (NotificationError.Code, String) =
            switch reason {
            case EMFILE, ENFILE, ENOMEM: (.limitReached, "Close other programs, and try again.")
            case EIO: (.attachmentNotStored, "Check the disk, and try again.")
            default: (.attachmentInvalid, "Check the path and its permissions.")
            }
        return NotificationError(
            code,
            "The attachment \(path.quotedForMessage()) cannot be opened: \(text). \(remedy)")
    }

    /// Opens a file of another program for reading, and follows links.
    ///
    /// The result is nil if the file cannot be opened or is not a regular file.
    ///
    /// Opening a pipe, a terminal or a file under a lease does not wait. But a file system may
    /// hang, so call this only on a thread that may block.
    public convenience init?(following path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        do {
            try self.init(adopting: descriptor, name: path)
        } catch {
            return nil
        }
    }

    /// Checks that the file can be read.
    ///
    /// Another program may pass a descriptor that is open only for writing, or with `O_PATH`.
    ///
    /// - Throws: `attachmentInvalid` if the descriptor is not open for reading;
    ///   `attachmentNotStored` if reading fails for another reason: a later attempt may succeed.
    package func checkReading(of name: String) throws(NotificationError) {
        var byte: UInt8 = 0
        guard pread(descriptor, &byte, 1, 0) < 0 else { return }
        let reason = errno
        throw NotificationError(
            reason == EBADF ? .attachmentInvalid : .attachmentNotStored,
            "The attachment \(name.quotedForMessage()) cannot be read: "
                + "\(String(cString: strerror(reason))). "
                + (reason == EBADF
                    ? "Pass a file that is open for reading." : "Check the disk, and try again."))
    }

    /// The whole content; nil if it has more than `limit` bytes or cannot be read.
    public func bytes(upTo limit: Int) -> [UInt8]? {
        guard size <= limit else { return nil }
        // Reading one byte beyond the limit reveals a file that grew, or that reports a wrong size.
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= limit {
            let wanted = min(chunk.count, limit + 1 - bytes.count)
            let count = pread(descriptor, &chunk, wanted, off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// Copies the bytes from an offset up to `size`, even if the file grows.
    ///
    /// Returns the offset at which copying ended: `size`, or less if the file became shorter. On
    /// failure, the result is nil, and `errno` has the reason.
    package func copy(from start: Int = 0, to target: Int32) -> Int? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var offset = start
        while offset < size {
            let wanted = min(buffer.count, size - offset)
            var count = pread(descriptor, &buffer, wanted, off_t(offset))
            if count == 0 { break }
            if count > 0 { count = pwrite(target, buffer, count, off_t(offset)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            offset += count
        }
        return offset
    }

    deinit {
        close(descriptor)
    }
}
