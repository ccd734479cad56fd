internal import Glibc

/// Writes everything, to descriptors and to files, without the C library's buffers.
package enum WholeWrite {
    /// Writes all bytes; on failure, the result is false, and `errno` has the reason.
    package static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, Array(rest), rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes the text to the file `draft` on the disk, and renames the draft to `path`.
    ///
    /// The umask narrows the mode, except with `ignoresUmask`. On failure, the result is false, and
    /// `errno` has the reason.
    package static func replace(
        _ path: String, by text: String, draft: String, mode: UInt32, ignoresUmask: Bool = false
    ) -> Bool {
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // On a file system without modes this fails, and the file has the mode of all its files.
        if ignoresUmask { _ = fchmod(descriptor, mode) }
        return send(Array(text.utf8)[...], to: descriptor) && fsync(descriptor) == 0
            && rename(draft, path) == 0
    }
}
