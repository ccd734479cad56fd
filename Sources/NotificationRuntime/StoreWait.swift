internal import NotificationModel
internal import Reactor

/// Waits for a store that another process still has.
///
/// After a new login the daemon of the last session may not have noticed yet that its bus is gone;
/// it lets go of the store within `Daemon.busPatience`.
struct StoreWait: Sendable {
    /// How long a newcomer waits for the store.
    static let patience: Duration = .seconds(15)
    private static let pause: Duration = .milliseconds(200)

    let reactor: Reactor
    let patience: Duration

    /// Runs `open` again and again while it fails with `storeLocked` and nobody stops it.
    func open<Value: Sendable>(
        onWaiting: () -> Void, mayGoOn: () async throws(NotificationError) -> Bool,
        _ open: () async throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value? {
        var waited = Duration.zero
        while true {
            do throws(NotificationError) {
                return try await open()
            } catch {
                guard error.code == .storeLocked, waited < patience else { throw error }
            }
            guard try await mayGoOn() else { return nil }
            if waited == .zero { onWaiting() }
            await pause()
            waited += Self.pause
        }
    }

    private func pause() async {
        await withCheckedContinuation { continuation in
            reactor.perform { [reactor] in
                reactor.deadline(after: Self.pause) { continuation.resume() }
            }
        }
    }
}
