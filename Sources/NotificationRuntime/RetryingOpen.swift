internal import NotificationModel
internal import Reactor

/// Reopens a session bus that has gone, because it may return when its daemon restarts.
enum RetryingOpen {
    private static let timeout: Duration = .seconds(600)
    private static let pause: Duration = .seconds(1)

    /// Calls `open` once a second while there is no bus, for up to ten minutes.
    ///
    /// Before each pause it calls `shouldContinue`. If that returns false, the result is nil.
    static func bus<Value: Sendable>(
        on reactor: Reactor, while shouldContinue: () -> Bool,
        _ open: () async throws(NotificationError) -> Value
    ) async throws(NotificationError) -> Value? {
        var waited = Duration.zero
        while true {
            do throws(NotificationError) {
                return try await open()
            } catch {
                guard error.code == .noBus, waited < timeout else { throw error }
            }
            guard shouldContinue() else { return nil }
            let end = Promise<Void>()
            reactor.perform(after: pause) { end.fulfill(()) }
            await end.value()
            waited += pause
        }
    }
}
