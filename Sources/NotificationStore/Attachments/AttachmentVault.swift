internal import CLinux
internal import Foundation
internal import Glibc
package import NotificationModel

/// The store's private copies of attached files, in one directory under random names.
///
/// The copies are on the disk before `store` returns. If one copy fails, `store` removes all copies
/// of that call. No text of an app becomes part of a path.
package final class AttachmentVault: Sendable {
    private let directory: String

    package init(directory: String) throws(NotificationError) {
        self.directory = directory
        try StoreDirectory(path: directory).prepare()
    }

    /// Copies open files into the vault; returns the attachments with their new paths.
    ///
    /// - Throws: `attachmentInvalid` if there is not one file for each attachment, or if a file is
    ///   not open for reading; `attachmentUnrecognized`, `attachmentTooLarge` or
    ///   `attachmentCorrupt` if a file does not fit its type; `noSpace` or `attachmentNotStored` if
    ///   reading or copying fails.
    package func store(
        _ attachments: [NotificationAttachment], from files: [OpenFile]
    ) throws(NotificationError) -> [NotificationAttachment] {
        guard attachments.count == files.count else {
            throw NotificationError(
                .attachmentInvalid,
                "The request has \(attachments.count) attachments but \(files.count) open files. "
                    + "Pass one descriptor for each attachment, in the same order.")
        }
        var stored: [NotificationAttachment] = []
        do {
            for (attachment, file) in zip(attachments, files) {
                stored.append(try store(attachment, from: file))
            }
            try flushDirectory()
        } catch {
            remove(stored.map(\.path))
            throw error
        }
        return stored
    }

    /// Removes files, given by path or name; call this only for files to which no row refers.
    package func remove(_ files: [String]) {
        for file in files { unlink(path(of: file)) }
    }

    /// Removes all files except those in `names`.
    ///
    /// If a process dies after it copied a file, and before it committed the row, the file is
    /// unused.
    package func sweep(keeping names: Set<String>) {
        let found = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        for name in found where !names.contains(name) { unlink(path(of: name)) }
    }

    /// The content with the current paths of its files: the directory may have been moved.
    package func located(_ content: NotificationContent) -> NotificationContent {
        guard !content.attachments.isEmpty else { return content }
        var located = content
        for index in located.attachments.indices {
            located.attachments[index].path = path(of: located.attachments[index].path)
        }
        return located
    }

    private func path(of file: String) -> String {
        directory + "/" + (file as NSString).lastPathComponent
    }

    /// Flushes the names to the disk: a power cut loses a file whose name is not on the disk.
    ///
    /// - Throws: `noSpace` or `attachmentNotStored` if that fails.
    func flushDirectory() throws(NotificationError) {
        do {
            try StoreDirectory.flush(directory)
        } catch {
            let reason = (error as? POSIXError)?.code.rawValue ?? EIO
            throw NotificationError(
                reason == ENOSPC || reason == EDQUOT ? .noSpace : .attachmentNotStored,
                "The attachments in \(directory.quotedForMessage()) could not be written to the "
                    + "disk: \(String(cString: strerror(reason))). Check the disk.")
        }
    }

    private func store(
        _ attachment: NotificationAttachment, from file: OpenFile
    ) throws(NotificationError) -> NotificationAttachment {
        guard !attachment.type.isEmpty else {
            throw NotificationError(
                .attachmentUnrecognized,
                "The attachment \(attachment.path.quotedForMessage()) has no type. Set its type, "
                    + "such as public.png.")
        }
        guard let type = AttachmentType.named(attachment.type) else {
            throw NotificationError(
                .attachmentUnrecognized,
                "The attachment \(attachment.path.quotedForMessage()) has the type "
                    + "\(attachment.type.quotedForMessage()), which is not supported. Attach PNG, "
                    + "JPEG, GIF, WebP, AIFF, WAV, MP3, M4A, MPEG, MP4 or AVI.")
        }
        guard file.size <= type.maximumSize else {
            throw NotificationError(
                .attachmentTooLarge,
                "The attachment \(attachment.path.quotedForMessage()) has \(file.size) bytes; "
                    + "\(type.identifier) may have \(type.maximumSize). Attach a smaller file.")
        }
        try file.checkReading(of: attachment.path)
        guard type.isPlausible(for: file) else {
            throw NotificationError(
                .attachmentCorrupt,
                "The attachment \(attachment.path.quotedForMessage()) is not a valid "
                    + "\(type.identifier) file. Attach a file that other programs can open.")
        }
        let name = Self.randomName() + "." + (type.extensions.first ?? "bin")
        var stored = attachment
        stored.path = directory + "/" + name
        try copy(file, to: stored.path, for: attachment)
        return stored
    }

    private func copy(
        _ file: OpenFile, to path: String, for attachment: NotificationAttachment
    ) throws(NotificationError) {
        let target = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { throw failure(attachment) }
        defer { close(target) }
        guard copyContent(of: file, to: target), fsync(target) == 0 else {
            let error = failure(attachment)
            unlink(path)
            throw error
        }
    }

    /// Copies up to the size that was checked; returns false with errno set on failure.
    private func copyContent(of file: OpenFile, to target: Int32) -> Bool {
        var offset: Int64 = 0
        while offset < file.size {
            let rest = Int64(file.size) - offset
            let copied = clinux_copy_range(file.descriptor, target, offset, rest)
            if copied > 0 {
                offset += copied
            } else if copied == 0 || errno != EINTR {
                // If a file system cannot copy ranges, the call fails with one of these errors or
                // returns 0. Copy the bytes then; any other error is final.
                let mayCopyBytes =
                    copied == 0 || [EXDEV, EINVAL, ENOSYS, EOPNOTSUPP].contains(errno)
                return mayCopyBytes && file.copy(from: Int(offset), to: target) != nil
            }
        }
        return true
    }

    private func failure(_ attachment: NotificationAttachment) -> NotificationError {
        let reason = errno
        return NotificationError(
            reason == ENOSPC || reason == EDQUOT ? .noSpace : .attachmentNotStored,
            "The attachment \(attachment.path.quotedForMessage()) could not be copied into "
                + "\(directory.quotedForMessage()): \(String(cString: strerror(reason))).")
    }

    private static func randomName() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = generator.next()
        let low = generator.next()
        return String(high, radix: 36) + String(low, radix: 36)
    }
}
