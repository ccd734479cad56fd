package import NotificationModel

/// Makes random values of the model; the same seed gives the same values.
///
/// It owns a seeded source of random numbers.
///
/// It promises extreme numbers and hostile texts among the values.
///
/// It never reads a clock.
package struct ModelGenerator {
    private var random: SeededGenerator

    package init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    package mutating func flag() -> Bool { Bool.random(using: &random) }

    package mutating func number<Value: FixedWidthInteger>(_ range: ClosedRange<Value>) -> Value {
        Value.random(in: range, using: &random)
    }

    private mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        flag() ? make(&self) : nil
    }

    private mutating func list<Value>(_ make: (inout Self) -> Value) -> [Value] {
        (0..<number(0...3)).map { _ in make(&self) }
    }

    package mutating func text() -> String {
        let words = ["", "a", "Tüü", "日本", "👩‍👩‍👧", "line\nfeed", "\"<&>'", "\u{1}\u{7F}", "\u{FEFF}x"]
        return (0..<number(0...2)).map { _ in words[number(0...words.count - 1)] }.joined()
    }

    private mutating func real() -> Double {
        [0, -0.0, 0.5, 1, .infinity, .leastNonzeroMagnitude, -1e300][number(0...6)]
    }

    package mutating func instant() -> Instant {
        [
            Instant(microseconds: .min), Instant(microseconds: .max), Instant(microseconds: 0),
            Instant(microseconds: number(-1_000_000...4_000_000_000_000_000)),
        ][number(0...3)]
    }

    // A date outside of the years 0 to 9999 has no nanoseconds in JSON.
    private mutating func date() -> PropertyListValue {
        let date = instant()
        return .date(date, nanoseconds: date.isUsable ? number(0...999) : 0)
    }

    package mutating func propertyList(depth: Int) -> PropertyListValue {
        switch number(0...(depth > 0 ? 7 : 5)) {
        case 0: .string(text())
        case 1: .integer(number(.min ... .max))
        case 2: .real(real())
        case 3: .boolean(flag())
        case 4: date()
        case 5: .data((0..<number(0...9)).map { _ in number(0...255) })
        case 6: .array(list { $0.propertyList(depth: depth - 1) })
        default: .dictionary(dictionary(depth: depth - 1))
        }
    }

    private mutating func dictionary(depth: Int) -> [String: PropertyListValue] {
        Dictionary(
            list { ($0.text(), $0.propertyList(depth: depth)) }, uniquingKeysWith: { $1 })
    }

    private mutating func sound() -> NotificationSound {
        let sources: [NotificationSound.Source] = [
            .standard, .ringtone, .named(text()), .ringtoneNamed(text()),
        ]
        return NotificationSound(
            sources[number(0...3)], isCritical: flag(),
            volume: maybe { Float($0.number(0...100) as Int) / 7 })
    }

    private mutating func desktop() -> DesktopOptions {
        var options = DesktopOptions()
        options.icon = maybe { $0.text() }
        options.expireTimeout = maybe { $0.number(.min ... .max) }
        options.category = maybe { $0.text() }
        options.urgency = maybe { $0.number(0...255) }
        options.isTransient = flag()
        options.requiresServer = flag()
        options.offersClick = maybe { $0.flag() }
        let hints: [DesktopOptions.Hint] = [
            .boolean(flag()), .byte(number(0...255)), .integer(number(.min ... .max)),
            .double(real()), .string(text()),
        ]
        for hint in hints where flag() { options.hints[text()] = hint }
        return options
    }

    private mutating func localization() -> ContentLocalization? {
        let texts = (0..<3).map { _ in
            maybe { make in
                LocalizedText(key: make.text(), arguments: make.list { $0.text() })
            }
        }
        let localization = ContentLocalization(
            title: texts[0], subtitle: texts[1], body: texts[2])
        return localization.isEmpty ? nil : localization
    }

    private mutating func content() -> NotificationContent {
        var content = NotificationContent(title: text(), body: text())
        content.subtitle = text()
        content.badge = maybe { $0.number(.min ... .max) }
        content.sound = maybe { $0.sound() }
        content.attachments = list {
            NotificationAttachment(
                identifier: $0.text(), path: $0.text(), type: $0.text(),
                options: $0.dictionary(depth: 2))
        }
        content.userInfo = dictionary(depth: 5)
        content.categoryIdentifier = text()
        content.threadIdentifier = text()
        content.launchImageName = text()
        content.targetContentIdentifier = maybe { $0.text() }
        content.interruptionLevel = InterruptionLevel.allCases[number(0...3)]
        content.relevanceScore = real()
        content.filterCriteria = maybe { $0.text() }
        content.progress = maybe { $0.real() }
        content.summaryArgument = text()
        content.summaryArgumentCount = number(0...5)
        content.desktop = maybe { $0.desktop() }
        content.localization = localization()
        content.actions = list { $0.action() }
        content.reportsDismissal = flag()
        return content
    }

    private mutating func trigger() -> NotificationTrigger {
        switch number(0...5) {
        case 0: return .interval(seconds: real(), repeats: flag())
        case 1: return .at(instant())
        case 2: return .push
        case 4:
            return .rule(
                NotificationRule(
                    text(), timeZone: maybe { $0.text() }, until: maybe { $0.instant() },
                    count: maybe { $0.number(.min ... .max) }))
        case 3:
            let region = NotificationRegion(
                identifier: text(), latitude: real(), longitude: real(), radius: real(),
                onEntry: flag(), onExit: flag())
            return .region(region, repeats: flag())
        default:
            var components = CalendarComponents()
            for field in CalendarComponents.fields {
                components[keyPath: field.path] = maybe { $0.number(.min ... .max) }
            }
            components.calendar = maybe { $0.text() }
            components.timeZone = maybe { $0.text() }
            components.isLeapMonth = maybe { $0.flag() }
            components.firstWeekday = maybe { $0.number(.min ... .max) }
            components.minimumDaysInFirstWeek = maybe { $0.number(.min ... .max) }
            return .calendar(components, repeats: flag())
        }
    }

    package mutating func request() -> NotificationRequest {
        var request = NotificationRequest(
            identifier: text(), content: content(), trigger: maybe { $0.trigger() })
        request.catchUp = flag() ? .skip : .once
        request.grace = maybe { $0.real() }
        return request
    }

    private mutating func action() -> NotificationAction {
        NotificationAction(
            identifier: text(), title: text(), options: .init(rawValue: number(0 ... .max)),
            icon: maybe { $0.text() },
            textInput: maybe { .init(buttonTitle: $0.text(), placeholder: $0.text()) },
            snooze: maybe { $0.real() })
    }

    package mutating func category() -> NotificationCategory {
        NotificationCategory(
            identifier: text(), actions: list { $0.action() },
            intentIdentifiers: list { $0.text() },
            options: .init(rawValue: number(0 ... .max)),
            hiddenPreviewsBodyPlaceholder: text(), summaryFormat: text())
    }

    package mutating func delivered() -> DeliveredNotification {
        DeliveredNotification(
            app: .tocsin, request: request(), date: instant(), snoozedUntil: maybe { $0.instant() },
            due: maybe { $0.instant() })
    }

    package mutating func pending() -> PendingNotification {
        PendingNotification(
            app: .tocsin, request: request(), state: flag() ? .pending : .presenting,
            nextFire: maybe { $0.instant() }, regular: maybe { $0.instant() })
    }

    package mutating func response() -> NotificationResponse {
        let actions: [NotificationResponse.Action] = [
            .standard, .dismiss, .custom(text()),
            .reply(text(), text: maybe { $0.text() }),
        ]
        return NotificationResponse(
            id: number(.min ... .max), notification: delivered(), action: actions[number(0...3)],
            activationToken: maybe { $0.text() })
    }

    package mutating func identity() -> ApplicationIdentity {
        var identity = ApplicationIdentity(
            id: .tocsin, name: text(), icon: text(), hasDesktopEntry: flag(), executable: text(),
            arguments: list { $0.text() }, directory: text(), usageDescription: text(),
            needsPermission: flag(), resources: maybe { [$0.text(), "a"] })
        identity.startsInBackground = flag()
        identity.locationUsageDescription = text()
        identity.formerID = flag() ? .tocsin : nil
        return identity
    }

    package mutating func permission() -> Permission {
        let statuses = Permission.Status.allCases
        var permission = Permission(
            statuses[number(0...statuses.count - 1)], options: .init(rawValue: number(0...511)))
        permission.location = LocationPermission.allCases[number(0...3)]
        return permission
    }

    package mutating func settings() -> ApplicationSettings {
        var settings = ApplicationSettings(
            permission: maybe { $0.permission() }, presenter: status().presenter,
            showsBadge: flag(), desktop: maybe { $0.appSwitch() })
        settings.playsSounds = flag()
        settings.previews = ShowPreviews.allCases[number(0...2)]
        return settings
    }

    package mutating func appSwitch() -> AppSwitch {
        var value = AppSwitch(desktop: text(), isOn: flag())
        value.showsBanners = maybe { $0.flag() }
        value.playsSounds = maybe { $0.flag() }
        value.showsBadges = maybe { $0.flag() }
        value.isListed = maybe { $0.flag() }
        value.isOnLockScreen = maybe { $0.flag() }
        value.showsTextsWhileLocked = maybe { $0.flag() }
        value.showsCriticalInSilence = maybe { $0.flag() }
        return value
    }

    package mutating func status() -> ServiceStatus {
        var status = ServiceStatus(
            version: text(), hosting: text(), store: text(), pendingCount: number(0...9),
            deliveredCount: number(0...9), responseCount: number(0...9),
            nextFire: maybe { $0.instant() },
            presenter: PresenterStatus(
                isAvailable: flag(), name: text(), vendor: text(), version: text(),
                specification: text(), capabilities: list { $0.text() },
                isInhibited: maybe { $0.flag() }, showsBadges: flag()))
        status.presenter.isPortal = flag()
        status.isStoreFull = flag()
        status.lock = LockStatus(isLocked: flag(), sources: list { $0.text() })
        status.location = flag() ? .available : .noAgent
        status.push = pushStatus()
        return status
    }

    private mutating func pushStatus() -> PushStatus {
        var status = PushStatus()
        status.isSupported = flag()
        status.distributor = text()
        status.version = number(0...9)
        status.chosen = text()
        status.available = list { $0.text() }
        status.appCount = number(0...9)
        status.endpointCount = number(0...9)
        status.unreadableCount = number(0...9)
        status.problem = text()
        return status
    }
}
