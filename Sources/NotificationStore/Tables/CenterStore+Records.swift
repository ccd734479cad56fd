internal import Foundation
internal import GRDB
package import NotificationModel

// What came to nothing, and why.
extension CenterStore {
    /// How much of a title is kept, in characters.
    private static let titleLength = 256

    /// Keeps a record, and of all of them and of its app's the newest.
    static func keep(
        _ record: NotificationRecord, limits: StoreLimits, in database: Database
    ) throws {
        let app = record.app?.rawValue ?? ""
        func clean(_ text: String) -> String {
            // What a damaged row or another program says may have a NUL, which no list can carry.
            let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            return String(String.UnicodeScalarView(scalars))
        }
        try database.cachedStatement(
            sql: """
                INSERT INTO record (at, app, identifier, message, due, reason, title)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            record.date.microseconds, app, clean(record.identifier), clean(record.message),
            record.due?.microseconds, record.reason.rawValue,
            clean(String(record.title.prefix(titleLength))),
        ])
        // By counting: rows that one app's limit took away leave gaps in the numbers.
        try database.cachedStatement(
            sql: """
                DELETE FROM record WHERE app = ?1 AND row <=
                  (SELECT row FROM record WHERE app = ?1 ORDER BY row DESC LIMIT 1 OFFSET ?2)
                """
        ).execute(arguments: [app, limits.recordsOfApp])
        try database.cachedStatement(
            sql: """
                DELETE FROM record WHERE row <=
                  (SELECT row FROM record ORDER BY row DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [limits.records])
    }

    /// Keeps a record of what a list or signal left out.
    package func keep(
        _ record: NotificationRecord, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { try Self.keep(record, limits: self.limits, in: $0) }
    }

    /// A page of the records, newest first.
    package func recordPage(
        _ query: ListQuery, of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        let identifiers = try Self.checkedIdentifiers(of: query, app)
        let start = try ListPosition.recordRow(query.after)
        return try await change("read") { database in
            var page = PageRows<RecordRow>(limit: query.limit)
            if let app, let identifiers {
                let rows = try Self.rows(ofRecords: identifiers, of: app, start, in: database)
                for row in rows where !page.isFull {
                    try page.read(database, "SELECT * FROM record WHERE row = ?", [row])
                }
            } else if let app {
                try page.read(
                    database,
                    "SELECT * FROM record WHERE app = ? AND row < ? ORDER BY row DESC LIMIT ?",
                    [app.rawValue, start, page.limit])
            } else {
                try page.read(
                    database, "SELECT * FROM record WHERE row < ? ORDER BY row DESC LIMIT ?",
                    [start, page.limit])
            }
            let last = page.rows.last.map { ListPosition.record(row: $0.row) }
            return ListPage(
                notifications: page.rows.map(\.record), next: page.isFull ? last?.cursor : nil)
        }
    }

    /// The rows of these requests' records that a page may show, newest first; an app has few.
    private static func rows(
        ofRecords identifiers: [String], of app: ApplicationID, _ start: Int64,
        in database: Database
    ) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT row, identifier FROM record WHERE app = ? AND row < ? ORDER BY row DESC")
        let wanted = Set(identifiers)
        return try Row.fetchAll(statement, arguments: [app.rawValue, start]).compactMap { row in
            guard let identifier: String = row.checked("identifier"), wanted.contains(identifier)
            else { return nil }
            return row.checked("row")
        }
    }

    /// Takes away records that are too old; those of a clock that was not set yet have no age.
    func trimRecords(at now: Instant, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM record WHERE at >= ? AND at < ?")
            .execute(arguments: [
                Instant.firstPlausible.microseconds,
                now.microseconds.saturatingSubtract(limits.deliveredAge),
            ])
    }
}
