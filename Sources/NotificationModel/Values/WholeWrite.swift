internal import Glibc

/// Writes whole texts to descriptors and to files, without the C library's buffers.
package enum WholeWrite {
    /// Writes all bytes; on failure, the result is false, and `errno` has the reason.
    ///
    /// The function waits for room even if the descriptor is non-blocking. Another program may have
    /// set `O_NONBLOCK` for an inherited pipe or terminal.
    package static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = write(descriptor, Array(rest), rest.count)
            if count < 0, errno == EINTR || errno == EAGAIN && waitForRoom(in: descriptor) {
                continue
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits until the descriptor is ready for a write; false if poll(2) fails.
    private static func waitForRoom(in descriptor: Int32) -> Bool {
        var slot = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&slot, 1, -1) >= 0 || errno == EINTR
    }

    /// The user and the group of a file.
    package struct Owner: Hashable, Sendable {
        package var user: UInt32
        package var group: UInt32

        package init(user: UInt32, group: UInt32) {
            self.user = user
            self.group = group
        }
    }

    /// Writes the text to the file `draft`, and renames the draft to `path`; both are then on the
    /// disk.
    ///
    /// `owner` is the owner of a replaced file; the new file gets this owner if this process may
    /// set it. If `owner` is nil, the umask applies to `mode`. On failure, the result is false, and
    /// `errno` has the reason.
    package static func replace(
        _ path: String, by text: String, draft: String, mode: UInt32, owner: Owner? = nil
    ) -> Bool {
        unlink(draft)
        // Until the draft has its owner, no other user may open it.
        let descriptor = open(
            draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
            owner == nil ? mode : 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        if let owner { setOwner(owner, mode: mode, of: descriptor) }
        return send(Array(text.utf8)[...], to: descriptor) && fsync(descriptor) == 0
            && rename(draft, path) == 0 && flushDirectory(of: path)
    }

    /// Flushes the directory of a file, because a loss of power could undo the rename.
    ///
    /// A directory that this process may not read, or that its file system cannot flush, is no
    /// failure.
    private static func flushDirectory(of path: String) -> Bool {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let directory = slash.map { String(decoding: path.utf8[...$0], as: UTF8.self) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 || errno == EINVAL
    }

    /// Sets the owner and the mode of a file.
    ///
    /// Only root may set the user, and only a member may set the group. If the group cannot be set,
    /// the members of the file's group get the rights of other users. They had no more rights on
    /// the replaced file.
    private static func setOwner(_ owner: Owner, mode: UInt32, of descriptor: Int32) {
        let hasGroup =
            fchown(descriptor, owner.user, owner.group) == 0
            || fchown(descriptor, uid_t.max, owner.group) == 0
        // A file system without modes refuses the change, and gives all its files one mode.
        _ = fchmod(descriptor, hasGroup ? mode : mode & 0o707 | (mode & 0o007) << 3)
    }
}
