internal import Glibc
internal import NotificationModel

/// An attachment's file, which stays open until the store has copied it.
struct OpenAttachment: Sendable {
    let file: OpenFile
    private let path: String
    private let isStored: Bool

    static func all(of content: UNNotificationContent) throws(NotificationError) -> [Self] {
        var files: [Self] = []
        for attachment in content.attachments {
            let path = attachment.value.path
            let file =
                attachment.isStored ? try storedFile(path) : try OpenFile(path: path)
            files.append(Self(file: file, path: path, isStored: attachment.isStored))
        }
        return files
    }

    /// Opens the copy that the store made for an earlier notification.
    ///
    /// The store removes the copy together with the last notification that uses it.
    private static func storedFile(_ path: String) throws(NotificationError) -> OpenFile {
        do throws(NotificationError) {
            return try OpenFile(path: path)
        } catch {
            guard error.code == .attachmentInvalid else { throw error }
            throw NotificationError(
                .attachmentNotFound,
                "The attachment \(path.quotedForMessage()) is not in the notification centre's "
                    + "store any more: its notification is gone. Attach the file itself again.")
        }
    }

    /// Removes the app's file if it lies in a temporary directory.
    ///
    /// Apple's framework moves every attachment. Here a file outside of a temporary directory
    /// stays, because the app may still need it. A file that has replaced the original also stays.
    func removeOriginal(in temporary: TemporaryDirectories) {
        guard !isStored, temporary.contain(path), isUnchanged else { return }
        unlink(path)
    }

    private var isUnchanged: Bool {
        var opened = stat()
        var now = stat()
        guard fstat(file.descriptor, &opened) == 0, lstat(path, &now) == 0 else { return false }
        return opened.st_dev == now.st_dev && opened.st_ino == now.st_ino
            && opened.st_mtim.tv_sec == now.st_mtim.tv_sec
            && opened.st_mtim.tv_nsec == now.st_mtim.tv_nsec
    }
}
