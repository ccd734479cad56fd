internal import Logging
import NotificationModel
internal import NotificationStore

// How many apps the store keeps anything of.
extension CenterEngine {
    /// Refuses an app beyond the limit; apps of which nothing is in use make room before that.
    ///
    /// Only an unknown app at the limit costs a look into the store, so the order of the calls of a
    /// known app stays.
    func admit(_ app: ApplicationID) async throws(NotificationError) {
        guard !knownApps.contains(app) else { return }
        if knownApps.count >= store.limits.apps {
            let connected = Set(state.sessions.values.map(\.app))
            let forgotten = try await store.forgetUnusedApps(but: connected)
            for app in forgotten { state.forget(app) }
            if !forgotten.isEmpty {
                Log.engine.notice("\(forgotten.count) apps that keep nothing here are forgotten")
            }
            knownApps = try await store.knownApps().union(connected)
        }
        guard knownApps.contains(app) || knownApps.count < store.limits.apps else {
            throw NotificationError(
                .limitReached,
                "\(app) was refused: \(store.limits.apps) apps have something here already. "
                    + "\(Limits.apps.remedy).")
        }
        knownApps.insert(app)
    }
}
