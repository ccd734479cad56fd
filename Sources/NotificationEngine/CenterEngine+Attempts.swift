internal import Logging
import NotificationModel
internal import NotificationStore

// Changes of the store that nobody waits for.
extension CenterEngine {
    func failed(_ effect: EngineEffect, _ error: any Error) {
        Log.engine.error("what was shown or is due cannot be stored, tried again in 1 s: \(error)")
        perform(state.storeFailed(effect, now: clock.now()))
    }

    func attempt(
        _ what: String, _ change: @escaping @Sendable (CenterStore) async throws -> Void
    ) {
        attemptHere(what) { try await change($0.store) }
    }

    /// On the actor, so that what is changed is handed to the store before what comes later.
    func attemptHere(
        _ what: String,
        _ change: @escaping @Sendable (isolated CenterEngine) async throws -> Void
    ) {
        changeCount += 1
        Task {
            defer {
                changeCount -= 1
                reportRest()
            }
            do {
                try await change(self)
                somethingEnded()
            } catch {
                // The store is closed at the end, and all of this is done anew at the next start.
                guard !state.isStopping else { return }
                Log.engine.error("\(what) could not be stored: \(error)")
            }
        }
    }
}
