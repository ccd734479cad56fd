internal import Intents
internal import NotificationModel

extension ContentValues {
    /// Takes what a provider of the system's says; throws for every other.
    mutating func update(from provider: any UNNotificationContentProviding) throws {
        switch provider {
        case let message as INSendMessageIntent:
            try update(from: message)
        case let call as INStartCallIntent:
            guard let caller = Self.name(of: call.contacts?.first) else {
                throw Self.invalid("The call has no contact with a name.")
            }
            model.title = caller
        case let context as UNNotificationAttributedMessageContext:
            try update(from: context.intent)
            model.body = context.text
        default:
            throw UNError(
                .contentProvidingObjectNotAllowed,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The content cannot be updated from a \(type(of: provider)): only the "
                        + "system's own types may provide content. Set the title and body instead."
                ])
        }
    }

    // The sender is the title; the group's name stands below it, as Apple's banner shows them.
    private mutating func update(from message: INSendMessageIntent) throws {
        let group = message.speakableGroupName?.spokenPhrase
        guard let title = Self.name(of: message.sender) ?? group, !title.isEmpty else {
            throw Self.invalid("The message has neither a sender with a name nor a group.")
        }
        model.title = title
        if let group, group != title { model.subtitle = group }
        if model.threadIdentifier.isEmpty {
            model.threadIdentifier = message.conversationIdentifier ?? ""
        }
    }

    private static func name(of person: INPerson?) -> String? {
        person.flatMap { $0.displayName.isEmpty ? nil : $0.displayName }
    }

    private static func invalid(_ reason: String) -> UNError {
        UNError(
            .contentProvidingInvalid,
            userInfo: [
                NSLocalizedDescriptionKey:
                    "The content was not updated. \(reason) Set the title and body instead."
            ])
    }
}
