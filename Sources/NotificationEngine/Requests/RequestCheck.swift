internal import Foundation
import NotificationModel
internal import NotificationStore

/// What a request, a set of categories and an identity must be before anything of them is kept;
/// pure.
///
/// `Limits` has the bounds. A NUL, which D-Bus cannot carry, is found in what is stored, so that no
/// text and no key can be forgotten.
enum RequestCheck {
    /// Checks a request, and returns what the store keeps of it.
    static func payload(
        of request: NotificationRequest, isMutable: Bool = false
    ) throws(NotificationError) -> Data {
        try check(request)
        let payload = try PayloadCoding.encode(request, isMutable: isMutable)
        try Limits.payload.check(payload.count, of: name(of: request))
        return payload
    }

    /// Checks all that can be checked before the request is encoded.
    static func check(_ request: NotificationRequest) throws(NotificationError) {
        try Limits.identifier.check(request.identifier.utf8.count, of: "the request")
        guard request.identifier != MissedSummary.identifier else {
            throw NotificationError(
                .invalidArgument,
                "The identifier \(request.identifier.quotedForMessage()) belongs to the "
                    + "notification centre. Use another one.")
        }
        let content = request.content
        var size = TextSize(limit: Limits.payload.most)
        size.add(content)
        // A request that is too large is not encoded first.
        try Limits.payload.check(size.bytes, of: name(of: request))
        try Limits.attachments.check(content.attachments.count, of: name(of: request))
        try check(content.actions, of: name(of: request))
        for tree in [content.userInfo] + content.attachments.map(\.options) {
            try Limits.depth.check(
                PropertyListValue.dictionary(tree).depth, of: name(of: request))
        }
        try checkNumbers(of: request)
    }

    /// Checks every number, also of what the store gives back: nothing computes with others.
    static func checkNumbers(of request: NotificationRequest) throws(NotificationError) {
        let content = request.content
        if let grace = request.grace { try Limits.grace.check(grace, of: name(of: request)) }
        if let badge = content.badge { try Limits.badge.check(badge, of: name(of: request)) }
        try Limits.summaryCount.check(content.summaryArgumentCount, of: name(of: request))
        if let urgency = content.desktop?.urgency {
            try Limits.urgency.check(urgency, of: name(of: request))
        }
        switch request.trigger {
        case .at(let date): try check(date, of: request)
        case .interval(let seconds, let repeats):
            try FireSchedule.check(seconds, repeats: repeats)
        case .rule(let rule):
            try Limits.ruleText.check(rule.text.utf8.count, of: name(of: request))
            if let until = rule.until { try check(until, of: request) }
            if let count = rule.count {
                try Limits.ruleCount.check(count, of: name(of: request))
            }
        case .calendar, .region, .push, nil: break
        }
    }

    /// Whether all its numbers are such that a request is accepted with.
    static func hasUsableNumbers(_ request: NotificationRequest) -> Bool {
        do throws(NotificationError) {
            try checkNumbers(of: request)
            return true
        } catch {
            return false
        }
    }

    /// Checks the whole set of an app's categories.
    static func check(
        _ categories: [NotificationCategory], of app: ApplicationID
    ) throws(NotificationError) {
        try Limits.categories.check(categories.count, of: "\(app)")
        var size = 0
        for category in categories {
            let name = "the category \(category.identifier.quotedForMessage())"
            try check(category.actions, of: name)
            size += try PayloadCoding.encode(
                category, as: NotificationCategory.record, of: name
            ).count
            try Limits.categoriesSize.check(size, of: "\(app)")
        }
    }

    /// Checks the buttons of a request or a category.
    private static func check(
        _ actions: [NotificationAction], of name: String
    ) throws(NotificationError) {
        try Limits.actions.check(actions.count, of: name)
        for action in actions {
            if let seconds = action.snooze { _ = try FireSchedule.delay(seconds) }
        }
    }

    /// Checks what an app says of itself, and whose responses it waits for.
    static func check(
        _ application: ApplicationIdentity, identifiers: Set<String>?
    ) throws(NotificationError) {
        let name = "the app \(application.id)"
        let size = try PayloadCoding.encode(
            application, as: ApplicationIdentity.record, of: name
        ).count
        try Limits.identity.check(size, of: name)
        guard let identifiers else { return }
        try Limits.awaited.check(identifiers.count, of: "\(application.id)")
        for identifier in identifiers where !identifier.isEmpty {
            try Limits.identifier.check(identifier.utf8.count, of: "a request")
        }
    }

    private static func check(
        _ date: Instant, of request: NotificationRequest
    ) throws(NotificationError) {
        guard !date.isUsable else { return }
        let seconds = date.microseconds / 1_000_000
        try Limits.date.check(
            date.microseconds < 0 ? seconds - 1 : seconds, of: name(of: request))
    }

    private static func name(of request: NotificationRequest) -> String {
        "the request \(request.identifier.quotedForMessage())"
    }
}

/// The bytes of a content's texts, keys and values, counted no further than a limit.
private struct TextSize {
    let limit: Int
    private(set) var bytes = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func add(_ content: NotificationContent) {
        add([content.title, content.subtitle, content.body, content.categoryIdentifier])
        add([content.threadIdentifier, content.launchImageName, content.summaryArgument])
        add([content.targetContentIdentifier, content.filterCriteria].compactMap(\.self))
        for text in [
            content.localization?.title, content.localization?.subtitle,
            content.localization?.body,
        ] {
            add([text?.key ?? ""] + (text?.arguments ?? []))
        }
        add(content.userInfo)
        for attachment in content.attachments {
            add([attachment.identifier, attachment.path, attachment.type])
            add(attachment.options)
        }
        for action in content.actions {
            add([action.identifier, action.title, action.icon ?? ""])
            add([action.textInput?.buttonTitle ?? "", action.textInput?.placeholder ?? ""])
        }
        for (name, hint) in content.desktop?.hints ?? [:] where bytes <= limit {
            add([name])
            if case .string(let text) = hint { add([text]) }
        }
    }

    private mutating func add(_ texts: [String]) {
        for text in texts where bytes <= limit { bytes += text.utf8.count }
    }

    private mutating func add(_ values: [String: PropertyListValue]) {
        for (key, value) in values where bytes <= limit {
            bytes += key.utf8.count
            add(value)
        }
    }

    private mutating func add(_ value: PropertyListValue) {
        switch value {
        case .string(let text): bytes += text.utf8.count
        case .data(let data): bytes += data.count
        case .array(let values): for value in values where bytes <= limit { add(value) }
        case .dictionary(let values): add(values)
        case .integer, .real, .boolean, .date: break
        }
        // Its kind, at least.
        bytes += 1
    }
}
