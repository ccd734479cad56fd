import NotificationModel

/// A request as the store keeps it: what has its usual value is left out.
///
/// Most requests are a title, a text and a trigger. Fields that are left out, and few levels of
/// nesting, make a row half as long and twice as fast to read, which is most of the cost of a list.
struct StoredRequest: Codable {
    private var identifier: String
    private var title: String?
    private var subtitle: String?
    private var body: String?
    private var badge: Int?
    private var sound: String?
    private var soundName: String?
    private var soundIsCritical: Bool?
    private var soundVolume: Float?
    private var attachments: [NotificationAttachment]?
    private var userInfo: [String: PropertyListValue]?
    private var category: String?
    private var thread: String?
    private var launchImage: String?
    private var target: String?
    private var level: InterruptionLevel?
    private var relevance: Double?
    private var filter: String?
    private var progress: Double?
    private var summaryArgument: String?
    private var summaryCount: Int?
    private var localization: ContentLocalization?
    private var mutable: Bool?
    private var desktop: DesktopOptions?
    private var seconds: Double?
    private var components: CalendarComponents?
    private var at: Instant?
    private var rule: NotificationRule?
    private var isPush: Bool?
    private var region: NotificationRegion?
    private var repeats: Bool?
    private var catchUp: CatchUp?
    private var grace: Double?
    /// The last date of a waiting request that was skipped.
    private(set) var skipped: Instant?
    /// When a waiting request was due before it was snoozed.
    private(set) var regular: DueTime?

    /// Whether a service extension may change it before it is shown.
    var isMutable: Bool { mutable == true }

    init(
        _ request: NotificationRequest, isMutable: Bool = false, skipped: Instant? = nil,
        regular: DueTime? = nil
    ) {
        let content = request.content
        identifier = request.identifier
        title = Self.text(content.title)
        subtitle = Self.text(content.subtitle)
        body = Self.text(content.body)
        badge = content.badge
        attachments = content.attachments.isEmpty ? nil : content.attachments
        userInfo = content.userInfo.isEmpty ? nil : content.userInfo
        category = Self.text(content.categoryIdentifier)
        thread = Self.text(content.threadIdentifier)
        launchImage = Self.text(content.launchImageName)
        target = content.targetContentIdentifier
        level = content.interruptionLevel == .active ? nil : content.interruptionLevel
        relevance = content.relevanceScore == 0 ? nil : content.relevanceScore
        filter = content.filterCriteria
        progress = content.progress
        summaryArgument = Self.text(content.summaryArgument)
        summaryCount = content.summaryArgumentCount == 0 ? nil : content.summaryArgumentCount
        localization = content.localization
        mutable = isMutable ? true : nil
        desktop = content.desktop
        self.skipped = skipped
        self.regular = regular
        if let sound = content.sound { set(sound) }
        if let trigger = request.trigger { set(trigger) }
        catchUp = request.catchUp == .once ? nil : request.catchUp
        grace = request.grace
    }

    /// The request that was stored.
    var request: NotificationRequest {
        var content = NotificationContent(title: title ?? "", body: body ?? "")
        content.subtitle = subtitle ?? ""
        content.badge = badge
        content.sound = storedSound
        content.attachments = attachments ?? []
        content.userInfo = userInfo ?? [:]
        content.categoryIdentifier = category ?? ""
        content.threadIdentifier = thread ?? ""
        content.launchImageName = launchImage ?? ""
        content.targetContentIdentifier = target
        content.interruptionLevel = level ?? .active
        content.relevanceScore = relevance ?? 0
        content.filterCriteria = filter
        content.progress = progress
        content.summaryArgument = summaryArgument ?? ""
        content.summaryArgumentCount = summaryCount ?? 0
        content.localization = localization
        content.desktop = desktop
        var request = NotificationRequest(
            identifier: identifier, content: content, trigger: trigger)
        request.catchUp = catchUp ?? .once
        request.grace = grace
        return request
    }

    private static func text(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }
}

// MARK: - Enumerations, flat

extension StoredRequest {
    private mutating func set(_ value: NotificationSound) {
        switch value.source {
        case .standard: sound = "standard"
        case .ringtone: sound = "ringtone"
        case .named(let name): (sound, soundName) = ("standard", name)
        case .ringtoneNamed(let name): (sound, soundName) = ("ringtone", name)
        }
        soundIsCritical = value.isCritical ? true : nil
        soundVolume = value.volume
    }

    private var storedSound: NotificationSound? {
        let source: NotificationSound.Source
        switch (sound, soundName) {
        case ("standard", nil): source = .standard
        case ("standard", let name?): source = .named(name)
        case ("ringtone", nil): source = .ringtone
        case ("ringtone", let name?): source = .ringtoneNamed(name)
        default: return nil
        }
        return NotificationSound(source, isCritical: soundIsCritical ?? false, volume: soundVolume)
    }

    private mutating func set(_ trigger: NotificationTrigger) {
        switch trigger {
        case .interval(let value, _): seconds = value
        case .calendar(let value, _): components = value
        case .at(let value): at = value
        case .rule(let value): rule = value
        case .push: isPush = true
        case .region(let value, _): region = value
        }
        repeats = trigger.repeats ? true : nil
    }

    private var trigger: NotificationTrigger? {
        let repeats = repeats ?? false
        if let seconds { return .interval(seconds: seconds, repeats: repeats) }
        if let components { return .calendar(components, repeats: repeats) }
        if let at { return .at(at) }
        if let rule { return .rule(rule) }
        if let region { return .region(region, repeats: repeats) }
        return isPush == true ? .push : nil
    }
}
