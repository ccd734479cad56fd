import NotificationModel
internal import NotificationStore

/// What the engine knows of one app, beside what is in flight.
struct App: Hashable {
    let id: ApplicationID
    /// What it said of itself when it connected.
    var identity: ApplicationIdentity?
    /// What its desktop file says, where it did not name one itself.
    var desktopFile: ApplicationIdentity?
    var categories: [String: NotificationCategory] = [:]
    var permission: PermissionMachine
    /// When the user wants to see its texts, as it is recorded here.
    var previewsRecord: ShowPreviews?
    /// How it is started where it has no desktop file.
    var launchCommand: LaunchCommand?

    init(_ id: ApplicationID) {
        self.id = id
        permission = PermissionMachine(id)
    }

    /// What it said of itself, completed by its desktop file where it did not name that.
    var knownIdentity: ApplicationIdentity? {
        guard let desktopFile, var known = identity, !known.hasDesktopEntry else {
            return identity ?? desktopFile
        }
        known.hasDesktopEntry = true
        known.name = desktopFile.name
        known.icon = desktopFile.icon
        if known.usageDescription.isEmpty { known.usageDescription = desktopFile.usageDescription }
        return known
    }

    /// The identity with which its popups are shown; one that never connected and has no desktop file
    /// has only an id.
    var shownIdentity: ApplicationIdentity {
        knownIdentity
            ?? ApplicationIdentity(
                id: id, name: id.rawValue.split(separator: ".").last.map(String.init) ?? "")
    }

    /// When the texts of its notifications are shown.
    ///
    /// The desktop's own setting counts before our record, as a user sees it there; "never" is in
    /// none of them.
    var previews: ShowPreviews {
        if previewsRecord == .never { return .never }
        if let shows = permission.desktop?.showsTextsWhileLocked {
            return shows ? .always : .whenAuthenticated
        }
        return previewsRecord ?? .whenAuthenticated
    }

    /// Whether a desktop can have a switch for it: it lists apps by their desktop files.
    ///
    /// Of one that never connected it is assumed.
    var mayHaveSwitch: Bool { knownIdentity?.hasDesktopEntry ?? true }

    /// Whether the user may want to decide about it: it connected once, or was decided about.
    var isOfInterest: Bool {
        identity != nil || permission.record != nil || permission.desktop?.isOn == false
    }

    /// Its identity, as that of an app that has to ask; nil where that is known, and its permission.
    var identityToAsk: ApplicationIdentity? {
        guard identity?.needsPermission != true || permission.record == nil else { return nil }
        var application = shownIdentity
        application.needsPermission = true
        return application
    }

    /// The permission that it is to have as it connects, where it has to be stored.
    var permissionToKeep: Permission? {
        identity?.needsPermission == true && permission.record == nil ? Permission() : nil
    }
}

/// What the store keeps of all apps.
struct StoredApps {
    var identities: [ApplicationID: ApplicationIdentity] = [:]
    var categories: [(app: ApplicationID, category: NotificationCategory)] = []
    var permissions: [ApplicationID: Permission] = [:]
    var toldDesktops: [ApplicationID: [String]] = [:]
    var previews: [ApplicationID: ShowPreviews] = [:]
    var launchCommands: [ApplicationID: LaunchCommand] = [:]
    var held: [HeldResponse] = []
}

extension EngineState {
    /// What is known of an app.
    subscript(app: ApplicationID) -> App { apps[app] ?? App(app) }

    /// Changes what is known of an app; one of which nothing is known is not kept.
    mutating func change<Result>(
        _ app: ApplicationID, _ body: (inout App) -> Result
    ) -> Result {
        defer { if apps[app] == App(app) { apps[app] = nil } }
        return body(&apps[app, default: App(app)])
    }

    /// What the store keeps of the apps is read.
    ///
    /// Identities and categories of connected apps may be newer than their commit.
    mutating func load(_ stored: StoredApps) {
        lock.load(stored.held)
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
                $0.previewsRecord = stored.previews[app]
                $0.launchCommand = stored.launchCommands[app]?.checked
            }
        }
    }

    /// Nothing is known any more of an app that does not exist under this id.
    mutating func forget(_ app: ApplicationID) {
        let desktopFile = self[app].desktopFile
        apps[app] = nil
        change(app) { $0.desktopFile = desktopFile }
    }

    /// The category by which a notification is shown and answered, its own buttons included.
    func category(of notification: DeliveredNotification) -> NotificationCategory? {
        let content = notification.request.content
        return content.category(
            over: self[notification.app].categories[content.categoryIdentifier])
    }

    /// The action of this identifier on a notification.
    func action(
        _ identifier: String, of notification: DeliveredNotification
    ) -> NotificationAction? {
        category(of: notification)?.actions.first { $0.identifier == identifier }
    }

    // MARK: Permission

    /// Why an app may not notify, or nil where it may.
    func refusal(of app: ApplicationID) -> NotificationError? {
        self[app].permission.refusal(isEmbedded: isEmbedded)
    }

    /// Tells the permission of an app of an event.
    mutating func permission(
        of app: ApplicationID, _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect] {
        let effects = change(app) { event(&$0.permission) }
        asking[app] = self[app].permission.question?.token
        return effects.flatMap { effect -> [EngineEffect] in
            switch effect {
            // The popup of a question takes its place in the app's lane, and leaves it unseen.
            case .present(let presentations): return present(presentations)
            case .withdraw(let key):
                return [effect] + perform(queue.remove(Set([queue.unsent(key)].compactMap(\.self))))
            default: return [effect]
            }
        }
    }

    /// The same for the app whose question has this token; nil for the token of something else.
    mutating func permission(
        asking token: UInt64, _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect]? {
        asking.first { $0.value == token }.map { permission(of: $0.key, event) }
    }

    /// The same for all apps with a question, in the order in which they were asked.
    mutating func permissions(
        _ event: (inout PermissionMachine) -> [EngineEffect]
    ) -> [EngineEffect] {
        asking.sorted { $0.value < $1.value }.flatMap { permission(of: $0.key, event) }
    }

    /// The apps whose switches matter, by their ids.
    var appsWithSwitches: [ApplicationID] {
        let decided = apps.values.filter { $0.permission.record != nil }.map(\.id)
        return Set(decided).union(sessions.values.map(\.app)).filter { self[$0].mayHaveSwitch }
            .sorted { $0.rawValue < $1.rawValue }
    }
}
