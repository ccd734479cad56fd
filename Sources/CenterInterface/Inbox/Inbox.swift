internal import Glibc
package import NotificationModel
internal import Reactor

/// The folder of requests that the tool schedules without a bus, for the daemon of a later session.
///
/// The folder has one file for each request, one for each attachment, and a pipe that wakes the
/// daemon.
///
/// The tool writes the attachments first, then a draft, and then renames the draft. So a reader
/// sees a whole request or nothing. The names of attachments, drafts and the pipe begin with a dot.
///
/// The daemon acts on the content, so it reads no file that another user could have written.
package final class Inbox: Sendable {
    /// The name of the folder, which lies beside the daemon's store.
    package static let name = "inbox"
    package static let maximumCount = Limits.inbox.most
    private static let unusableEnd = ".unusable"
    /// The largest size of a request's file, in bytes.
    package static let maximumSize = Limits.inboxFile.most
    private static let wakePipeName = ".bell"
    /// The age, in seconds, after which a draft or an attachment without a request is removed.
    ///
    /// The program that wrote the draft or attachment ended before it wrote the request.
    private static let draftAge = 86_400

    package let path: String
    private let descriptor: Int32

    /// Opens the folder; nil if it does not exist.
    ///
    /// - Throws: `storeUnavailable` if the folder cannot be opened, or others can write to it.
    package static func opened(_ path: String) throws(NotificationError) -> Inbox? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, "be opened")
        }
        return try Inbox(path, adopting: descriptor)
    }

    /// Opens the folder; if it is missing, makes it first.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the folder cannot be made or
    ///   opened, or others can write to it.
    package static func made(_ path: String) throws(NotificationError) -> Inbox {
        let reason = Directory.make(path, mode: 0o700)
        guard let inbox = try opened(path) else { throw failure(path, "be made", reason ?? ENOENT) }
        return inbox
    }

    private init(_ path: String, adopting descriptor: Int32) throws(NotificationError) {
        self.path = path
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else {
            throw NotificationError(
                .storeUnavailable,
                "The folder \(path.quotedForMessage()) belongs to another user, or others can "
                    + "write to it, so it is not used. Move it away, or give it the mode 700.")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Keeps other daemons out while this object lives; returns false if another daemon has the
    /// folder.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Flushes the folder, so that removed files stay removed after a loss of power.
    package func flush() {
        fsync(descriptor)
    }

    // MARK: Waking the daemon

    /// Opens a pipe that becomes readable when the tool has added a request.
    ///
    /// The result is nil if the pipe cannot be made. inotify(7) is not used: a user has 128
    /// instances, which other programs may use up.
    package func openWakePipe() -> Int32? {
        mkfifoat(descriptor, Self.wakePipeName, 0o600)
        // Open the pipe for writing, too. Otherwise poll(2) would report a hang-up for ever after
        // the last writer has closed the pipe.
        let pipe = openat(
            descriptor, Self.wakePipeName, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        var status = stat()
        guard pipe >= 0 else { return nil }
        guard fstat(pipe, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            close(pipe)
            return nil
        }
        return pipe
    }

    /// Whether a pipe that `openWakePipe()` opened is still the pipe of the inbox at this path.
    package static func isWakePipe(_ pipe: Int32, at path: String) -> Bool {
        var (held, found) = (stat(), stat())
        return fstat(pipe, &held) == 0 && lstat("\(path)/\(wakePipeName)", &found) == 0
            && (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)
    }

    /// Wakes a daemon that runs; a later daemon reads the inbox when it starts.
    private func wakeDaemon() {
        guard let pipe = openWakePipe() else { return }
        // If the pipe is full, the write fails, and the bytes in the pipe wake the daemon.
        _ = Glibc.write(pipe, [UInt8(0)], 1)
        close(pipe)
    }

    // MARK: Reading

    /// The ids of the requests in the inbox, sorted.
    package func identifiers() -> [String] {
        names().compactMap { name in
            guard name.hasSuffix(".json"), InboxItem.isID(name.dropLast(5)) else { return nil }
            return String(name.dropLast(5))
        }.sorted()
    }

    /// Reads a request; its attachments get absolute paths.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be read now; `invalidArgument` if it is a
    ///   link, others can write to it, it is too large, or its content is wrong.
    package func item(_ id: String) throws(NotificationError) -> InboxItem {
        let file = openat(
            descriptor, id + ".json", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else {
            // Opening a link fails with ELOOP, and the tool makes no links.
            throw errno == ELOOP ? Self.irregular : Self.failure("\(path)/\(id).json", "be read")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
            status.st_size <= Self.maximumSize
        else { throw Self.irregular }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard read(file, &bytes, bytes.count) == bytes.count else {
            throw Self.failure("\(path)/\(id).json", "be read")
        }
        var item = try InboxCoding.item(bytes, id: id)
        for index in item.request.content.attachments.indices {
            // Ignore the path in the file: the attachment must belong to this item.
            item.request.content.attachments[index].path = "\(path)/\(Self.part(index, of: id))"
        }
        return item
    }

    private static let irregular = NotificationError(
        .invalidArgument,
        "It must be a regular file of at most \(maximumSize) bytes that belongs to this user and "
            + "that nobody else can write to.")

    private func names() -> [String] {
        Directory.names(in: "/proc/self/fd/\(descriptor)") ?? []
    }

    // MARK: Writing

    /// Stores a request and the files of its attachments; when the method returns, they are on
    /// disk.
    ///
    /// - Throws: `limitReached` if the inbox is full; `invalidArgument` if the request is too large
    ///   or nests too deep; `noSpace` if the disk is full; `storeUnavailable` if a file cannot be
    ///   written.
    package func write(_ item: InboxItem, files: [OpenFile]) throws(NotificationError) {
        guard identifiers().count < Self.maximumCount else {
            throw NotificationError(
                .limitReached,
                "\(Self.maximumCount) notifications wait for a login already. Remove some, or log "
                    + "in first.")
        }
        do throws(NotificationError) {
            var item = item
            for (index, file) in files.enumerated() {
                try copy(file, to: Self.part(index, of: item.id))
            }
            for index in item.request.content.attachments.indices {
                item.request.content.attachments[index].path = Self.part(index, of: item.id)
            }
            let bytes = Array(try InboxCoding.text(item).utf8)
            guard bytes.count <= Self.maximumSize else {
                throw NotificationError(
                    .invalidArgument,
                    "The notification has \(bytes.count) bytes, but a notification that waits for "
                        + "a login may have at most \(Self.maximumSize). Shorten its texts.")
            }
            let draft = ".\(item.id).new"
            try make(draft) { WholeWrite.send(bytes[...], to: $0) }
            guard renameat(descriptor, draft, descriptor, item.id + ".json") == 0 else {
                throw Self.failure("\(path)/\(item.id).json", "be written")
            }
            guard fsync(descriptor) == 0 else { throw Self.failure(path, "be written") }
        } catch {
            remove([item.id])
            throw error
        }
        wakeDaemon()
    }

    package func remove(_ ids: Set<String>) {
        for id in ids { unlinkat(descriptor, id + ".json", 0) }
        removeParts(of: ids)
    }

    /// The paths of the files that `setAside` has renamed.
    package func unusable() -> [String] {
        names().filter { $0.hasSuffix(Self.unusableEnd) }.sorted().map { "\(path)/\($0)" }
    }

    /// Renames a file that cannot be used, and returns its new path.
    package func setAside(_ id: String) -> String {
        let name = id + Self.unusableEnd
        renameat(descriptor, id + ".json", descriptor, name)
        return "\(path)/\(name)"
    }

    /// Removes drafts and attachments that are older than a day and belong to no request.
    package func sweep(now: Instant) {
        let waiting = Set(names().filter { !$0.hasPrefix(".") }.map { $0.prefix { $0 != "." } })
        for name in names() where name.hasPrefix(".") && InboxItem.isID(Self.owner(of: name)) {
            var status = stat()
            guard !waiting.contains(Self.owner(of: name)),
                fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mtim.tv_sec < Int(now.microseconds / 1_000_000) - Self.draftAge
            else { continue }
            unlinkat(descriptor, name, 0)
        }
    }

    private func removeParts(of ids: Set<String>) {
        for name in names() where name.hasPrefix(".") && ids.contains(String(Self.owner(of: name)))
        {
            unlinkat(descriptor, name, 0)
        }
    }

    private func copy(_ file: OpenFile, to name: String) throws(NotificationError) {
        // If the file has become shorter since it was opened, copy the remaining bytes, as the
        // store does.
        try make(name) { file.copy(to: $0) != nil }
    }

    private func make(
        _ name: String, _ write: (Int32) -> Bool
    ) throws(NotificationError) {
        let target = openat(
            descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw Self.failure("\(path)/\(name)", "be written") }
        defer { close(target) }
        guard write(target), fsync(target) == 0 else {
            throw Self.failure("\(path)/\(name)", "be written")
        }
    }

    private static func part(_ index: Int, of id: String) -> String { ".\(id).\(index)" }

    private static func owner(of part: String) -> Substring {
        part.dropFirst().prefix { $0 != "." }
    }

    private static func failure(
        _ path: String, _ what: String, _ reason: Int32 = errno
    ) -> NotificationError {
        NotificationError(
            reason == ENOSPC || reason == EDQUOT ? .noSpace : .storeUnavailable,
            "\(path.quotedForMessage()) could not \(what): \(String(cString: strerror(reason))). "
                + "Check its directory.")
    }
}
