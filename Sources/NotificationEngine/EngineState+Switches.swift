import NotificationModel

/// The desktop's own switches of apps: where there is one, it alone says whether an app may notify.
///
/// What the person answers here is written there. Our record serves on: for an app that nobody was
/// asked about, on a desktop without switches, and on another desktop of the same person.
extension EngineState {
    /// Whether an app may notify, by the person's answer and the desktop's switch.
    func permission(of app: ApplicationID) -> Permission? {
        guard let value = switches[app] else { return permissions[app] }
        guard value.isOn else {
            return Permission(.denied, options: permissions[app]?.options ?? [])
        }
        return isAllowedAgain(app) ? permission(of: app, after: .allow) : permissions[app]
    }

    /// Whether a person has turned an app on there that was turned off because it is denied here.
    private func isAllowedAgain(_ app: ApplicationID) -> Bool {
        guard let value = switches[app], value.isOn, permissions[app]?.status == .denied else {
            return false
        }
        return toldDesktops[app]?.contains(value.desktop) ?? false
    }

    /// Whether a desktop can have a switch for an app: it lists apps by their desktop files.
    ///
    /// Of one that never connected it is assumed.
    func mayHaveSwitch(_ app: ApplicationID) -> Bool {
        knownIdentity(of: app)?.hasDesktopEntry ?? true
    }

    /// Why the desktop's switch does not let an app notify, or nil where it does.
    func desktopRefusal(of app: ApplicationID) -> NotificationError? {
        guard let value = switches[app], !value.isOn else { return nil }
        // The tool reaches the daemon's store only.
        let remedy = isEmbedded ? "there" : "there or with 'tocsin settings \(app) --allow'"
        return NotificationError(
            .notAllowed,
            "\(app) may not notify: its notifications are turned off in the settings of "
                + "\(value.desktop). Only the person can change that, \(remedy).")
    }

    /// What the desktop's switch lets an app do besides its banners, which the server decides about.
    func desktopOptions(of app: ApplicationID) -> PresentationOptions {
        var options: PresentationOptions = .all
        if switches[app]?.playsSounds == false { options.remove(.sound) }
        if switches[app]?.showsBadges == false { options.remove(.badge) }
        return options
    }

    /// The apps whose switches matter, by their ids.
    var appsWithSwitches: [ApplicationID] {
        Set(permissions.keys).union(sessions.values.map(\.app)).filter(mayHaveSwitch)
            .sorted { $0.rawValue < $1.rawValue }
    }

    /// The desktop has said how an app's switch is; nil where it has none for it.
    mutating func switchSeen(_ value: AppSwitch?, of app: ApplicationID) -> [EngineEffect] {
        switches[app] = value
        guard let value else { return [] }
        let isTold = toldDesktops[app]?.contains(value.desktop) ?? false
        switch (permissions[app]?.status == .denied, value.isOn, isTold) {
        case (true, true, true):
            return permission(of: app, after: .allow).map { [.savePermission(app, $0)] } ?? []
        case (true, true, false):
            // The person's answer is older than this desktop, or than its switch.
            return [.turnSwitch(app, isOn: false)]
        case (true, false, false): return noteDenial(of: app, on: value.desktop)
        case (_, false, _): return endQuestion(of: app)
        case (false, true, _), (true, true, _): return []
        }
    }

    /// A person who turns an app off has answered its question.
    private mutating func endQuestion(of app: ApplicationID) -> [EngineEffect] {
        guard let question = questions[app], question.stage != .saving else { return [] }
        return end(app, with: .success(false))
    }

    private mutating func noteDenial(
        of app: ApplicationID, on desktop: String
    ) -> [EngineEffect] {
        toldDesktops[app, default: []].insert(desktop)
        return [.noteDenial(app, desktop: desktop)]
    }

    /// A decision about an app has to be seen in the desktop's switch, too.
    mutating func switchTurn(
        after permission: Permission?, of app: ApplicationID
    ) -> [EngineEffect] {
        let isDenied = permission?.status == .denied
        if !isDenied { toldDesktops[app] = nil }
        guard let value = switches[app], value.isOn == isDenied else {
            return isDenied ? switchSeen(switches[app], of: app) : []
        }
        // At once, so that who waits for the decision is not answered from before it.
        switches[app]?.isOn = !isDenied
        return [.turnSwitch(app, isOn: !isDenied)]
    }

    /// A switch was turned, and this is how the desktop says it is now; or it could not be.
    mutating func switchTurned(_ value: AppSwitch?, of app: ApplicationID) -> [EngineEffect] {
        switches[app] = value
        guard let value, !value.isOn, permissions[app]?.status == .denied,
            toldDesktops[app]?.contains(value.desktop) != true
        else { return [] }
        return noteDenial(of: app, on: value.desktop)
    }
}
