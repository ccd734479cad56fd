package import NotificationModel
internal import TestSupport

// These functions wait for a change in a centre's store; the centre signals each change.
extension NotificationService {
    /// Calls `look` at once, and again after each change that the centre signals, until `look`
    /// returns a value.
    package nonisolated(nonsending) func waitForChange<Found>(
        until what: String, _ look: () async throws -> Found?
    ) async throws -> Found {
        let changes = Recording<ServiceChange>()
        let watch = try await self.watch(nil) { changes.append($0) }
        var seen = 0
        while true {
            if let found = try await look() {
                await unwatch(watch)
                return found
            }
            seen = try await changes.wait(for: what) { [seen] in $0.count > seen }.count
        }
    }

    /// Waits until an app's delivered list has `count` notifications.
    package nonisolated(nonsending) func waitForDelivered(
        _ count: Int = 1, of app: ApplicationID
    ) async throws {
        try await waitForChange(until: "\(count) delivered notifications") {
            try await delivered(of: app).count == count ? () : nil
        }
    }

    /// Waits until `count` responses are stored.
    package nonisolated(nonsending) func waitForStoredResponses(_ count: Int) async throws {
        // A stored response causes a signal, because its notification leaves the delivered list.
        try await waitForChange(until: "\(count) stored responses") {
            try await status().responseCount == count ? () : nil
        }
    }
}
