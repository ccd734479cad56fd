internal import Glibc
internal import NotificationModel

/// An attachment's file, opened once for the whole way into the store.
struct OpenAttachment: Sendable {
    let file: OpenFile
    private let path: String
    private let isStored: Bool

    static func all(of content: UNNotificationContent) throws(NotificationError) -> [Self] {
        var files: [Self] = []
        for attachment in content.attachments {
            let path = attachment.value.path
            files.append(
                Self(
                    file: try OpenFile(path: path), path: path, isStored: attachment.isStored))
        }
        return files
    }

    /// Removes the app's file if it lies in a temporary directory.
    ///
    /// Apple moves attachments, and a temporary file has no other use. A file that took its place in
    /// the meantime stays.
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
