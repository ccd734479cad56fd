internal import Foundation
internal import GRDB
package import NotificationModel

/// Stores which apps must be started, so that a crash does not lose a start.
extension CenterStore {
    /// Stores that the app must be started for the response.
    ///
    /// The same transaction stores the response, or releases a deferred response after the unlock.
    static func wantLaunch(
        for response: NotificationResponse, at date: Instant, in database: Database
    ) throws {
        let category = try category(of: response.notification, in: database)
        guard let mode = LaunchMode(response.action, category: category) else { return }
        try database.run(
            "INSERT OR REPLACE INTO launch (response, mode, wanted_at) VALUES (?, ?, ?)",
            [response.id, mode.rawValue, date.microseconds])
    }

    /// Records that a start of the response's app begins.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func beginLaunch(
        for response: Int64, at date: Instant, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.run(
                "UPDATE launch SET attempts = attempts + 1, started_at = ? WHERE response = ?",
                [date.microseconds, response])
        }
    }

    /// Forgets that the apps of these responses must be started; the responses stay.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func endLaunches(
        for responses: [Int64], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            for response in responses {
                try database.run("DELETE FROM launch WHERE response = ?", [response])
            }
        }
    }

    /// The starts that an earlier run wanted but did not finish, in the order of their responses.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func wantedLaunches(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [WantedLaunch] {
        try await change("read") { database in
            let rows = try database.rows(
                """
                SELECT response.*, mode, wanted_at, attempts, started_at
                FROM launch JOIN response ON response.row = launch.response ORDER BY row
                """)
            return rows.compactMap { row in
                guard let response = self.response(row),
                    let mode = LaunchMode(rawValue: row.checked("mode") ?? -1)
                else { return nil }
                return WantedLaunch(
                    response: response, mode: mode,
                    wantedAt: row.checked("wanted_at") ?? Instant(microseconds: 0),
                    attempts: row.checked("attempts") ?? 0, startedAt: row.checked("started_at"))
            }
        }
    }
}

/// A start of an app that an earlier run of the engine did not finish.
package struct WantedLaunch: Hashable, Sendable {
    /// The response that waits for the app.
    package var response: NotificationResponse
    package var mode: LaunchMode
    /// When the user responded, or when a deferred response was released.
    package var wantedAt: Instant
    /// How often a start began.
    package var attempts: Int64
    /// When the last start began.
    package var startedAt: Instant?

    package init(
        response: NotificationResponse, mode: LaunchMode, wantedAt: Instant, attempts: Int64,
        startedAt: Instant?
    ) {
        self.response = response
        self.mode = mode
        self.wantedAt = wantedAt
        self.attempts = attempts
        self.startedAt = startedAt
    }
}
