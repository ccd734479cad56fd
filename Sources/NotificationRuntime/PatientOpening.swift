internal import NotificationModel
internal import Reactor

/// Opens what is not to be had yet: again and again while opening it fails with one error.
struct PatientOpening: Sendable {
    let reactor: Reactor
    /// What is worth another try.
    let code: NotificationError.Code
    /// How long it tries.
    let patience: Duration
    /// How long it waits between two tries.
    let pause: Duration

    /// A session bus that has gone, and is there again when its daemon has been restarted.
    static func bus(on reactor: Reactor) -> PatientOpening {
        PatientOpening(
            reactor: reactor, code: .noBus, patience: .seconds(600), pause: .seconds(1))
    }

    /// Opens it; nil where it may not go on, which is asked before each wait.
    func open<Value: Sendable>(
        mayGoOn: () async throws(NotificationError) -> Bool,
        _ open: () async throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value? {
        var waited = Duration.zero
        while true {
            do throws(NotificationError) {
                return try await open()
            } catch {
                guard error.code == code, waited < patience else { throw error }
            }
            guard try await mayGoOn() else { return nil }
            await wait()
            waited += pause
        }
    }

    private func wait() async {
        await withCheckedContinuation { continuation in
            reactor.perform { [reactor, pause] in
                reactor.deadline(after: pause) { continuation.resume() }
            }
        }
    }
}
