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
        if let grace = request.grace, !grace.isFinite || grace < 0 {
            throw NotificationError(
                .invalidArgument,
                "The request \(identifier.quotedForMessage()) has the grace \(grace); it must be a "
                    + "number of seconds from 0 on. Leave it out to be shown however late.")
        }
        let content = request.content
        let texts = [identifier] + texts(of: content)
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw NotificationError(
                .invalidArgument,
                "The request \(identifier.quotedForMessage()) has a NUL character in a text, which "
                    + "D-Bus cannot carry. Remove it.")
        }
        // Before anything is copied; what is encoded is checked again.
        try check(payloadSize: texts.reduce(0) { $0 + $1.utf8.count }, of: request)
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

    /// Every text that goes to the server.
    private static func texts(of content: NotificationContent) -> [String] {
        var texts = [
            content.title, content.subtitle, content.body, content.categoryIdentifier,
            content.threadIdentifier,
        ]
        switch content.sound?.source {
        case .named(let name), .ringtoneNamed(let name): texts.append(name)
        case .standard, .ringtone, nil: break
        }
        guard let desktop = content.desktop else { return texts }
        texts += [desktop.icon, desktop.category].compactMap { $0 }
        for (name, hint) in desktop.hints {
            texts.append(name)
            if case .string(let text) = hint { texts.append(text) }
        }
        return texts
    }

    /// What a person reads on buttons goes to the server as well.
    static func check(_ categories: [NotificationCategory]) throws(NotificationError) {
        for category in categories {
            for action in category.actions {
                if let seconds = action.snooze { _ = try FireSchedule.delay(seconds) }
            }
            let texts = category.actions.flatMap { action -> [String?] in
                let input = action.textInput
                return [action.identifier, action.title, action.icon]
                    + [input?.buttonTitle, input?.placeholder]
            }
            guard !texts.contains(where: { $0?.utf8.contains(0) == true }) else {
                throw NotificationError(
                    .invalidArgument,
                    "The category \(category.identifier.quotedForMessage()) has a NUL character in "
                        + "an action, which D-Bus cannot carry. Remove it.")
            }
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
