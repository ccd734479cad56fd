internal import Logging
public import NotificationModel

extension CenterEngine {
    /// Sets the number on the app's icon; 0 removes it.
    public func setBadge(
        _ count: Int, of app: ApplicationID
    ) async throws(NotificationError) {
        guard (0...Int(Int32.max)).contains(count) else {
            throw NotificationError(
                .badgeInvalid,
                "The badge count \(count) cannot be set: a badge is a number from 0, which removes "
                    + "it, to \(Int32.max).")
        }
        if let refusal = state.refusal(of: app) { throw refusal }
        guard state.permitted(for: app).contains(.badge) else {
            throw NotificationError(
                .notAllowed,
                "The badge count \(count) was not set: \(app) did not ask for badges. Call "
                    + "requestAuthorization with .badge.")
        }
        try await store.saveBadge(count, of: app)
        await presenter.setBadge(count, of: app)
    }

    /// Sets the number that a push without a text brings.
    func show(badge count: Int, ifAllowedFor app: ApplicationID) {
        guard (0...Int(Int32.max)).contains(count), state.refusal(of: app) == nil,
            state.permitted(for: app).contains(.badge)
        else { return }
        show(badge: count, of: app)
    }

    /// Sets the number that a delivered notification brings.
    func show(badge count: Int, of app: ApplicationID) {
        Task {
            await presenter.setBadge(count, of: app)
            do {
                try await store.saveBadge(count, of: app)
            } catch {
                Log.engine.error("the badge of \(app) could not be stored: \(error)")
            }
        }
    }
}
