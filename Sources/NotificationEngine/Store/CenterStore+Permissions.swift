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
