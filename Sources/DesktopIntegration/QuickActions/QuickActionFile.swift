internal import Glibc
public import NotificationModel
internal import Reactor

/// The desktop file of an app as the place of its quick actions.
///
/// It owns the user's file of the app's id, if Tocsin wrote it: by `tocsin register`, or as a copy
/// of the file that a package installed.
///
/// It promises that a reader sees the old file or the new one.
///
/// It never changes a file that the user or another program wrote.
public struct QuickActionFile: Sendable {
    /// Marks a file that `tocsin register` wrote.
    private static let registeredKey = "X-Tocsin-Registered"
    /// Marks a copy, with the path of its original.
    private static let originalKey = "X-Tocsin-CopyOf"

    private let app: ApplicationID
    private let directories: [String]

    /// The file of an app; the first data directory is the user's own.
    public init(of app: ApplicationID, dataDirectories: [String]) {
        self.app = app
        directories = dataDirectories.map { $0 + "/applications" }
    }

    private var ownPath: String? { directories.first.map { "\($0)/\(app.rawValue).desktop" } }

    /// Whether a desktop file of the app is installed, outside of a sandbox.
    public var isInstalled: Bool { installed() != nil }

    /// The actions in the menu's order; none without a file.
    ///
    /// Reading first brings a copy up to date with its original.
    public func actions() -> [QuickAction] {
        refreshCopy()
        return installed()?.text.quickActions ?? []
    }

    /// Replaces the dynamic actions.
    ///
    /// - Throws: `noSettings` if the app has no desktop file, if the user's file was not written by
    ///   Tocsin, or if it cannot be written; `limitReached` if it would be too large.
    public func setDynamicActions(_ actions: [QuickAction]) throws(NotificationError) {
        guard let own = ownPath, let (path, text) = installed() else {
            throw failure(
                "no desktop file of the app is installed", "Write one with 'tocsin register'.")
        }
        if path == own, text.value(Self.registeredKey) == nil, text.value(Self.originalKey) == nil {
            throw failure(
                "the file \(own.quotedForMessage()) was written by another program",
                "Remove it, or write it with 'tocsin register'.")
        }
        guard path != own || text.value(Self.originalKey) == nil else {
            return try writeCopy(actions, to: own)
        }
        if path == own {
            var text = text
            text.replaceQuickActions(.dynamic, with: actions, app: app)
            try write(text, to: own)
        } else {
            try writeCopy(actions, to: own)
        }
    }

    // MARK: Copies

    /// Writes the original with these actions; without actions the copy leaves.
    private func writeCopy(_ actions: [QuickAction], to own: String) throws(NotificationError) {
        guard !actions.isEmpty, let (path, original) = installed(below: 1) else {
            guard unlink(own) == 0 || errno == ENOENT else {
                throw failure(
                    "the file \(own.quotedForMessage()) could not be removed: "
                        + String(cString: strerror(errno)), "Remove it yourself.")
            }
            return
        }
        var text = original
        text.setValue(path, of: Self.originalKey)
        text.replaceQuickActions(.dynamic, with: actions, app: app)
        try write(text, to: own)
    }

    /// A package may have replaced or removed the original of a copy.
    private func refreshCopy() {
        guard let own = ownPath, let (path, text) = installed(), path == own,
            text.value(Self.originalKey) != nil
        else { return }
        do throws(NotificationError) {
            try writeCopy(text.quickActions.filter { $0.kind == .dynamic }, to: own)
        } catch {
            // The copy of the earlier original still starts the app.
        }
    }

    // MARK: Files

    /// The first file of the id, in the order of the data directories.
    private func installed(below first: Int = 0) -> (path: String, text: DesktopFileText)? {
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
        // A hidden name, so that no program takes the draft for the file.
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
