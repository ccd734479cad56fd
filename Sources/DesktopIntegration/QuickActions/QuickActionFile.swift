internal import Glibc
public import NotificationModel
internal import Reactor

/// The desktop file of an app, in which the app's quick actions are stored.
///
/// It owns the app's desktop file in the user's data directory, if Tocsin wrote that file. Either
/// `tocsin register` made the file, or the file is Tocsin's copy of a package's desktop file.
///
/// It promises that a reader sees the whole old file or the whole new file.
///
/// It never changes a file that the user or another program wrote.
public struct QuickActionFile: Sendable {
    private static let registeredKey = "X-Tocsin-Registered"
    /// Marks a copy; the value is the path of the original.
    private static let originalKey = "X-Tocsin-CopyOf"

    private let app: ApplicationID
    private let directories: [String]

    /// The file of an app; the first data directory is the user's own.
    public init(of app: ApplicationID, dataDirectories: [String]) {
        self.app = app
        directories = dataDirectories.map { $0 + "/applications" }
    }

    private var ownPath: String? { directories.first.map { "\($0)/\(app.rawValue).desktop" } }

    /// Whether the app's desktop file is installed and does not belong to a sandboxed app.
    public var isInstalled: Bool { installed() != nil }

    /// The actions in the menu's order; empty if there is no desktop file.
    ///
    /// If the file is a copy and its original has changed, the method first updates the copy.
    public func actions() -> [QuickAction] {
        refreshCopy()
        return installed()?.text.quickActions ?? []
    }

    /// Replaces the dynamic actions.
    ///
    /// - Throws: `noSettings` if the app has no desktop file, if another program wrote the user's
    ///   file, or if the file or its original cannot be read or written; `limitReached` if the file
    ///   would be too large.
    public func setDynamicActions(_ actions: [QuickAction]) throws(NotificationError) {
        guard let own = ownPath, let (path, text) = installed() else {
            throw failure(
                "no desktop file of the app is installed", "Write one with 'tocsin register'.")
        }
        if path == own, text.value(Self.registeredKey) == nil, text.value(Self.originalKey) == nil {
            throw failure(
                "the file \(own.quotedForMessage()) was written by another program",
                "Remove that file, and write a new one with 'tocsin register'.")
        }
        if path == own, let original = text.value(Self.originalKey) {
            if !actions.isEmpty { try checkOriginal(original, of: own) }
            return try writeCopy(actions, to: own)
        }
        if path == own {
            var text = text
            text.replaceQuickActions(.dynamic, with: actions, app: app)
            return try write(text, to: own)
        }
        // Keep a file that cannot be read, such as a link to /dev/null: it may be the user's own.
        var status = stat()
        guard lstat(own, &status) != 0, errno == ENOENT || errno == ENOTDIR else {
            throw failure(
                "the file \(own.quotedForMessage()) cannot be read or is too large",
                "Remove that file, or make it readable.")
        }
        try writeCopy(actions, to: own)
    }

    // MARK: Copies

    /// Writes a copy of the original with these actions.
    ///
    /// If there are no actions, or if the original is gone, this removes the copy.
    private func writeCopy(_ actions: [QuickAction], to own: String) throws(NotificationError) {
        guard !actions.isEmpty, let (path, original) = installed(from: 1) else {
            return try removeCopy(own)
        }
        var text = original
        text.setValue(path, of: Self.originalKey)
        // Menus ignore a file whose `TryExec` program is missing. Without the key, the copy would
        // stay in the menus after the removal of the package.
        if text.value("TryExec") == nil {
            var entry = LaunchEntry(id: app.rawValue)
            entry.exec = text.value("Exec")
            text.setValue(entry.programName, of: "TryExec")
        }
        text.replaceQuickActions(.dynamic, with: actions, app: app)
        try write(text, to: own)
    }

    private func removeCopy(_ own: String) throws(NotificationError) {
        guard unlink(own) == 0 || errno == ENOENT else {
            throw failure(
                "the file \(own.quotedForMessage()) could not be removed: "
                    + String(cString: strerror(errno)), "Remove it yourself.")
        }
    }

    /// Throws an error if a copy cannot be written again from its original.
    ///
    /// If the original is gone from the disk, this also removes the copy.
    private func checkOriginal(_ original: String, of own: String) throws(NotificationError) {
        guard installed(from: 1) == nil else { return }
        if Self.isGone(original) {
            try removeCopy(own)
            throw failure(
                "the app is no longer installed, as its desktop file "
                    + "\(original.quotedForMessage()) is gone", "Install the app again.")
        }
        throw failure(
            "the desktop file \(original.quotedForMessage()) is not in XDG_DATA_DIRS or cannot be "
                + "read", "Add its data directory to that variable, or make the file readable.")
    }

    /// True if no file exists at the path; false if a file exists or this process cannot find out.
    private static func isGone(_ path: String) -> Bool {
        access(path, F_OK) != 0 && errno == ENOENT
    }

    /// Writes the copy again, because a package may have replaced or removed its original.
    private func refreshCopy() {
        guard let own = ownPath, let (path, text) = installed(), path == own,
            let original = text.value(Self.originalKey)
        else { return }
        // If the original exists, but not in this session's data directories, keep the copy.
        guard installed(from: 1) != nil || Self.isGone(original) else { return }
        do throws(NotificationError) {
            try writeCopy(text.quickActions.filter { $0.kind == .dynamic }, to: own)
        } catch {
            // The error is ignored: the old copy still starts the app.
        }
    }

    // MARK: Files

    /// The first desktop file with the app's id.
    ///
    /// The search begins with the directory at the index `first`: 1 leaves out the user's own.
    ///
    /// The result is nil if there is no such file, or if the file belongs to a sandboxed app.
    private func installed(from first: Int = 0) -> (path: String, text: DesktopFileText)? {
        for directory in directories.dropFirst(first) {
            let path = "\(directory)/\(app.rawValue).desktop"
            guard let bytes = OpenFile(following: path)?.bytes(upTo: Limits.configurationFile.most)
            else {
                continue
            }
            let text = DesktopFileText(String(decoding: bytes, as: UTF8.self))
            let marks = ["X-Flatpak", "X-SnapInstanceName", "X-SnapAppName"]
            let origin = EntryOrigin(
                file: path, isMarked: marks.contains { text.value($0) != nil })
            return origin == .host ? (path, text) : nil
        }
        return nil
    }

    private func write(_ text: DesktopFileText, to path: String) throws(NotificationError) {
        let text = text.text
        guard Limits.configurationFile.contains(text.utf8.count) else {
            throw NotificationError(
                .limitReached,
                "The quick actions were not set: the desktop file would have more than "
                    + "\(Limits.configurationFile.most) bytes. Give the actions shorter texts and less user info."
            )
        }
        if let bytes = OpenFile(following: path)?.bytes(upTo: Limits.configurationFile.most),
            bytes.elementsEqual(text.utf8)
        {
            return
        }
        guard let folder = directories.first else { return }
        Directory.make(folder, mode: 0o755)
        // The name begins with a dot, so that no program reads the draft as a desktop file.
        let draft = "\(folder)/.\(app.rawValue).desktop~\(getpid())"
        guard WholeWrite.replace(path, by: text, draft: draft, mode: 0o644) else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw failure(
                "the file \(path.quotedForMessage()) could not be written: \(reason)",
                "Check its directory.")
        }
    }

    private func failure(_ reason: String, _ remedy: String) -> NotificationError {
        NotificationError(.noSettings, "The quick actions were not set: \(reason). \(remedy)")
    }
}
