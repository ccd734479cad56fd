internal import Foundation
internal import GRDB
import NotificationModel

/// What starting apps needs to outlive a crash.
extension CenterStore {
    /// Remembers how an app is started again.
    func save(
        _ command: LaunchCommand, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            let payload = try PayloadCoding.encode(command, as: LaunchCommand.record)
            let name = app.rawValue
            try database.execute(
                sql: "INSERT OR REPLACE INTO launch_command VALUES (?, ?, ?)",
                arguments: [name, payload, RowChecksum.of(name, payload: payload)])
        }
    }

    /// How the apps are started again that said so when they connected.
    func launchCommands(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID: LaunchCommand] {
        try await change("read") { database in
            var commands: [ApplicationID: LaunchCommand] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT * FROM launch_command") {
                let name: String = row.checked("app") ?? ""
                let payload: Data = row.checked("payload") ?? Data()
                // A damaged row must not become a program to start.
                guard RowChecksum.of(name, payload: payload) == row.checked("checksum"),
                    let app = try? ApplicationID(name)
                else { continue }
                let command = try? PayloadCoding.decode(LaunchCommand.record, from: payload)
                commands[app] = command?.checked
            }
            return commands
        }
    }

    /// Writes down, with the response itself, that its app is to be started.
    static func wantLaunch(
        for response: NotificationResponse, at date: Instant, in database: Database
    ) throws {
        let category = try category(of: response.notification, in: database)
        guard let mode = LaunchMode(response.action, category: category) else { return }
        try database.execute(
            sql: "INSERT OR REPLACE INTO launch (response, mode, wanted_at) VALUES (?, ?, ?)",
            arguments: [response.id, mode.rawValue, date.microseconds])
    }

    /// Writes down that the app of a response is about to be started.
    func beginLaunch(
        for response: Int64, at date: Instant, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.execute(
                sql: "UPDATE launch SET attempts = attempts + 1, started_at = ? WHERE response = ?",
                arguments: [date.microseconds, response])
        }
    }

    /// Forgets that the apps of these responses were to be started; the responses stay.
    func endLaunches(
        for responses: [Int64], isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            for response in responses {
                try database.cachedStatement(sql: "DELETE FROM launch WHERE response = ?")
                    .execute(arguments: [response])
            }
        }
    }

    /// The starts that an earlier run wanted and did not see to their end, in the order of their
    /// responses.
    func wantedLaunches(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [WantedLaunch] {
        try await change("read") { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT response.*, mode, wanted_at, attempts, started_at
                    FROM launch JOIN response ON response.row = launch.response ORDER BY row
                    """)
            return rows.compactMap { row in
                guard let app = try? ApplicationID(row.checked("app") ?? ""),
                    let response = self.response(of: app, in: row),
                    let mode = LaunchMode(rawValue: row.checked("mode") ?? -1)
                else { return nil }
                let started: Int64? = row.checked("started_at")
                return WantedLaunch(
                    response: response, mode: mode,
                    wantedAt: Instant(microseconds: row.checked("wanted_at") ?? 0),
                    attempts: row.checked("attempts") ?? 0,
                    startedAt: started.map(Instant.init(microseconds:)))
            }
        }
    }
}
