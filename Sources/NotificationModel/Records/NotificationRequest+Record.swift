// The fields of a request, for the bus, the store, files and programs.

extension NotificationRequest {
    /// A request; the fields of its content are inlined.
    package static let record = Record(fields) {
        NotificationRequest(identifier: "", content: NotificationContent())
    }

    package static let fields = FieldTable<NotificationRequest>([
        Field(required: "id", \.identifier).limited(to: Limits.identifier),
        Field(inline: NotificationContent.fields, shared: \.sharedContent),
        Field("trigger", \.trigger) { NotificationTrigger.record },
        Field("catchUp", \.catchUp, .once),
        Field("grace", \.grace).limited(to: Limits.grace),
    ])
}

extension NotificationContent {
    package static let record = Record(fields) { NotificationContent() }

    static let fields = FieldTable<NotificationContent>([
        Field("title", \.title, ""),
        Field("subtitle", \.subtitle, ""),
        Field("body", \.body, ""),
        Field("badge", \.badge).pushed("badge").limited(to: Limits.badge),
        Field("sound", \.sound) { NotificationSound.record },
        Field("attachments", \.attachments) { NotificationAttachment.record }.limited(
            to: Limits.attachments),
        Field(tree: "userInfo", \.userInfo),
        Field("category", \.categoryIdentifier, "").pushed("category"),
        Field("actions", \.actions) { NotificationAction.record }.limited(to: Limits.actions),
        Field("reportsDismissal", \.reportsDismissal, false),
        Field("thread", \.threadIdentifier, "").pushed("thread-id"),
        Field("launchImage", \.launchImageName, "").pushed("launch-image", inAlert: true),
        Field("target", \.targetContentIdentifier).pushed("target-content-id"),
        Field("level", \.interruptionLevel, .active).pushed("interruption-level"),
        Field("relevanceScore", \.relevanceScore, 0).pushed("relevance-score"),
        Field("filterCriteria", \.filterCriteria).pushed("filter-criteria"),
        Field("progress", \.progress),
        Field("summaryArgument", \.summaryArgument, "").pushed("summary-arg", inAlert: true),
        Field("summaryArgumentCount", \.summaryArgumentCount, 0).pushed(
            "summary-arg-count", inAlert: true
        ).limited(to: Limits.summaryCount),
        Field("localization", \.localization) { ContentLocalization.record },
        Field("desktop", \.desktop) { DesktopOptions.record },
    ])
}

extension NotificationAttachment {
    package static let record = Record<NotificationAttachment>([
        Field(required: "id", \.identifier),
        Field(required: "path", \.path).optional,
        Field(required: "type", \.type).optional,
        Field(tree: "options", \.options),
    ]) { NotificationAttachment(identifier: "", path: "", type: "") }
}

extension ContentLocalization {
    package static let record = Record<ContentLocalization>([
        Field("title", \.title) { LocalizedText.record },
        Field("subtitle", \.subtitle) { LocalizedText.record },
        Field("body", \.body) { LocalizedText.record },
    ]) { ContentLocalization() }
}

extension LocalizedText {
    package static let record = Record<LocalizedText>([
        Field(required: "key", \.key),
        Field("arguments", \.arguments, []),
    ]) { LocalizedText(key: "") }
}

extension DesktopOptions {
    package static let record = Record<DesktopOptions>([
        Field("icon", \.icon),
        Field("expireTimeout", \.expireTimeout),
        Field("category", \.category),
        Field("urgency", \.urgency).limited(to: Limits.urgency),
        Field("transient", \.isTransient, false),
        Field("requiresServer", \.requiresServer, false),
        Field("offersClick", \.offersClick),
        Field(map: "hints", \.hints),
    ]) { DesktopOptions() }
}

// MARK: - Sounds

extension NotificationSound {
    /// The fields of a sound, except its kind.
    private struct Fields: Sendable {
        var name = ""
        var isCritical = false
        var volume: Float?

        static let loudness: [Field<Fields>] = [
            Field("critical", \.isCritical, false),
            Field("volume", \.volume),
        ]
        static let all = [Field<Fields>(required: "name", \.name)] + loudness
    }

    private static func kindCase(
        _ kind: String, _ fields: [Field<Fields>],
        source: @escaping @Sendable (String) -> Source,
        name: @escaping @Sendable (Source) -> String?
    ) -> Case<NotificationSound> {
        Case(
            kind, fields, of: Fields(),
            embed: {
                NotificationSound(source($0.name), isCritical: $0.isCritical, volume: $0.volume)
            },
            extract: { sound in
                name(sound.source).map {
                    Fields(name: $0, isCritical: sound.isCritical, volume: sound.volume)
                }
            })
    }

    package static let record = Record<NotificationSound>(
        union: "kind",
        [
            kindCase(
                "default", Fields.loudness, source: { _ in .standard },
                name: { $0 == .standard ? "" : nil }),
            kindCase(
                "ringtone", Fields.loudness, source: { _ in .ringtone },
                name: { $0 == .ringtone ? "" : nil }),
            kindCase(
                "named", Fields.all, source: { .named($0) },
                name: { if case .named(let name) = $0 { name } else { nil } }),
            kindCase(
                "ringtoneNamed", Fields.all, source: { .ringtoneNamed($0) },
                name: { if case .ringtoneNamed(let name) = $0 { name } else { nil } }),
        ]
    ) { NotificationSound(.standard) }
}

// MARK: - Triggers

extension NotificationTrigger {
    private struct Interval: Sendable {
        var seconds = 0.0
        var repeats = false
    }

    private struct Calendar: Sendable {
        var components = CalendarComponents()
        var repeats = false
    }

    private struct Region: Sendable {
        var region = NotificationRegion(
            identifier: "", latitude: 0, longitude: 0, radius: 0, onEntry: false, onExit: false)
        var repeats = false
    }

    package static let record = Record<NotificationTrigger>(
        union: "kind",
        [
            Case(
                "interval",
                [
                    Field(required: "seconds", \.seconds).limited(to: Limits.interval),
                    Field("repeats", \.repeats, false),
                ],
                of: Interval(), embed: { .interval(seconds: $0.seconds, repeats: $0.repeats) },
                extract: {
                    guard case .interval(let seconds, let repeats) = $0 else { return nil }
                    return Interval(seconds: seconds, repeats: repeats)
                },
                check: { interval, subject throws(NotificationError) in
                    guard interval.repeats else { return }
                    try Limits.repeatedInterval.check(interval.seconds, of: subject())
                }),
            Case(
                "at", [Field(required: "date", \.self).limited(to: Limits.date)],
                of: Instant(microseconds: 0), embed: { .at($0) },
                extract: { if case .at(let date) = $0 { date } else { nil } }),
            Case(
                "calendar",
                [
                    Field(required: "components", \.components) { CalendarComponents.record },
                    Field("calendar", \.components.calendar).rare,
                    Field("timeZone", \.components.timeZone),
                    Field("repeats", \.repeats, false),
                ], of: Calendar(), embed: { .calendar($0.components, repeats: $0.repeats) },
                extract: {
                    guard case .calendar(let components, let repeats) = $0 else { return nil }
                    return Calendar(components: components, repeats: repeats)
                }),
            Case(
                "rule", NotificationRule.fields, of: NotificationRule(""), embed: { .rule($0) },
                extract: { if case .rule(let rule) = $0 { rule } else { nil } }),
            Case(
                "region",
                [
                    Field(inline: NotificationRegion.fields, \.region),
                    Field("repeats", \.repeats, false),
                ], of: Region(), embed: { .region($0.region, repeats: $0.repeats) },
                extract: {
                    guard case .region(let region, let repeats) = $0 else { return nil }
                    return Region(region: region, repeats: repeats)
                }),
            Case("push", .push),
        ]
    ) { .push }
}

extension NotificationRule {
    /// A rule without its trigger, for the archives of apps.
    package static let record = Record(fields) { NotificationRule("") }

    static let fields: [Field<NotificationRule>] = [
        Field(required: "rule", \.text).limited(to: Limits.ruleText),
        Field("timeZone", \.timeZone),
        Field("until", \.until).limited(to: Limits.date),
        Field("count", \.count).limited(to: Limits.ruleCount),
    ]
}

extension NotificationRegion {
    static let fields = FieldTable<NotificationRegion>([
        Field("identifier", \.identifier, ""),
        Field(required: "latitude", \.latitude),
        Field(required: "longitude", \.longitude),
        Field(required: "radius", \.radius),
        Field("onEntry", \.onEntry, false),
        Field("onExit", \.onExit, false),
    ])
}

extension CalendarComponents {
    /// The components that are numbers (such as the hour), `isLeapMonth`, and the rules for weeks.
    ///
    /// The calendar and the time zone are fields of the trigger.
    static let record = Record<CalendarComponents>(
        fields.map { Field($0.name, $0.path) } + [
            Field("isLeapMonth", \.isLeapMonth),
            Field("firstWeekday", \.firstWeekday),
            Field("minimumDaysInFirstWeek", \.minimumDaysInFirstWeek),
        ]
    ) { CalendarComponents() }
}

extension NotificationCategory {
    package static let record = Record<NotificationCategory>([
        Field(required: "id", \.identifier),
        Field("actions", \.actions) { NotificationAction.record }.limited(to: Limits.actions),
        Field("intents", \.intentIdentifiers, []),
        Field("options", \.options, []),
        Field("hiddenPreviewsBodyPlaceholder", \.hiddenPreviewsBodyPlaceholder, ""),
        Field("summaryFormat", \.summaryFormat, ""),
    ]) { NotificationCategory(identifier: "") }
}

extension NotificationAction {
    package static let record = Record<NotificationAction>([
        Field(required: "id", \.identifier),
        Field("title", \.title, ""),
        Field("options", \.options, []),
        Field("icon", \.icon),
        Field("textInput", \.textInput) { TextInput.record },
        Field("snooze", \.snooze).limited(to: Limits.interval),
    ]) { NotificationAction(identifier: "", title: "") }
}

extension NotificationAction.TextInput {
    static let record = Record<NotificationAction.TextInput>([
        Field("buttonTitle", \.buttonTitle, ""),
        Field("placeholder", \.placeholder, ""),
    ]) { NotificationAction.TextInput(buttonTitle: "", placeholder: "") }
}

extension NotificationCategory.Options: RecordScalar {}
extension NotificationAction.Options: RecordScalar {}
