internal import Foundation
internal import GRDB
import NotificationModel

/// A row that a list shows.
protocol ListedRow {
    init(_ row: Row)
    var payload: Data { get }
}

extension RequestRow: ListedRow {}
extension NotificationRow: ListedRow {}

/// The rows of a page while they are read: it ends at a number of rows or of bytes.
struct PageRows<Element: ListedRow> {
    /// The most rows.
    let limit: Int
    private(set) var rows: [Element] = []
    private var size = 0

    init(limit: Int) {
        self.limit = min(limit, ListQuery.maximumLimit)
    }

    /// Whether the page ended because it has enough, and another one may follow.
    var isFull: Bool { rows.count >= limit || size >= CenterStore.pageSize }

    /// Reads the rows of a query until the page is full.
    mutating func read(
        _ database: Database, _ sql: String, _ arguments: StatementArguments
    ) throws {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        while !isFull, let row = try cursor.next() {
            let element = Element(row)
            rows.append(element)
            size += element.payload.count
        }
    }
}
