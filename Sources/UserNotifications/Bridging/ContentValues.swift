internal import Intents
internal import NotificationModel

/// The values of a notification's content: values of the model, and the objects that apps set.
///
/// Each value is either in `model` or in a property beside `model`. The app's objects stay
/// unchanged until a request is added. Only then `content()` checks and converts them, because
/// setting a property cannot fail.
struct ContentValues: Equatable {
    /// The values that need no conversion.
    ///
    /// The badge, the sound, the attachments and the user info of `model` stay empty.
    var model = NotificationContent()
    var badge: NSNumber?
    var sound: UNNotificationSound?
    var attachments: [UNNotificationAttachment] = []
    var userInfo: [AnyHashable: Any] = [:]

    init() {}

    var interruptionLevel: UNNotificationInterruptionLevel {
        get { .init(rawValue: model.interruptionLevel.rawValue) ?? .active }
        set { model.interruptionLevel = .init(rawValue: newValue.rawValue) ?? .active }
    }

    /// Sets a text; if the text changes, its localization key is removed.
    mutating func set(
        _ text: WritableKeyPath<NotificationContent, String>, _ value: String,
        of localized: WritableKeyPath<ContentLocalization, LocalizedText?>
    ) {
        if model[keyPath: text] != value { model.localization?[keyPath: localized] = nil }
        model[keyPath: text] = value
    }

    static func == (left: ContentValues, right: ContentValues) -> Bool {
        left.model == right.model && left.badge == right.badge && left.sound == right.sound
            && left.attachments == right.attachments
            && NSDictionary(dictionary: left.userInfo)
                .isEqual(NSDictionary(dictionary: right.userInfo))
    }
}

extension ContentValues {
    init(_ content: NotificationContent) {
        model = content
        badge = content.badge.map { NSNumber(value: $0) }
        sound = content.sound.map(UNNotificationSound.init(value:))
        attachments = content.attachments.map {
            UNNotificationAttachment(value: $0, isStored: true)
        }
        userInfo = content.userInfo.foundationObjects
        model.badge = nil
        model.sound = nil
        model.attachments = []
        model.userInfo = [:]
    }

    func content() throws(NotificationError) -> NotificationContent {
        var content = model
        if let badge {
            guard let number = Int(exactly: badge), number >= 0 else {
                throw NotificationError(
                    .badgeInvalid,
                    "The content's badge \(badge) cannot be shown. Set a whole number of at least "
                        + "0, or nil to leave the badge unchanged.")
            }
            content.badge = number
        }
        content.sound = sound?.value
        content.attachments = attachments.map(\.value)
        content.userInfo = try .init(userInfo: userInfo)
        content.localization = LocalizedTexts.shared.localization(of: content)
        return content
    }
}

// An archive has one entry for `model`, and one entry for each property beside `model`.
extension ContentValues {
    init(coder: NSCoder) {
        model = coder.value(NotificationContent.record, "content") ?? model
        badge = coder.number("badge")
        sound = coder.object(UNNotificationSound.self, "sound")
        attachments = coder.objects(UNNotificationAttachment.self, "attachments")
        userInfo = coder.propertyList("userInfo") as? [AnyHashable: Any] ?? [:]
    }

    func encode(with coder: NSCoder) {
        coder.encode(model, as: NotificationContent.record, forKey: "content")
        coder.encode(badge, forKey: "badge")
        coder.encode(sound, forKey: "sound")
        coder.encode(NSArray(array: attachments), forKey: "attachments")
        coder.encode(propertyList: userInfo, forKey: "userInfo")
    }
}

extension ContentValues {
    /// Updates the content from one of the system's providers; throws for any other provider.
    mutating func update(from provider: any UNNotificationContentProviding) throws {
        switch provider {
        case let message as INSendMessageIntent:
            try update(from: message)
        case let call as INStartCallIntent:
            guard let caller = Self.name(of: call.contacts?.first) else {
                throw Self.invalid("The call has no contact with a name.")
            }
            set(\.title, caller, of: \.title)
        case let context as UNNotificationAttributedMessageContext:
            try update(from: context.intent)
            set(\.body, context.text, of: \.body)
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

    // The sender is the title, and the group's name is the subtitle, as in Apple's banner.
    private mutating func update(from message: INSendMessageIntent) throws {
        let group = message.speakableGroupName?.spokenPhrase
        guard let title = Self.name(of: message.sender) ?? group, !title.isEmpty else {
            throw Self.invalid("The message has neither a sender with a name nor a group.")
        }
        set(\.title, title, of: \.title)
        if let group, group != title { set(\.subtitle, group, of: \.subtitle) }
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
