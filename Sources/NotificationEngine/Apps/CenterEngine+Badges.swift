internal import Logging
public import NotificationModel
internal import NotificationStore

extension CenterEngine {
    /// Sets the number on the app's icon; 0 removes it.
    ///
    /// - Throws: `badgeInvalid` if the number is out of range. `notAllowed` if the app may not
    ///   notify, or did not ask for badges. `limitReached` if the store has too many apps.
    ///   `noSpace` or `storeUnavailable` if the store fails.
    public func setBadge(
        _ count: Int, of app: ApplicationID
    ) async throws(NotificationError) {
        try Limits.badge.check(count, of: "\(app)")
        if let refusal = state.refusal(of: app) { throw refusal }
        guard state[app].permission.options.contains(.badge) else {
            throw NotificationError(
                .notAllowed,
                "The badge count \(count) was not set: \(app) did not ask for badges. Call "
                    + "requestAuthorization with .badge.")
        }
        try await admit(app)
        // Only one call of the app runs at a time, so an app that calls often delays only itself.
        await acquireTurn(app)
        defer { releaseTurn(app) }
        try await save(badge: count, of: app)
        presenter.setBadge(count, of: app)
    }

    /// The number on the app's icon; 0 if there is none.
    ///
    /// - Throws: `noSpace` or `storeUnavailable` if the store fails.
    public func badge(of app: ApplicationID) async throws(NotificationError) -> Int {
        // The app's last number may still be on its way to the store.
        await waitForTurn(app)
        if let unstored = state.unstoredBadges[app] { return unstored }
        return try await store.value(of: AppColumns.badge, of: app) ?? 0
    }

    /// Sets the badge number from a push that has no text, if the app may show badges.
    func show(badge count: Int, ifAllowedFor app: ApplicationID) {
        guard Limits.badge.range.contains(Int64(count)), state.refusal(of: app) == nil,
            state[app].permission.options.contains(.badge)
        else { return }
        show(badge: count, of: app)
    }

    func show(badge count: Int, of app: ApplicationID) {
        inBackground("the storing of the badge of \(app)") { engine in
            engine.state.badgeReplaced(of: app)
            // Call the store first and show the number then, as `setBadge` does. So the docks and
            // the store get the numbers in the same order.
            defer { engine.presenter.setBadge(count, of: app) }
            do throws(NotificationError) {
                try await engine.save(badge: count, of: app)
            } catch {
                engine.state.badgeRefused(count, of: app)
                engine.badgeFailed(of: app, error)
            }
        }
    }

    /// Shows the stored badges, because a dock forgets the numbers of a process that leaves the bus.
    ///
    /// If the store refused a newer number of an app, the dock keeps that number.
    func showStoredBadges() async throws(NotificationError) {
        for (app, count) in try await store.values(of: AppColumns.badge)
        where state.unstoredBadges[app] == nil {
            presenter.setBadge(count, of: app)
        }
    }

    /// Tries again to store the badge that the store refused, unless a newer badge replaced it.
    func storeBadge(of app: ApplicationID) {
        inBackground("the storing of the badge of \(app)") { engine in
            // Wait for a running `setBadge`: its number is newer, and may be on its way to the
            // store.
            await engine.acquireTurn(app)
            defer { engine.releaseTurn(app) }
            guard let count = engine.state.unstoredBadges[app] else { return }
            do throws(NotificationError) {
                try await engine.save(badge: count, of: app)
            } catch {
                engine.badgeFailed(of: app, error)
            }
        }
    }

    /// Plans to store the app's badge again, unless a retry is already planned.
    private func badgeFailed(of app: ApplicationID, _ error: NotificationError) {
        guard !state.failed.contains(.storeBadge(app)) else { return }
        storeFailed(.storeBadge(app), error)
    }

    /// Stores the number; it replaces a number that the store refused before.
    private func save(badge count: Int, of app: ApplicationID) async throws(NotificationError) {
        try await store.save(count > 0 ? count : nil, as: AppColumns.badge, of: app)
        state.badgeReplaced(of: app)
    }
}

extension EngineState {
    mutating func badgeRefused(_ count: Int, of app: ApplicationID) {
        unstoredBadges[app] = count
    }

    /// Forgets the number that the store refused, because a newer number replaces it.
    mutating func badgeReplaced(of app: ApplicationID) {
        unstoredBadges[app] = nil
    }
}
