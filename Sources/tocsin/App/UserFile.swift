internal import Glibc
internal import NotificationModel
internal import Reactor

/// Files that other programs read or write.
enum UserFile {
    /// The content of a file, or the reason why there is none.
    enum Content: Hashable {
        case bytes([UInt8])
        case missing
        case unusable(String)
    }

    /// Reads a whole regular file up to the limit.
    ///
    /// It refuses pipes and devices, because they could block this program.
    static func read(_ path: String, limit: Limit, followsLink: Bool = true) -> Content {
        let link = followsLink ? 0 : O_NOFOLLOW
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | link)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return .missing
            case ELOOP where !followsLink: return .unusable("it is a symbolic link")
            case let code: return .unusable(String(cString: strerror(code)))
            }
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return .unusable("it is not a regular file")
        }
        guard let bytes = bytes(of: descriptor, limit: limit.most) else {
            return .unusable(String(cString: strerror(errno)))
        }
        return limit.contains(bytes.count)
            ? .bytes(bytes) : .unusable("it has more than \(limit.most) \(limit.unit)")
    }

    /// The bytes of a descriptor up to its end; nil, with the reason in `errno`, if reading fails.
    ///
    /// It stops when it has more than `limit` bytes, so the caller can detect an input that is too
    /// long.
    static func bytes(of descriptor: Int32, limit: Int = .max) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            guard let more = chunk(of: descriptor) else { return nil }
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// The next bytes of a descriptor; empty at its end; nil if reading fails (see `errno`).
    static func chunk(of descriptor: Int32) -> ArraySlice<UInt8>? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var count = -1
        repeat {
            count = Glibc.read(descriptor, &chunk, chunk.count)
        } while count < 0 && errno == EINTR
        return count < 0 ? nil : chunk[..<count]
    }

    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The text of a small file; nil if it cannot be read.
    static func text(_ path: String) -> String? {
        guard case .bytes(let bytes) = read(path, limit: Limits.configurationFile) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the whole file.
    ///
    /// With `makesDirectory`, this makes a missing directory. Otherwise a missing directory is an
    /// error: its path may be wrong, or its disk not mounted.
    ///
    /// As with `>` of a shell, a symbolic link stays, and the new file takes the place of the file
    /// behind the link. The new file has the mode of the old file. It has the old file's user and
    /// group if this process may set them, but never its access control list. A pipe or a device,
    /// such as `/dev/null`, is an error.
    static func write(
        _ text: String, to path: String, makesDirectory: Bool = false
    ) throws(ToolError) {
        let present = try present(path)
        let place = present?.path ?? path
        let parts = place.split(separator: "/")
        let folder = parts.dropLast().map { "/" + $0 }.joined()
        if makesDirectory { Directory.make(folder, mode: 0o755) }
        // The draft's name begins with a dot, so that no other program reads the draft.
        let draft = "\(folder)/.\(parts.last ?? "")~"
        guard
            WholeWrite.replace(
                place, by: text, draft: draft, mode: present?.mode ?? 0o644,
                owner: present?.owner)
        else {
            let error = notWritten(path)
            unlink(draft)
            if let present, present.isNew { unlink(present.path) }
            throw error
        }
    }

    /// A file that a new file replaces.
    private struct PresentFile {
        let path: String
        let mode: UInt32
        let owner: WholeWrite.Owner
        /// Whether the file is empty and was created behind a link that led nowhere.
        let isNew: Bool
    }

    /// The file to which a path leads; nil if the path leads nowhere.
    ///
    /// It creates the missing file behind a symbolic link. It lets the kernel follow the link,
    /// because the kernel refuses the links of other users in directories such as `/tmp`.
    private static func present(_ path: String) throws(ToolError) -> PresentFile? {
        var status = stat()
        let exists = stat(path, &status) == 0
        guard exists || errno == ENOENT else { throw notWritten(path) }
        if exists { try checkIsRegular(status, path) }
        let isLink = SymbolicLink.target(of: path) != nil
        if !exists, !isLink { return nil }
        let flags = O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (exists ? 0 : O_CREAT)
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw notWritten(path) }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0 else { throw notWritten(path) }
        // Another program may have replaced the file before it was opened.
        try checkIsRegular(status, path)
        let place = try isLink ? target(of: descriptor, status, behind: path) : path
        return PresentFile(
            path: place, mode: status.st_mode & 0o777,
            owner: WholeWrite.Owner(user: status.st_uid, group: status.st_gid),
            isNew: !exists && status.st_size == 0)
    }

    private static func checkIsRegular(_ status: stat, _ path: String) throws(ToolError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ToolError.failure(
                "The file \(path.quotedForMessage()) was not written: it is not a regular file. "
                    + "Give another path.")
        }
    }

    /// The path of an open file behind a link.
    ///
    /// - Throws: An error if the path that the kernel names does not lead to the file. For example,
    ///   the path is no UTF-8, or the file was removed.
    private static func target(
        of descriptor: Int32, _ status: stat, behind link: String
    ) throws(ToolError) -> String {
        var found = stat()
        guard let target = SymbolicLink.target(of: "/proc/self/fd/\(descriptor)"),
            stat(target, &found) == 0,
            (found.st_dev, found.st_ino) == (status.st_dev, status.st_ino)
        else {
            throw ToolError.failure(
                "The file \(link.quotedForMessage()) was not written: the path of the file behind "
                    + "this link was not found. Give a path without a link.")
        }
        return target
    }

    /// The error of a failed call; `errno` has the reason.
    private static func notWritten(_ path: String) -> ToolError {
        let code = errno
        let remedy =
            code == ENOENT
            ? "Make its directory first, or give another path."
            : "Check the permissions of the file and of its directory."
        return ToolError.failure(
            "The file \(path.quotedForMessage()) could not be written: "
                + "\(String(cString: strerror(code))). \(remedy)")
    }
}
