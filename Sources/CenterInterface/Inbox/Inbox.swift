internal import Glibc
package import NotificationModel
internal import Reactor

/// The folder in which the tool leaves requests where no bus is, for the daemon of a later session.
///
/// Each is a file of its own, written beside its place and renamed into it, so that a reader sees
/// all of it or nothing; attachments are there before it. Names that begin with a dot are parts and
/// drafts. The daemon acts on what lies here: only what this user alone could write is read.
package final class Inbox: Sendable {
    /// The name of the folder, beside the daemon's store.
    package static let name = "inbox"
    /// The most requests that wait here.
    package static let maximumCount = Limits.inbox.most
    /// How the name of a file ends that cannot be used.
    private static let unusableEnd = ".unusable"
    /// The most bytes of a file.
    static let maximumSize = Limits.inboxFile.most
    private static let bellName = ".bell"
    /// How long a draft may take that is not one of a program which has ended, in seconds.
    private static let draftAge = 86_400

    /// The absolute path.
    package let path: String
    private let descriptor: Int32

    /// Opens the folder; nil where there is none.
    package static func opened(_ path: String) throws(NotificationError) -> Inbox? {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, "be opened")
        }
        return try Inbox(path, adopting: descriptor)
    }

    /// Opens the folder, and makes it where there is none.
    package static func made(_ path: String) throws(NotificationError) -> Inbox {
        Directory.make(path, mode: 0o700)
        guard let inbox = try opened(path) else { throw failure(path, "be made") }
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
                "The folder \(path.quotedForMessage()) is not this user's alone, so nothing is "
                    + "kept in it. Move it away, or give it the mode 700.")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Keeps other daemons out while this object lives; false where one is at work.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Sees to it that what was removed stays so after a loss of power.
    package func flush() {
        fsync(descriptor)
    }

    // MARK: The bell

    /// A pipe that can be read when the tool has left something; nil where none can be had.
    ///
    /// Not inotify(7): a person has 128 instances, which other programs may use up.
    package func bell() -> Int32? {
        mkfifoat(descriptor, Self.bellName, 0o600)
        // Also for writing, because a pipe that nobody writes to any more is always ready.
        let bell = openat(
            descriptor, Self.bellName, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        var status = stat()
        guard bell >= 0 else { return nil }
        guard fstat(bell, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
            close(bell)
            return nil
        }
        return bell
    }

    /// Tells a daemon that runs; one that comes later looks by itself.
    private func ring() {
        guard let bell = bell() else { return }
        _ = WholeWrite.send([0], to: bell)
        close(bell)
    }

    // MARK: Reading

    /// The items that wait, by their names.
    package func identifiers() -> [String] {
        names().compactMap { name in
            guard name.hasSuffix(".json"), InboxItem.isID(name.dropLast(5)) else { return nil }
            return String(name.dropLast(5))
        }.sorted()
    }

    /// Reads an item; its attachments have their whole paths.
    package func item(_ id: String) throws(NotificationError) -> InboxItem {
        let file = openat(
            descriptor, id + ".json", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("\(path)/\(id).json", "be read") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid(), status.st_mode & 0o022 == 0,
            status.st_size <= Self.maximumSize
        else {
            throw NotificationError(
                .invalidArgument, "It is no file of this user's alone, or too large.")
        }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        guard read(file, &bytes, bytes.count) == bytes.count else {
            throw Self.failure("\(path)/\(id).json", "be read")
        }
        var item = try InboxCoding.item(bytes, id: id)
        for index in item.request.content.attachments.indices {
            // Whatever the text says: a part of this item.
            item.request.content.attachments[index].path = "\(path)/\(Self.part(index, of: id))"
        }
        return item
    }

    private func names() -> [String] {
        Directory.names(in: "/proc/self/fd/\(descriptor)") ?? []
    }

    // MARK: Writing

    /// Keeps an item and the files of its attachments; it is on disk when this returns.
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
                    "The notification has \(bytes.count) bytes, and one that waits for a login may "
                        + "have \(Self.maximumSize). Shorten its texts.")
            }
            let draft = ".\(item.id).new"
            try make(draft) { WholeWrite.send(bytes[...], to: $0) }
            guard renameat(descriptor, draft, descriptor, item.id + ".json") == 0 else {
                throw Self.failure("\(path)/\(item.id).json", "be written")
            }
        } catch {
            removeParts(of: [item.id])
            throw error
        }
        flush()
        ring()
    }

    /// Takes items out, with their attachments.
    package func remove(_ ids: Set<String>) {
        for id in ids { unlinkat(descriptor, id + ".json", 0) }
        removeParts(of: ids)
    }

    /// The paths of what was set aside.
    package func unusable() -> [String] {
        names().filter { $0.hasSuffix(Self.unusableEnd) }.sorted().map { "\(path)/\($0)" }
    }

    /// Keeps an item that cannot be used under another name; what it is called then.
    package func setAside(_ id: String) -> String {
        let name = id + Self.unusableEnd
        renameat(descriptor, id + ".json", descriptor, name)
        return "\(path)/\(name)"
    }

    /// Removes what programs left that ended while they wrote, a day after.
    package func sweep(now: Instant) {
        let waiting = Set(names().filter { !$0.hasPrefix(".") }.map { $0.prefix { $0 != "." } })
        for name in names() where name.hasPrefix(".") && InboxItem.isID(Self.owner(of: name)) {
            var status = stat()
            guard !waiting.contains(Self.owner(of: name)),
                fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mtim.tv_sec + Self.draftAge < Int(now.microseconds / 1_000_000)
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
        try make(name) { file.copy(to: $0) == file.size }
    }

    /// Makes a file of what `write` writes to it, on the disk.
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

    private static func failure(_ path: String, _ what: String) -> NotificationError {
        let reason = errno
        return NotificationError(
            reason == ENOSPC || reason == EDQUOT ? .noSpace : .storeUnavailable,
            "\(path.quotedForMessage()) could not \(what): \(String(cString: strerror(reason))). "
                + "Check its directory.")
    }
}
