import NotificationModel
internal import NotificationStore

/// The values that the engine knows about one app, without the app's deliveries.
struct App: Hashable {
    let id: ApplicationID
    /// The identity that the app stated when it connected.
    var identity: ApplicationIdentity?
    /// The identity from the app's desktop file.
    ///
    /// The engine reads the desktop file only if the app did not name the file itself.
    var desktopFile: ApplicationIdentity?
    var categories: [String: NotificationCategory] = [:]
    var permission: PermissionMachine
    /// Decides whether the app may know where the device is.
    var location: PermissionMachine
    /// The user's recorded choice of when the app's texts are shown.
    var previewsRecord: ShowPreviews?
    /// The command that starts the app without a desktop file.
    var launchCommand: LaunchCommand?

    init(_ id: ApplicationID) {
        self.id = id
        permission = PermissionMachine(id)
        location = PermissionMachine(id, about: .location)
    }

    subscript(subject: PermissionSubject) -> PermissionMachine {
        get { subject == .location ? location : permission }
        set {
            switch subject {
            case .notifications: permission = newValue
            case .location: location = newValue
            }
        }
    }

    /// Whether the app may notify and know the location; nil if the app needs no permission.
    var currentPermission: Permission? {
        var current = permission.current
        current?.location = LocationPermission(location.record)
        return current
    }

    /// Whether the app may know the location: it needs no permission, or the user has allowed it.
    var mayKnowLocation: Bool {
        permission.record == nil || LocationPermission(location.record).allows
    }

    /// The identity that the app stated, or else the identity from its desktop file.
    ///
    /// The desktop file completes a stated identity that names no desktop file.
    var knownIdentity: ApplicationIdentity? {
        guard let desktopFile, var known = identity, !known.hasDesktopEntry else {
            return identity ?? desktopFile
        }
        known.hasDesktopEntry = true
        known.name = desktopFile.name
        known.icon = desktopFile.icon
        if known.usageDescription.isEmpty { known.usageDescription = desktopFile.usageDescription }
        if known.locationUsageDescription.isEmpty {
            known.locationUsageDescription = desktopFile.locationUsageDescription
        }
        return known
    }

    /// The identity with which the app's popups are shown.
    ///
    /// An app that never connected and has no desktop file has only an id.
    var shownIdentity: ApplicationIdentity {
        knownIdentity
            ?? ApplicationIdentity(
                id: id, name: id.rawValue.split(separator: ".").last.map(String.init) ?? "")
    }

    /// When the texts of the app's notifications are shown.
    ///
    /// The desktop's own setting overrules our record, because the user sees the desktop's setting.
    /// But a recorded "never" counts, because no desktop offers this choice.
    var previews: ShowPreviews {
        if previewsRecord == .never { return .never }
        if let shows = permission.desktop?.showsTextsWhileLocked {
            return shows ? .always : .whenAuthenticated
        }
        return previewsRecord ?? .whenAuthenticated
    }

    /// Whether a desktop can have a switch for the app: desktops list apps by their desktop files.
    ///
    /// An app that never connected is assumed to have a desktop file.
    var mayHaveSwitch: Bool { knownIdentity?.hasDesktopEntry ?? true }

    /// Whether the list of permissions includes the app even without a notification.
    ///
    /// This is true if the app has connected before, has a permission, or is off on the desktop.
    /// The list includes every app with a pending or delivered notification.
    var isOfInterest: Bool {
        identity != nil || permission.record != nil || permission.desktop?.isOn == false
    }

    /// The app's identity, changed so that the app needs permission.
    ///
    /// It is nil if the app already needs permission and a permission is recorded.
    var identityToAsk: ApplicationIdentity? {
        guard identity?.needsPermission != true || permission.record == nil else { return nil }
        var application = shownIdentity
        application.needsPermission = true
        return application
    }

    /// The undecided permission to store when the app connects.
    ///
    /// It is nil if the app needs no permission, or if a permission is already recorded.
    var permissionToKeep: Permission? {
        identity?.needsPermission == true && permission.record == nil ? Permission() : nil
    }
}

struct AskedPermission: Hashable {
    var app: ApplicationID
    var subject: PermissionSubject
}

extension EngineState {
    subscript(app: ApplicationID) -> App { apps[app] ?? App(app) }

    /// Changes the known values of an app, and drops an app that has no values any more.
    mutating func change<Result>(
        _ app: ApplicationID, _ body: (inout App) -> Result
    ) -> Result {
        defer { if apps[app] == App(app) { apps[app] = nil } }
        return body(&apps[app, default: App(app)])
    }

    /// Takes the stored values of the apps.
    ///
    /// Identities and categories that are known, but not stored yet, remain.
    mutating func load(_ stored: StoredApps) {
        lock.load(stored.deferred)
        for (app, category) in stored.categories {
            change(app) { $0.categories[category.identifier] = category }
        }
        let named = [
            Set(apps.keys), Set(stored.identities.keys), Set(stored.permissions.keys),
            Set(stored.toldDesktops.keys), Set(stored.previews.keys),
            Set(stored.launchCommands.keys),
        ]
        for app in named.reduce(into: Set(), { $0.formUnion($1) }) {
            change(app) {
                $0.identity = stored.identities[app] ?? $0.identity
                $0.permission.load(
                    stored.permissions[app], toldDesktops: stored.toldDesktops[app] ?? [])
                $0.location.load(stored.permissions[app]?.location.record, toldDesktops: [])
                $0.previewsRecord = stored.previews[app]
                $0.launchCommand = stored.launchCommands[app]?.checked
            }
        }
    }

    /// Forgets all values of an app except its desktop file.
    mutating func forget(_ app: ApplicationID) {
        let desktopFile = self[app].desktopFile
        geofences.disarm(app)
        apps[app] = nil
        unstoredBadges[app] = nil
        change(app) { $0.desktopFile = desktopFile }
    }

    /// The category of a notification, with the buttons of the notification itself.
    func category(of notification: DeliveredNotification) -> NotificationCategory? {
        let content = notification.request.content
        return content.category(
            over: self[notification.app].categories[content.categoryIdentifier])
    }

    func action(
        _ identifier: String, of notification: DeliveredNotification
    ) -> NotificationAction? {
        category(of: notification)?.actions.first { $0.identifier == identifier }
    }

    // MARK: Permission

    func refusal(of app: ApplicationID) -> NotificationError? {
        self[app].permission.refusal(isEmbedded: isEmbedded)
    }

    mutating func permission(
        of app: ApplicationID, about subject: PermissionSubject = .notifications,
        _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect] {
        let effects = change(app) { event(&$0[subject]) }
        asking[AskedPermission(app: app, subject: subject)] = self[app][subject].question?.token
        return effects.flatMap { effect -> [EngineEffect] in
            switch effect {
            case .present(let presentations): return present(presentations)
            // The popup of a question may still wait in the app's queue, so remove it there too.
            case .withdraw(let key):
                let unsent = Set([queue.unsent(key)].compactMap(\.self))
                return [effect] + queue.remove(unsent)
            default: return [effect]
            }
        }
    }

    /// Passes an event to the permission whose question has this token.
    ///
    /// Returns nil if no question has the token.
    mutating func permission(
        asking token: UInt64, _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect]? {
        asking.first { $0.value == token }.map {
            permission(of: $0.key.app, about: $0.key.subject, event)
        }
    }

    /// Passes an event to all permissions with a question, in the order of the questions.
    mutating func permissions(
        _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect] {
        asking.sorted { $0.value < $1.value }.flatMap {
            permission(of: $0.key.app, about: $0.key.subject, event)
        }
    }

    /// The apps that have a session or a permission record, and may have a desktop switch.
    ///
    /// They are in the order of their ids.
    var appsWithSwitches: [ApplicationID] {
        let decided = apps.values.filter { $0.permission.record != nil }.map(\.id)
        return Set(decided).union(sessions.values.map(\.app)).filter { self[$0].mayHaveSwitch }
            .sorted { $0.rawValue < $1.rawValue }
    }
}
