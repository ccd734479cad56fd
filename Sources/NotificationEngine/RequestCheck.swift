import NotificationModel

/// What a request must be before anything is stored; pure.
enum RequestCheck {
    /// The longest identifier, in bytes.
    static let identifierLimit = 1_024
    /// The largest request as stored, attachments not counted, in bytes.
    static let payloadLimit = 256 * 1_024
    /// The most attachments of one request.
    static let attachmentLimit = 16

    static func check(_ request: NotificationRequest) throws(NotificationError) {
        let identifier = request.identifier
        guard !identifier.isEmpty, identifier.utf8.count <= identifierLimit else {
            throw NotificationError(
                .invalidArgument,
                "The request's identifier has \(identifier.utf8.count) bytes; it must have 1 to "
                    + "\(identifierLimit).")
        }
        let content = request.content
        let texts = [
            identifier, content.title, content.subtitle, content.body, content.categoryIdentifier,
            content.threadIdentifier,
        ]
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw NotificationError(
                .invalidArgument,
                "The request \(identifier.quotedForMessage()) has a NUL character in a text, which "
                    + "D-Bus cannot carry. Remove it.")
        }
        guard content.attachments.count <= attachmentLimit else {
            throw NotificationError(
                .attachmentInvalid,
                "The request \(identifier.quotedForMessage()) has \(content.attachments.count) "
                    + "attachments; at most \(attachmentLimit) are kept.")
        }
        guard PropertyListValue.dictionary(content.userInfo).depth <= PropertyListValue.maximumDepth
        else {
            throw NotificationError(
                .invalidArgument,
                "The userInfo of \(identifier.quotedForMessage()) nests deeper than "
                    + "\(PropertyListValue.maximumDepth) levels. Flatten it.")
        }
    }

    static func check(
        payloadSize size: Int, of request: NotificationRequest
    ) throws(NotificationError) {
        guard size <= payloadLimit else {
            throw NotificationError(
                .invalidArgument,
                "The request \(request.identifier.quotedForMessage()) has \(size) bytes of text "
                    + "and data; at most \(payloadLimit) are kept. Shorten its texts or userInfo.")
        }
    }
}
