internal import Logging
public import NotificationModel
internal import NotificationStore
internal import Reactor

extension CenterEngine {
    /// Asks whether the session is locked, and follows changes.
    ///
    /// If the user unlocked the session while no engine ran, this releases the stored responses
    /// that waited for the unlock.
    func followLock() async throws(NotificationError) {
        if let lock = configuration.lock {
            let status = await lock.follow { [weak self] status in
                self?.onReactor { $0.perform($0.state.lockChanged(status, now: $0.clock.now())) }
            }
            _ = state.lock.statusChanged(status)
        }
        guard state.lock.status.isUnlocked else { return }
        let launchDate = configuration.launcher == nil ? nil : clock.now().wall
        try await store.releaseAll(launchDate: launchDate)
    }

    /// Stores the user's choice of when an app's notifications show their texts, and also changes
    /// the desktop's setting.
    ///
    /// - Throws: `noSettings` or `protocolViolation` if the desktop's setting cannot be changed.
    ///   `limitReached` if the store has too many apps. `noSpace` or `storeUnavailable` if the
    ///   store fails.
    public func setPreviews(
        _ previews: ShowPreviews, of app: ApplicationID
    ) async throws(NotificationError) {
        try await admit(app)
        _ = await presenterStatus()
        await refreshDesktopSwitch(of: app)
        let shows = previews == .always
        if let preferences = configuration.preferences,
            let known = state[app].permission.desktop?.showsTextsWhileLocked, known != shows
        {
            let value = try await preferences.show(textsWhileLocked: shows, of: app)
            switchSeen(value, of: app)
        }
        try await store.save(previews, as: AppColumns.previews, of: app)
        state.change(app) { $0.previewsRecord = previews }
    }

    // MARK: Deferred responses

    /// Hands the deferred responses to their apps, in the order in which the user gave them.
    func releaseHeld() {
        guard !isReleasing else { return }
        isReleasing = true
        inBackground("the release of deferred responses") { engine in
            defer { engine.isReleasing = false }
            await engine.retrying(.releaseHeld) {
                while let next = engine.state.nextDeferred { try await engine.release(next) }
            }
        }
    }

    private func release(_ deferred: DeferredResponse) async throws(NotificationError) {
        let now = clock.now()
        let startsApp = state.startsApp(of: deferred.key)
        let response = try await store.release(
            deferred, launchDate: startsApp ? now.wall : nil)
        perform(state.responseReleased(deferred, response, startingApp: startsApp, now: now))
    }
}
