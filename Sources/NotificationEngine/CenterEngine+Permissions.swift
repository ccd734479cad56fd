internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Asks the person whether the app may notify, unless that is decided.
    public func requestAuthorization(
        _ options: Permission.Options, for app: ApplicationID
    ) async throws(NotificationError) -> Bool {
        try await admit(app)
        await lookAtSwitch(of: app)
        guard !state.isStopping else { throw Self.stopping }
        let number = state.nextNumber()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancelled before it asked: the handler below found nobody.
                guard !Task.isCancelled else { return continuation.resume(returning: Self.left) }
                permissionWaiters[number] = continuation
                perform(state.permissionRequested(options, for: app, by: number, now: clock.now()))
            }
        } onCancel: {
            enter { engine in
                guard let waiter = engine.permissionWaiters.removeValue(forKey: number) else {
                    return
                }
                waiter.resume(returning: Self.left)
                engine.perform(engine.state.permissionRequestEnded(number, for: app))
            }
        }
        // Who looks into the desktop's settings then finds the answer there.
        do throws(NotificationError) {
            try await waitForTurns(of: app)
        } catch {
            Log.engine.debug("\(app) has its answer, which the desktop was not told")
        }
        return try result.get()
    }

    private static let left = Result<Bool, NotificationError>.failure(
        NotificationError(
            .noDaemon,
            "Permission to notify was requested, and the caller was cancelled or left the bus "
                + "before the user answered. Request it again."))

    private static let stopping = NotificationError(
        .noDaemon,
        "Permission to notify was requested while the notification centre ends. Request it again.")

    /// How an app may notify, and what the server can do.
    public func settings(
        of app: ApplicationID
    ) async throws(NotificationError) -> ApplicationSettings {
        let presenter = await presenterStatus()
        await lookAtSwitch(of: app)
        var settings = ApplicationSettings(
            permission: state.permission(of: app), presenter: presenter,
            showsBadge: presenter.showsBadges && state.identity(of: app).hasDesktopEntry,
            desktop: state.switches[app])
        settings.previews = state.previews(of: app)
        return settings
    }

    /// The apps that are known here, with their permissions, by their ids.
    public func permissions() async throws(NotificationError) -> [ApplicationPermission] {
        let off = state.switches.filter { !$0.value.isOn }.keys
        let apps = Set(state.permissions.keys).union(off).union(state.applications.keys)
            .union(try await store.appsWithNotifications())
        return apps.sorted { $0.rawValue < $1.rawValue }.map { app in
            ApplicationPermission(
                app: app, name: identity(of: app)?.name ?? "",
                permission: state.permission(of: app), previews: state.previews(of: app))
        }
    }

    /// Makes an app one about which the user is asked before it notifies.
    public func requirePermission(of app: ApplicationID) async throws(NotificationError) {
        guard state.applications[app]?.needsPermission != true || state.permissions[app] == nil
        else { return }
        var application = state.identity(of: app)
        application.needsPermission = true
        try await store.save(application, as: AppColumns.identity, of: app)
        state.applications[app] = application
        guard let permission = state.permissionToKeep(for: application) else { return }
        try await store.save(permission, of: app)
        state.permissions[app] = permission
    }

    /// Decides for the person about an app.
    public func decide(
        _ decision: PermissionDecision, for app: ApplicationID
    ) async throws(NotificationError) {
        try await admit(app)
        _ = await presenterStatus()
        await lookAtSwitch(of: app)
        if decision == .reset {
            try await store.save(nil, as: AppColumns.previews, of: app)
            state.previews[app] = nil
        }
        let permission = state.permission(of: app, after: decision)
        try await store.save(permission, of: app)
        perform(state.permissionSaved(permission, of: app, now: clock.now()))
        try await waitForTurns(of: app)
    }

    /// Takes every open question and dialog off the screen; who asked hears that nobody answered.
    public func withdrawQuestions() async {
        let popups = state.questions.filter { $0.value.stage == .popup }.keys
            .map(PermissionPrompt.key)
        perform(state.questionsWithdrawn())
        // What the effects began, this waits for; closing twice is closing once.
        await presenter.withdraw(popups)
        for dialog in dialogs.values {
            dialog.cancel()
            await dialog.value
        }
    }

    // MARK: Effects

    func inspectPresenter(for app: ApplicationID, token: UInt64) {
        Task {
            let status = await presenterStatus()
            await lookAtSwitch(of: app)
            perform(
                state.presenterInspected(status, for: app, token: token, now: clock.now()))
        }
    }

    func save(_ permission: Permission, of app: ApplicationID) {
        Task {
            do throws(NotificationError) {
                try await store.save(permission, of: app)
                perform(state.permissionSaved(permission, of: app, now: clock.now()))
            } catch {
                perform(state.permissionNotSaved(of: app, error))
            }
        }
    }

    func answer(_ numbers: [UInt64], _ result: Result<Bool, NotificationError>) {
        for number in numbers {
            permissionWaiters.removeValue(forKey: number)?.resume(returning: result)
        }
    }
}
