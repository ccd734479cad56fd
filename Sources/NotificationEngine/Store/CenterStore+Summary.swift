internal import Foundation
internal import GRDB
internal import Logging
import NotificationModel

// The popup that stands for late notifications.
extension CenterStore {
    /// Counts the late ones among these in the summaries of their apps, in the same transaction as
    /// their delivery.
    func summarize(_ settlements: [Settlement], in database: Database) throws {
        var due: [ApplicationID: DueTime] = [:]
        var contents: [ApplicationID: [NotificationContent]] = [:]
        for settlement in settlements {
            guard case .listed(let summary) = settlement.outcome else { continue }
            let claimed = settlement.claimed
            due[claimed.app] = summary
            contents[claimed.app, default: []].append(claimed.request.content)
        }
        for (app, due) in due.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            var summary = try summary(of: app, in: database)
            for content in contents[app] ?? [] { summary.add(content) }
            Log.store.notice(
                """
                \(contents[app]?.count ?? 0) late notifications of \(app) are delivered without a \
                popup of their own; its summary counts \(summary.count)
                """)
            try replace(summary, of: app, due: due, in: database)
        }
    }

    private func replace(
        _ summary: MissedSummary, of app: ApplicationID, due: DueTime, in database: Database
    ) throws {
        // A row of its own: one that is on its way says less, and is shown again with all of them.
        try database.cachedStatement(sql: "DELETE FROM request WHERE app = ? AND identifier = ?")
            .execute(arguments: [app.rawValue, MissedSummary.identifier])
        let payload = try PayloadCoding.encode(summary.request)
        let checksum = RowChecksum.of(
            app.rawValue, MissedSummary.identifier, numbers: [due.wall.microseconds, due.boot],
            payload: payload)
        try database.cachedStatement(
            sql: """
                INSERT INTO request
                (app, identifier, due_wall, boot_id, due_boot, payload, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            app.rawValue, MissedSummary.identifier, due.wall.microseconds,
            due.boot == nil ? nil : bootID, due.boot, payload, checksum,
        ])
    }

    /// What the person has not answered yet: a summary that waits, or one that was shown.
    private func summary(of app: ApplicationID, in database: Database) throws -> MissedSummary {
        let rows = try RequestRow.fetchAll(
            database, sql: "SELECT * FROM request WHERE app = ? AND identifier = ?",
            arguments: [app.rawValue, MissedSummary.identifier])
        if let waiting = rows.first.flatMap(claimed) {
            return MissedSummary(waiting.request.content)
        }
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        let shown = try notification(key, in: database)?.notification
        return shown.map { MissedSummary($0.request.content) } ?? MissedSummary()
    }
}
