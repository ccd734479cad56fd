internal import Logging
public import NotificationModel
internal import NotificationStore

// What the desktop's own settings say, and what they are told.
extension CenterEngine {
    /// The server, with what its desktop says of Do Not Disturb.
    func presenterStatus() async -> PresenterStatus {
        var status = await presenter.status()
        guard let preferences, !status.name.isEmpty else { return status }
        await preferences.follow(server: status.name, by: status.vendor) { [weak self] app, value in
            self?.enter { $0.perform($0.state.switchSeen(value, of: app)) }
        }
        if status.isAvailable, status.isInhibited == nil {
            status.isInhibited = await preferences.isSilent()
        }
        return status
    }

    /// Reads how an app's switch is; quick where it was read before.
    func lookAtSwitch(of app: ApplicationID) async {
        readDesktopFile(of: app)
        guard let preferences, state.mayHaveSwitch(app) else { return }
        let value = await preferences.appSwitch(of: app)
        guard value != state.switches[app] else { return }
        perform(state.switchSeen(value, of: app))
    }

    /// A server has said who it is: its desktop may have switches.
    func lookAtDesktop() {
        guard preferences != nil else { return }
        Task {
            _ = await presenterStatus()
            for app in state.appsWithSwitches { await lookAtSwitch(of: app) }
        }
    }

    /// Opens the page of the desktop's settings about notifications, that of the app if there is one.
    public func openNotificationSettings(of app: ApplicationID) async throws(NotificationError) {
        guard let preferences else {
            throw NotificationError(
                .noSettings,
                "The settings of \(app) were to be opened, but this notification centre knows no "
                    + "desktop. Open the desktop's own settings of notifications.")
        }
        let server = await presenterStatus()
        guard server.isAvailable else {
            throw NotificationError(
                .noSettings,
                "The settings of \(app) were to be opened, but no notification server says which "
                    + "desktop this is. Open the desktop's own settings of notifications.")
        }
        try await preferences.openPage(of: app)
    }

    /// The presentations, where it matters with whether Do Not Disturb is on.
    func silenced(_ batch: [Presentation]) async -> [Presentation] {
        func isSensitive(_ presentation: Presentation) -> Bool {
            presentation.notification.request.content.interruptionLevel == .timeSensitive
        }
        guard preferences != nil, batch.contains(where: isSensitive),
            await presenterStatus().isInhibited == true
        else { return batch }
        return batch.map { presentation in
            var presentation = presentation
            presentation.isInSilence = isSensitive(presentation)
            return presentation
        }
    }

    // MARK: Effects

    /// Turns a switch, after what was asked of it before.
    func turn(_ isOn: Bool, switchOf app: ApplicationID) {
        guard let preferences else { return }
        let former = turns[app]
        turns[app] = Task {
            _ = await former?.value
            do throws(NotificationError) {
                let value = try await preferences.turn(isOn, switchOf: app)
                perform(state.switchTurned(value, of: app))
                return nil
            } catch {
                Log.engine.warning("the desktop's switch of \(app) was not turned: \(error)")
                let value = await preferences.appSwitch(of: app)
                perform(state.switchTurned(value, of: app))
                return error
            }
        }
    }

    /// Waits until the switch of an app is as it was asked for.
    func waitForTurns(of app: ApplicationID) async throws(NotificationError) {
        var failure: NotificationError?
        while let turn = turns[app] {
            failure = await turn.value ?? failure
            if turns[app] == turn { turns[app] = nil }
        }
        if let failure { throw failure }
    }

    func noteDenial(of app: ApplicationID, on desktop: String) {
        let former = turns[app]
        turns[app] = Task {
            _ = await former?.value
            do throws(NotificationError) {
                try await store.saveDenial(of: app, on: desktop)
            } catch {
                Log.engine.warning("that \(desktop) does not show \(app) was not stored: \(error)")
            }
            return nil
        }
    }
}
