internal import Foundation
internal import GRDB
import NotificationModel

/// A row of the table of records; what a damaged page made of it is left out.
struct RecordRow: ListedRow {
    let row: Int64
    let record: NotificationRecord

    init(_ row: Row) {
        self.row = row.checked("row") ?? 0
        let (app, due): (String?, Int64?) = (row.checked("app"), row.checked("due"))
        record = NotificationRecord(
            app: app.flatMap { try? ApplicationID($0) },
            identifier: row.checked("identifier") ?? "", title: row.checked("title") ?? "",
            date: Instant(microseconds: row.checked("at") ?? 0),
            due: due.map { Instant(microseconds: $0) },
            reason: .init(rawValue: row.checked("reason") ?? "failed"),
            message: row.checked("message") ?? "")
    }

    /// What counts towards the size of a page.
    var payload: Data { Data((record.title + record.message).utf8) }
}
