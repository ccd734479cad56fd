internal import NotificationModel

/// A file that an app wants to attach; nobody has checked the file yet.
struct AttachmentSource {
    var identifier: String
    var url: URL
    var options: [AnyHashable: Any]

    /// Makes the attachment; throws if the file is unreadable, too large or of an unsupported type.
    func checked() throws(NotificationError) -> NotificationAttachment {
        guard url.isFileURL else {
            throw NotificationError(
                .attachmentInvalid,
                "The attachment \(url.absoluteString.quotedForMessage()) is not a file: only file "
                    + "URLs can be attached. Download it first and attach the local copy.")
        }
        let file = try OpenFile(path: url.path)
        let type = try recognizedType(of: file)
        guard file.size <= type.maximumSize else {
            throw NotificationError(
                .attachmentTooLarge,
                "The attachment \(url.path.quotedForMessage()) has \(file.size) bytes; a file of "
                    + "type \(type.identifier) may have at most \(type.maximumSize) bytes. Attach "
                    + "a smaller file.")
        }
        let values = try [String: PropertyListValue](userInfo: options)
        _ = try AttachmentThumbnail(values)
        return NotificationAttachment(
            identifier: identifier.isEmpty ? UUID().uuidString : identifier,
            path: url.standardizedFileURL.path, type: type.identifier, options: values)
    }

    private func recognizedType(of file: OpenFile) throws(NotificationError) -> AttachmentType {
        if let hint = options[UNNotificationAttachmentOptionsTypeHintKey] {
            if let name = hint as? String, let type = AttachmentType.named(name) { return type }
            throw unrecognized(
                "the type hint \("\(hint)".quotedForMessage()) names no supported type")
        }
        guard let type = AttachmentType.ofFile(url.path) ?? AttachmentType.ofContent(file) else {
            throw unrecognized(
                "neither its extension \(url.pathExtension.quotedForMessage()) nor its content "
                    + "names a supported type")
        }
        return type
    }

    private func unrecognized(_ reason: String) -> NotificationError {
        NotificationError(
            .attachmentUnrecognized,
            "The attachment \(url.path.quotedForMessage()) cannot be used: \(reason). "
                + "Supported are "
                + AttachmentType.all.map(\.identifier).joined(separator: ", ") + ".")
    }
}
