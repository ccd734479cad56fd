package import NotificationModel

// Values of the model in which every field differs from its default. Tests use them to find code
// that forgets a field. `EveryFieldTests` names a field that is missing here.

extension NotificationContent {
    /// Content with a value in every field.
    package static var everyField: NotificationContent {
        var content = NotificationContent(title: "Title", body: "Body")
        content.subtitle = "Subtitle"
        content.badge = 3
        content.sound = .everyField
        content.attachments = [
            NotificationAttachment(
                identifier: "a", path: "/a.png", type: "public.png",
                options: ["hidden": .boolean(true)])
        ]
        content.userInfo = [
            "text": .string("ü"), "whole": .integer(.min), "real": .real(2.5),
            "flag": .boolean(true), "date": .date(Instant(microseconds: 1_795_262_400_123_456)),
            "data": .data([0, 1, 255]), "empty": .dictionary([:]),
            "list": .array([.string("v"), .array([.dictionary(["deep": .integer(1)])])]),
        ]
        content.categoryIdentifier = "category"
        content.actions = [.everyField]
        content.reportsDismissal = true
        content.threadIdentifier = "thread"
        content.launchImageName = "launch"
        content.targetContentIdentifier = "window"
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.75
        content.filterCriteria = "work"
        content.progress = 0.25
        content.summaryArgument = "Anna"
        content.summaryArgumentCount = 2
        content.localization = .everyField
        content.desktop = .everyField
        return content
    }
}

extension NotificationSound {
    /// A sound with every property.
    package static var everyField: NotificationSound {
        NotificationSound(.named("bell"), isCritical: true, volume: 0.5)
    }
}

extension NotificationAction {
    /// A button with every property.
    package static var everyField: NotificationAction {
        NotificationAction(
            identifier: "go", title: "Go", options: [.destructive, .foreground], icon: "go-up",
            textInput: .init(buttonTitle: "Send", placeholder: "Your answer"), snooze: 600.5)
    }
}

extension ContentLocalization {
    /// A key for every text.
    package static var everyField: ContentLocalization {
        let text = LocalizedText(key: "KEY", arguments: ["first", "second"])
        return ContentLocalization(title: text, subtitle: text, body: text)
    }
}

extension DesktopOptions {
    /// Options with every field set, and a hint of every type.
    package static var everyField: DesktopOptions {
        var options = DesktopOptions()
        options.icon = "icon"
        options.expireTimeout = 1_234
        options.category = "email.arrived"
        options.urgency = 2
        options.isTransient = true
        options.requiresServer = true
        options.offersClick = false
        options.hints = [
            "x-flag": .boolean(true), "x-byte": .byte(3), "x-whole": .integer(-4),
            "x-real": .double(0.5), "x-text": .string("six"),
        ]
        return options
    }
}

extension NotificationTrigger {
    /// One trigger of each kind, with a value in every property.
    package static var everyKind: [NotificationTrigger] {
        var components = CalendarComponents()
        for field in CalendarComponents.fields { components[keyPath: field.path] = 1 }
        (components.calendar, components.timeZone) = ("gregorian", "UTC")
        components.isLeapMonth = false
        (components.firstWeekday, components.minimumDaysInFirstWeek) = (2, 4)
        let later = Instant(microseconds: 4_000_000_000_000_000)
        let region = NotificationRegion(
            identifier: "home", latitude: 1.5, longitude: 2, radius: 3, onEntry: true, onExit: true)
        return [
            .interval(seconds: 60.5, repeats: true), .at(later),
            .calendar(components, repeats: true),
            .rule(NotificationRule("day at 9:00", timeZone: "UTC", until: later, count: 3)),
            .region(region, repeats: true), .push,
        ]
    }
}

extension NotificationRequest {
    /// One request for each kind of trigger, with a value in every field.
    package static var everyField: [NotificationRequest] {
        NotificationTrigger.everyKind.enumerated().map { index, trigger in
            var request = NotificationRequest(
                identifier: "r\(index)", content: .everyField, trigger: trigger)
            (request.catchUp, request.grace) = (.skip, 90)
            return request
        }
    }
}

extension NotificationCategory {
    /// A category with a value in every field.
    package static var everyField: NotificationCategory {
        NotificationCategory(
            identifier: "category", actions: [.everyField], intentIdentifiers: ["intent"],
            options: .customDismissAction, hiddenPreviewsBodyPlaceholder: "%u", summaryFormat: "%@")
    }
}

extension ApplicationIdentity {
    /// An app's identity with a value in every field.
    package static var everyField: ApplicationIdentity {
        var identity = ApplicationIdentity(
            id: .tocsin, name: "Name", icon: "icon", hasDesktopEntry: true, executable: "/e",
            arguments: ["-a"], directory: "/d", usageDescription: "Usage", needsPermission: true,
            resources: ["/r"])
        identity.startsInBackground = true
        identity.locationUsageDescription = "Location"
        identity.formerID = .tocsin
        return identity
    }
}

extension PresenterStatus {
    /// A server's status with a value in every field.
    package static var everyField: PresenterStatus {
        var presenter = PresenterStatus(
            isAvailable: true, name: "server", vendor: "vendor", version: "1.2",
            specification: "1.2", capabilities: ["body", "actions"], isInhibited: true,
            showsBadges: true)
        presenter.isPortal = true
        return presenter
    }
}

extension ServiceStatus {
    /// A service's status with a value in every field.
    package static var everyField: ServiceStatus {
        var status = ServiceStatus(
            version: "1", hosting: "daemon", store: "/s", pendingCount: 1, deliveredCount: 2,
            responseCount: 3, nextFire: Instant(microseconds: 4), presenter: .everyField)
        status.isStoreFull = true
        status.lock = LockStatus(isLocked: true, sources: ["org.example.Locker"])
        status.location = .available
        status.push = .everyField
        return status
    }
}

extension PushStatus {
    /// The state of a push connector, with a value in every field.
    package static var everyField: PushStatus {
        var status = PushStatus()
        status.isSupported = true
        status.distributor = "kde"
        status.version = 2
        status.chosen = "kde"
        status.available = ["kde", "ntfy"]
        status.appCount = 3
        status.endpointCount = 2
        status.unreadableCount = 1
        status.problem = "It has no network."
        return status
    }
}

extension AppSwitch {
    /// A desktop's switch for an app, with a value in every field.
    package static var everyField: AppSwitch {
        var value = AppSwitch(desktop: "Desktop", isOn: true)
        value.showsBanners = true
        value.playsSounds = false
        value.showsBadges = true
        value.isListed = false
        value.isOnLockScreen = true
        value.showsTextsWhileLocked = false
        value.showsCriticalInSilence = true
        return value
    }
}

extension ApplicationSettings {
    /// Settings with a value in every field.
    package static var everyField: ApplicationSettings {
        var settings = ApplicationSettings(
            permission: Permission(.authorized, options: .all), presenter: .everyField,
            showsBadge: true, desktop: .everyField)
        settings.playsSounds = true
        settings.previews = .never
        settings.permission?.location = .always
        return settings
    }
}
