internal import Logging
import NotificationModel
internal import NotificationStore

extension CenterEngine {
    func resumeLaunches() async throws(NotificationError) {
        let wanted = try await store.wantedLaunches()
        if !wanted.isEmpty { perform(state.resume(wanted, now: clock.now())) }
        // The session may have been unlocked since the lock was queried.
        perform(state.releaseHeld())
    }

    /// Stores the launch command of an app that has just connected, if its identity has one.
    func rememberCommand(of application: ApplicationIdentity) async throws(NotificationError) {
        guard configuration.launcher != nil, let command = LaunchCommand(application),
            command != state[application.id].launchCommand
        else { return }
        try await store.save(command, as: AppColumns.launchCommand, of: application.id)
        state.change(application.id) { $0.launchCommand = command }
    }

    func launch(_ request: LaunchRequest) {
        Task {
            let consequence =
                request.response == nil
                ? "\(request.app) does not run, so its settings cannot be opened."
                : "\(request.app) gets its response at its next start."
            var isStarted = false
            do throws(NotificationError) {
                configuration.step(.launching)
                if let response = request.response {
                    try await store.beginLaunch(for: response.id, at: clock.now().wall)
                }
                if let launcher = configuration.launcher {
                    isStarted = try await launcher.launch(request)
                }
                configuration.step(.launched)
                if !isStarted { Log.engine.info("\(consequence)") }
            } catch {
                Log.engine.error("\(error.message) \(consequence)")
            }
            perform(state.launches.launchEnded(request, isStarted: isStarted))
        }
    }

    func endLaunches(for responses: [Int64]) {
        guard !state.isStopping else { return }
        inBackground("the removal of ended app starts") {
            try await $0.store.endLaunches(for: responses)
        }
    }
}
