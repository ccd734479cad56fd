internal import Foundation
internal import GRDB
import NotificationModel

extension CenterStore {
    /// Remembers whether an app may notify; nil forgets it.
    func save(
        _ permission: Permission?, of app: ApplicationID,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let name = app.rawValue
        try await change("changed") { database in
            if permission?.status != .denied {
                try database.execute(
                    sql: "DELETE FROM denied_on WHERE app = ?", arguments: [name])
            }
            guard let permission else {
                return try database.execute(
                    sql: "DELETE FROM permission WHERE app = ?", arguments: [name])
            }
            let numbers = [
                Int64(permission.status.rawValue), Int64(clamping: permission.options.rawValue),
            ]
            try database.execute(
                sql: "INSERT OR REPLACE INTO permission VALUES (?, ?, ?, ?)",
                arguments: [
                    name, numbers[0], numbers[1],
                    RowChecksum.of(name, numbers: numbers, payload: Data()),
                ])
        }
    }

    /// Forgets when the texts of an app's notifications are to be shown.
    func forgetPreviews(
        of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.execute(
                sql: "DELETE FROM previews WHERE app = ?", arguments: [app.rawValue])
        }
    }

    /// Every permission; a damaged one is as if nobody had been asked.
    func permissions(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID: Permission] {
        try await change("read") { database in
            var all: [ApplicationID: Permission] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT * FROM permission") {
                guard let app = try? ApplicationID(row.checked("app") ?? "") else { continue }
                all[app] = Self.decodePermission(row, of: app.rawValue)
            }
            return all
        }
    }

    /// Remembers that a desktop's switch of an app was turned off because the app is denied.
    func saveDenial(
        of app: ApplicationID, on desktop: String, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { database in
            try database.execute(
                sql: "INSERT OR IGNORE INTO denied_on VALUES (?, ?)",
                arguments: [app.rawValue, desktop])
        }
    }

    /// The desktops whose switches were turned off.
    func denials(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [ApplicationID: Set<String>] {
        try await change("read") { database in
            var all: [ApplicationID: Set<String>] = [:]
            for row in try Row.fetchAll(database, sql: "SELECT * FROM denied_on") {
                guard let app = try? ApplicationID(row.checked("app") ?? "") else { continue }
                all[app, default: []].insert(row.checked("desktop") ?? "")
            }
            return all
        }
    }

    /// Remembers the number on an app's icon; 0 forgets it.
    func saveBadge(
        _ count: Int, of app: ApplicationID, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        let name = app.rawValue
        try await change("changed") { database in
            guard count > 0 else {
                return try database.execute(
                    sql: "DELETE FROM badge WHERE app = ?", arguments: [name])
            }
            try database.execute(
                sql: "INSERT OR REPLACE INTO badge VALUES (?, ?, ?)",
                arguments: [
                    name, count, RowChecksum.of(name, numbers: [Int64(count)], payload: Data()),
                ])
        }
    }

    /// The numbers on the apps' icons.
    func badges(
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [(app: ApplicationID, count: Int)] {
        try await change("read") { database in
            try Row.fetchAll(database, sql: "SELECT * FROM badge ORDER BY app").compactMap { row in
                let name: String = row.checked("app") ?? ""
                let count: Int64 = row.checked("count") ?? 0
                guard let app = try? ApplicationID(name),
                    RowChecksum.of(name, numbers: [count], payload: Data())
                        == row.checked("checksum")
                else { return nil }
                return (app, Int(count))
            }
        }
    }

    private static func decodePermission(_ row: Row, of app: String) -> Permission {
        let status: Int64 = row.checked("status") ?? 0
        let options: Int64 = row.checked("options") ?? 0
        let sum = RowChecksum.of(app, numbers: [status, options], payload: Data())
        guard sum == row.checked("checksum"), let options = UInt(exactly: options),
            let status = Permission.Status(rawValue: Int(status))
        else { return Permission() }
        return Permission(status, options: .init(rawValue: options))
    }
}
