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
        func clean(_ text: String) -> String {
            // What a damaged row or another program says may have a NUL, which no list can carry.
            let scalars = text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }
            return String(String.UnicodeScalarView(scalars))
        }
        let app = record.app?.rawValue ?? ""
        try database.run(
            """
            INSERT INTO record (at, app, identifier, message, due, reason, title)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                record.date.microseconds, app, clean(record.identifier), clean(record.message),
                record.due?.microseconds, record.reason.rawValue,
                clean(String(record.title.prefix(titleLength))),
            ])
        // By counting: rows that one app's limit took away leave gaps in the numbers.
        try database.run(
            """
            DELETE FROM record WHERE app = ?1 AND row <=
              (SELECT row FROM record WHERE app = ?1 ORDER BY row DESC LIMIT 1 OFFSET ?2)
            """, [app, limits.recordsOfApp])
        try database.run(
            """
            DELETE FROM record WHERE row <=
              (SELECT row FROM record ORDER BY row DESC LIMIT 1 OFFSET ?)
            """, [limits.records])
    }

    /// Keeps a record of what a list or signal left out.
    package func keep(
        _ record: NotificationRecord, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { try Self.keep(record, limits: self.limits, in: $0) }
    }
}
