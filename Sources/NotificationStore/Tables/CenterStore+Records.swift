internal import Foundation
internal import GRDB
package import NotificationModel

// Records of missed notifications, and why they were missed.
extension CenterStore {
    /// The number of Unicode scalars that a record keeps of a title.
    ///
    /// A `Character` has no maximum length, and the records of all apps stay for days.
    private static let titleLength = 256

    /// Stores a record; deletes the oldest ones beyond the limits of its app and of all apps.
    static func keepRecord(
        _ record: NotificationRecord, limits: StoreLimits, in database: Database
    ) throws {
        func clean(_ text: String, limit: Int = .max) -> String {
            // Texts of a damaged row or another program may have a NUL, which D-Bus cannot carry.
            let scalars = text.unicodeScalars.prefix(limit).map { $0 == "\0" ? "\u{FFFD}" : $0 }
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
                clean(record.title, limit: titleLength),
            ])
        // Count the rows, because the row numbers have gaps where the records of one app were
        // deleted.
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

    /// Stores a record of something that a list or signal left out.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func keepRecord(
        _ record: NotificationRecord, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) {
        try await change("changed") { try Self.keepRecord(record, limits: self.limits, in: $0) }
    }
}
