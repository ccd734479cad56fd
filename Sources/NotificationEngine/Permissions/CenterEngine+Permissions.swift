internal import Logging
public import NotificationModel
internal import NotificationStore
internal import Reactor

extension CenterEngine {
    /// Returns whether the app may notify; if that is undecided, asks the user.
    ///
    /// - Throws: `noDaemon` if the caller is cancelled or the engine stops. `noServer` if no server
    ///   can ask the user. `serverRefused` if the server refuses the question. `protocolViolation`
    ///   if the dialog's program fails. `limitReached` if the store has too many apps. `noSpace` or
    ///   `storeUnavailable` if the store fails.
    public func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool {
        try await admit(app)
        await refreshDesktopSwitch(of: app)
        let result = try await requestPermission(about: .notifications, options, for: app)
        // Wait until the switch is set, so that a caller that reads the desktop's settings next
        // finds the answer.
        do throws(NotificationError) {
            try await waitForSwitchUpdates(of: app)
        } catch {
            Log.engine.debug("the desktop's switch of \(app) was not set to the user's answer")
        }
        return try result.get()
    }

    /// Returns whether the app may know the location; if that is undecided, asks the user.
    ///
    /// - Throws: The errors of `requestAuthorization(_:for:)`.
    public func requestLocation(
        always: Bool, for app: ApplicationID
    ) async throws(NotificationError) -> LocationPermission {
        try await admit(app)
        let options: Permission.Options = always ? .locationAlways : []
        _ = try await requestPermission(about: .location, options, for: app).get()
        return LocationPermission(state[app].location.record)
    }

    private func requestPermission(
        about subject: PermissionSubject, _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Result<Bool, NotificationError> {
        guard !state.isStopping else { throw Self.stopping }
        let number = state.nextNumber()
        // If the caller has left, do not ask the user.
        guard !Task.isCancelled else { return Self.left }
        let answer = Promise<Result<Bool, NotificationError>>()
        permissionWaiters[number] = answer
        let (token, now) = (state.nextNumber(), clock.now())
        perform(
            state.permission(of: app, about: subject) {
                $0.request(options, by: number, token: token, now: now)
            })
        return await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            onReactor { engine in
                guard let waiter = engine.permissionWaiters.removeValue(forKey: number) else {
                    return
                }
                waiter.fulfill(Self.left)
                engine.perform(
                    engine.state.permission(of: app, about: subject) { $0.endRequest(number) })
            }
        }
    }

    private static let left = Result<Bool, NotificationError>.failure(
        NotificationError(
            .noDaemon,
            "A permission was requested, and the caller was cancelled or left the bus before the "
                + "user answered. Request it again."))

    private static let stopping = NotificationError(
        .noDaemon,
        "A permission was requested while the notification centre was stopping. Request it again.")

    /// The app's permission, and the capabilities of the server.
    ///
    /// - Throws: Nothing; the protocol lets a remote service throw.
    public func settings(
        of app: ApplicationID
    ) async throws(NotificationError) -> ApplicationSettings {
        let presenter = await presenterStatus()
        await refreshDesktopSwitch(of: app)
        let known = state[app]
        var settings = ApplicationSettings(
            permission: known.currentPermission, presenter: presenter,
            showsBadge: presenter.showsBadges && known.shownIdentity.hasDesktopEntry,
            desktop: known.permission.desktop)
        settings.playsSounds = configuration.media != nil
        settings.previews = known.previews
        return settings
    }

    /// The known apps with their permissions, in the order of their ids.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func permissions() async throws(NotificationError) -> [ApplicationPermission] {
        let known = state.apps.values.filter(\.isOfInterest).map(\.id)
        let apps = Set(known).union(try await store.appsWithNotifications())
        return apps.sorted { $0.rawValue < $1.rawValue }.map { app in
            ApplicationPermission(
                app: app, name: identity(of: app)?.name ?? "",
                permission: state[app].currentPermission, previews: state[app].previews)
        }
    }

    /// Makes an app need the user's permission before it notifies.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func requirePermission(of app: ApplicationID) async throws(NotificationError) {
        guard let application = state[app].identityToAsk else { return }
        try await store.save(application, as: AppColumns.identity, of: app)
        state.change(app) { $0.identity = application }
        try await keepPermission(of: app)
    }

    func keepPermission(of app: ApplicationID) async throws(NotificationError) {
        guard let permission = state[app].permissionToKeep else { return }
        try await store.save(permission, of: app)
        state.change(app) { $0.permission.recordStored(permission) }
    }

    /// Records the user's decision about an app, also in the desktop's switch.
    ///
    /// - Throws: `noSettings` or `protocolViolation` if the desktop's switch cannot be set.
    ///   `limitReached` if the store has too many apps. `noSpace` or `storeUnavailable` if the
    ///   store fails.
    public func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        try await admit(app)
        guard decision.isAboutNotifications else {
            return try await decideLocation(decision, for: app)
        }
        _ = await presenterStatus()
        await refreshDesktopSwitch(of: app)
        if decision == .reset {
            try await decideLocation(.reset, for: app)
            try await store.save(nil, as: AppColumns.previews, of: app)
            state.change(app) { $0.previewsRecord = nil }
        }
        // Errors of earlier changes of the switch are not errors of this decision.
        try? await waitForSwitchUpdates(of: app)
        let known = state[app]
        let permission = known.permission.permission(
            after: decision, isNeeded: known.identity?.needsPermission == true)
        try await store.save(permission, of: app)
        permissionSaved(permission, of: app)
        try await waitForSwitchUpdates(of: app)
    }

    private func decideLocation(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        let known = state[app].location
        guard decision != .reset || known.record != nil else { return }
        let permission = known.permission(after: decision, isNeeded: true) ?? Permission()
        try await storeLocation(permission, of: app)
    }

    /// Closes every open question and dialog, as if the user had not answered in time.
    public func withdrawQuestions() async {
        perform(state.permissions { $0.withdraw() })
        // Close all dialogs before the first wait: a dialog program may take two seconds to end.
        for dialog in dialogs.values { dialog.cancel() }
        for dialog in dialogs.values { await dialog.value }
    }

    // MARK: Effects

    func inspectPresenter(for app: ApplicationID, token: UInt64) {
        Task {
            let status = await presenterStatus()
            await refreshDesktopSwitch(of: app)
            let (now, application) = (clock.now(), state[app].shownIdentity)
            let words = PermissionWording.inLanguage(of: configuration.surroundings.languages)
            let effects = state.permission(asking: token) {
                $0.serverInspected(status, application, token: token, now: now, in: words)
            }
            perform((effects ?? []) + [.arm(state.alarms(now: now))])
        }
    }

    func save(_ permission: Permission, _ subject: PermissionSubject, of app: ApplicationID) {
        Task {
            do throws(NotificationError) {
                switch subject {
                case .notifications:
                    try await store.save(permission, of: app)
                    permissionSaved(permission, of: app)
                case .location: try await storeLocation(permission, of: app)
                }
            } catch {
                perform(state.permission(of: app, about: subject) { $0.notSaved(error) })
            }
        }
    }

    private func permissionSaved(
        _ permission: Permission?, about subject: PermissionSubject = .notifications,
        of app: ApplicationID
    ) {
        let (token, now) = (state.nextNumber(), clock.now())
        perform(
            state.permission(of: app, about: subject) {
                $0.permissionSaved(permission, token: token, now: now)
            } + state.locationPermissionChanged(of: app, now: now))
    }

    /// Stores an answer about the location, and then starts or stops watching the app's regions.
    private func storeLocation(
        _ permission: Permission, of app: ApplicationID
    ) async throws(NotificationError) {
        let stored = try await store.save(LocationPermission(permission), of: app)
        // An app without a record may notify. The store has just made a record that says so.
        if state[app].permission.record == nil {
            state.change(app) { $0.permission.recordStored(stored) }
        }
        permissionSaved(permission, about: .location, of: app)
    }

    func answer(_ numbers: [UInt64], _ result: Result<Bool, NotificationError>) {
        for number in numbers {
            permissionWaiters.removeValue(forKey: number)?.fulfill(result)
        }
    }
}

// The desktop's own settings.
extension CenterEngine {
    /// The state of the server, with Do Not Disturb as its desktop reports it.
    func presenterStatus() async -> PresenterStatus {
        var status = await presenter.status()
        guard let preferences = configuration.preferences, !status.name.isEmpty else {
            return status
        }
        await preferences.follow(server: status.name, by: status.vendor) { [weak self] app, value in
            self?.onReactor { $0.switchSeen(value, of: app) }
        }
        if status.isAvailable, status.isInhibited == nil {
            status.isInhibited = await preferences.isSilent()
        }
        return status
    }

    /// Reads the desktop's switch of an app; the read is quick if the switch was read before.
    func refreshDesktopSwitch(of app: ApplicationID) async {
        readDesktopFile(of: app)
        guard let preferences = configuration.preferences, state[app].mayHaveSwitch else { return }
        let value = await preferences.appSwitch(of: app)
        guard value != state[app].permission.desktop else { return }
        switchSeen(value, of: app)
    }

    func switchSeen(_ value: AppSwitch?, of app: ApplicationID) {
        perform(state.permission(of: app) { $0.switchSeen(value) })
    }

    /// Reads the apps' switches after a server was identified, because its desktop may have
    /// switches.
    func refreshDesktop() {
        guard configuration.preferences != nil else { return }
        Task {
            _ = await presenterStatus()
            for app in state.appsWithSwitches { await refreshDesktopSwitch(of: app) }
        }
    }

    /// The shortest time between two openings of an app's settings page, in microseconds.
    ///
    /// An app may call very often, and each opened page is a program outside the app's sandbox.
    private static let settingsPause: Int64 = 1_000_000

    /// Opens the desktop's settings of notifications, at the app's page if the app has a page.
    ///
    /// Another call for the same app within one second opens nothing.
    ///
    /// - Throws: `noSettings` if the desktop is not known, or if its settings cannot be opened.
    public func openNotificationSettings(of app: ApplicationID) async throws(NotificationError) {
        var reason = "this notification centre knows no desktop"
        if let preferences = configuration.preferences {
            let server = await presenterStatus()
            if server.isAvailable { return try await openPage(of: app, in: preferences) }
            reason = "no notification server says which desktop this is"
        }
        throw NotificationError(
            .noSettings,
            "The settings of \(app) cannot be opened: \(reason). Open the desktop's own settings "
                + "of notifications.")
    }

    private func openPage(
        of app: ApplicationID, in preferences: any DesktopPreferences
    ) async throws(NotificationError) {
        let now = clock.now().boot
        openedPages = openedPages.filter { now - $0.value < Self.settingsPause }
        guard openedPages[app] == nil else { return }
        openedPages[app] = now
        do throws(NotificationError) {
            try await preferences.openPage(of: app)
        } catch {
            openedPages[app] = nil
            throw error
        }
    }

    // MARK: Effects

    /// Sets an app's switch, after all earlier changes of the same switch.
    func setDesktopSwitch(_ isOn: Bool, for app: ApplicationID) {
        guard let preferences = configuration.preferences else { return }
        let former = switchUpdates[app]
        switchUpdates[app] = Task {
            _ = await former?.value
            do throws(NotificationError) {
                let value = try await preferences.setDesktopSwitch(isOn, for: app)
                perform(state.permission(of: app) { $0.switchChanged(value) })
                return nil
            } catch {
                Log.engine.warning("the desktop's switch of \(app) was not set: \(error)")
                let value = await preferences.appSwitch(of: app)
                perform(state.permission(of: app) { $0.switchChanged(value) })
                return error
            }
        }
    }

    /// Waits until all changes of an app's switch are made; throws the error of the last change.
    func waitForSwitchUpdates(of app: ApplicationID) async throws(NotificationError) {
        var failure: NotificationError?
        while let update = switchUpdates[app] {
            failure = await update.value
            if switchUpdates[app] == update { switchUpdates[app] = nil }
        }
        if let failure { throw failure }
    }

    func noteDenial(of app: ApplicationID, on desktop: String) {
        let former = switchUpdates[app]
        switchUpdates[app] = Task {
            let failure = await former?.value
            do throws(NotificationError) {
                try await store.saveDenial(of: app, on: desktop)
            } catch {
                Log.engine.warning("the denial of \(app) on \(desktop) was not stored: \(error)")
            }
            // This task does not change the switch, so the error of the last change still counts.
            return failure
        }
    }
}
