internal import Foundation
internal import GRDB

/// A row of the table of delivered notifications as it was read, before its content is decoded.
struct NotificationRow {
    var row: Int64
    var app: String
    var identifier: String
    var deliveredAt: Int64
    var payload: Data
    private var checksum: Int64?

    /// What is missing in a damaged row stays empty: the checksum tells.
    init(_ row: Row) {
        self.row = row.checked("row") ?? 0
        app = row.checked("app") ?? ""
        identifier = row.checked("identifier") ?? ""
        deliveredAt = row.checked("delivered_at") ?? 0
        payload = row.checked("payload") ?? Data()
        checksum = row.checked("checksum")
    }

    /// Whether the row says what was written.
    var isIntact: Bool {
        checksum == RowChecksum.of(app, identifier, numbers: [deliveredAt], payload: payload)
    }
}
