package import NotificationModel
internal import TestSupport

// Waits for what a notification centre stores; its signals of changes are the events.
extension NotificationService {
    /// Looks at once, and again after each change that the centre signals, until something is
    /// found.
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

    /// Waits until this number of an app's notifications is delivered.
    package nonisolated(nonsending) func waitForDelivered(
        _ count: Int = 1, of app: ApplicationID
    ) async throws {
        try await waitForChange(until: "\(count) delivered notifications") {
            try await delivered(of: app).count == count ? () : nil
        }
    }

    /// Waits until this number of responses waits for apps.
    package nonisolated(nonsending) func waitForStoredResponses(_ count: Int) async throws {
        // A stored response removes its notification from the list of the delivered ones.
        try await waitForChange(until: "\(count) stored responses") {
            try await status().responseCount == count ? () : nil
        }
    }
}
