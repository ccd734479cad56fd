internal import Logging
import NotificationModel
internal import NotificationStore

/// Stores responses, and starts their apps if these have quit.
extension CenterEngine {
    /// Stores the user's response, and hands it to its app or starts the app.
    ///
    /// `asked` is the notification of a response that took a while: another one may have its key by
    /// now.
    func store(
        _ action: NotificationResponse.Action, to key: NotificationKey, _ token: String?,
        asked: DeliveredNotification? = nil
    ) async throws {
        let now = clock.now()
        let isHeld = try await holds(action, to: key)
        let startsApp = !isHeld && state.startsApp(of: key)
        let response = try await store.recordResponse(
            to: key, action: action, activationToken: token,
            launchDate: startsApp ? now.wall : nil, isHeld: isHeld, asked: asked)
        changed(.delivered, of: key.app)
        guard let response else { return }
        if isHeld { return perform(state.responseHeld(response)) }
        perform(state.changes.answered(key, action))
        perform(state.responseRecorded(response, startingApp: startsApp, now: now))
    }

    /// Continues the starts of apps that an earlier run left.
    func resumeLaunches() async throws(NotificationError) {
        let wanted = try await store.wantedLaunches()
        if !wanted.isEmpty { perform(state.resume(wanted, now: clock.now())) }
        // The session may have been unlocked since the lock was queried.
        perform(state.releaseHeld())
    }

    /// Stores the command that starts a connecting app again, if the app states one.
    func rememberCommand(of application: ApplicationIdentity) async throws(NotificationError) {
        guard launcher != nil, let command = LaunchCommand(application),
            command != state[application.id].launchCommand
        else { return }
        try await store.save(command, as: AppColumns.launchCommand, of: application.id)
        state.change(application.id) { $0.launchCommand = command }
    }

    /// Starts the app of a response.
    func launch(_ order: LaunchOrder) {
        guard let launcher else { return }
        Task {
            var isStarted = false
            do throws(NotificationError) {
                step(.launching)
                try await store.beginLaunch(for: order.response.id, at: clock.now().wall)
                isStarted = try await launcher.launch(order)
                step(.launched)
                if !isStarted {
                    Log.engine.info("\(order.app) gets its response at its next start")
                }
            } catch {
                Log.engine.error("\(error.message) The app gets its response at its next start.")
            }
            perform(state.launches.ended(order, isStarted: isStarted))
        }
    }

    /// Stores that apps must not be started any more for these responses.
    func endLaunches(for responses: [Int64]) {
        guard !state.isStopping else { return }
        attempt("the start of an app") { try await $0.endLaunches(for: responses) }
    }
}
