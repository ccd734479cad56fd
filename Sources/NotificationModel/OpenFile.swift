internal import Glibc

/// An open file that closes itself: how attachments travel, so that what was checked is what is
/// copied.
public final class OpenFile: Sendable {
    /// The descriptor, valid while this object lives.
    public let descriptor: Int32
    /// The size in bytes when the file was opened.
    public let size: Int

    /// Takes over an open descriptor and checks that it is a regular file.
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
    public convenience init(path: String) throws(NotificationError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let reason = errno == ELOOP ? "it is a symbolic link" : String(cString: strerror(errno))
            throw NotificationError(
                .attachmentInvalid,
                "The attachment \(path.quotedForMessage()) cannot be opened: \(reason). Check the "
                    + "path and its permissions.")
        }
        try self.init(adopting: descriptor, name: path)
    }

    deinit {
        close(descriptor)
    }
}
