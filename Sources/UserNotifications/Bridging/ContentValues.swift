internal import NotificationModel

/// The values behind content: the model's, and beside them what apps set as objects.
///
/// User info is checked when a request is added, because setting a property cannot fail.
struct ContentValues: Equatable {
    /// Everything that needs no conversion; its badge, sound, attachments, user info stay empty.
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

    /// Sets a text, which is then no longer the one that a key stands for.
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

    /// What a description shows: what Apple's does, without the app's own data.
    var fields: [(String, Any?)] {
        func text(_ text: String) -> String? { text.isEmpty ? nil : text }
        return [
            ("title", text(model.title)), ("subtitle", text(model.subtitle)),
            ("body", text(model.body)), ("summaryArgument", text(model.summaryArgument)),
            ("summaryArgumentCount", model.summaryArgumentCount),
            ("categoryIdentifier", model.categoryIdentifier),
            ("launchImageName", model.launchImageName),
            ("threadIdentifier", model.threadIdentifier),
            ("attachments", attachments), ("badge", badge.map(\.intValue)), ("sound", sound),
            ("interruptionLevel", model.interruptionLevel.rawValue),
            ("relevanceScore", String(format: "%.2f", model.relevanceScore)),
            ("filterCriteria", model.filterCriteria),
        ]
    }
}

// Bridging to the model.
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
                    .invalidArgument,
                    "The content's badge \(badge) cannot be shown: a badge is a whole number from "
                        + "0, or nil to leave it as it is.")
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

// Archives: only object values, so that a test's own coder need answer nothing else.
extension ContentValues {
    init(coder: NSCoder) {
        model.title = coder.string("title") ?? ""
        model.subtitle = coder.string("subtitle") ?? ""
        model.body = coder.string("body") ?? ""
        model.categoryIdentifier = coder.string("categoryIdentifier") ?? ""
        model.threadIdentifier = coder.string("threadIdentifier") ?? ""
        model.launchImageName = coder.string("launchImageName") ?? ""
        model.targetContentIdentifier = coder.string("targetContentIdentifier")
        model.filterCriteria = coder.string("filterCriteria")
        model.summaryArgument = coder.string("summaryArgument") ?? ""
        model.summaryArgumentCount = coder.number("summaryArgumentCount")?.intValue ?? 0
        model.relevanceScore = coder.number("relevanceScore")?.doubleValue ?? 0
        model.progress = coder.number("progress")?.doubleValue
        if let level = coder.number("interruptionLevel")?.uintValue {
            model.interruptionLevel = .init(rawValue: level) ?? .active
        }
        badge = coder.number("badge")
        sound = coder.object(UNNotificationSound.self, "sound")
        attachments = coder.objects(UNNotificationAttachment.self, "attachments")
        userInfo = coder.propertyList("userInfo") as? [AnyHashable: Any] ?? [:]
    }

    func encode(with coder: NSCoder) {
        coder.encode(model.title as NSString, forKey: "title")
        coder.encode(model.subtitle as NSString, forKey: "subtitle")
        coder.encode(model.body as NSString, forKey: "body")
        coder.encode(model.categoryIdentifier as NSString, forKey: "categoryIdentifier")
        coder.encode(model.threadIdentifier as NSString, forKey: "threadIdentifier")
        coder.encode(model.launchImageName as NSString, forKey: "launchImageName")
        coder.encode(model.targetContentIdentifier as NSString?, forKey: "targetContentIdentifier")
        coder.encode(model.filterCriteria as NSString?, forKey: "filterCriteria")
        coder.encode(model.summaryArgument as NSString, forKey: "summaryArgument")
        coder.encode(
            NSNumber(value: model.summaryArgumentCount), forKey: "summaryArgumentCount")
        coder.encode(NSNumber(value: model.relevanceScore), forKey: "relevanceScore")
        coder.encode(model.progress.map { NSNumber(value: $0) }, forKey: "progress")
        coder.encode(
            NSNumber(value: model.interruptionLevel.rawValue), forKey: "interruptionLevel")
        coder.encode(badge, forKey: "badge")
        coder.encode(sound, forKey: "sound")
        coder.encode(NSArray(array: attachments), forKey: "attachments")
        coder.encode(propertyList: userInfo, forKey: "userInfo")
    }
}
