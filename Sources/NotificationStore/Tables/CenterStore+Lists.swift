internal import Foundation
internal import GRDB
package import NotificationModel

// Pages of what waits and of what was delivered: no page reads more rows than it shows.
extension CenterStore {
    /// The size at which a page ends, of what is stored of its rows, in bytes.
    static let pageSize = 1 << 20

    /// A page of the waiting requests, in the order of their keys.
    package func pendingPage(
        _ query: ListQuery, of app: ApplicationID?, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        let identifiers = try Self.checkedIdentifiers(of: query, app)
        let start = try ListPosition.request(query.after)
        let (rows, isFull) = try await change("read") { database in
            var page = PageRows<RequestRow>(limit: query.limit)
            if let app, let identifiers {
                let sql = "SELECT * FROM request WHERE app = ? AND identifier = ?"
                let left = identifiers.filter { Self.precedes(start.identifier, $0) }
                for identifier in left where !page.isFull {
                    try page.read(database, sql, [app.rawValue, identifier])
                }
            } else if let app {
                try page.read(
                    database,
                    """
                    SELECT * FROM request WHERE app = ? AND identifier > ?
                    ORDER BY app, identifier LIMIT ?
                    """, [app.rawValue, start.identifier, page.limit])
            } else {
                try page.read(
                    database,
                    """
                    SELECT * FROM request WHERE (app, identifier) > (?, ?)
                    ORDER BY app, identifier LIMIT ?
                    """, [start.app, start.identifier, page.limit])
            }
            return (page.rows, page.isFull)
        }
        let last = rows.last.map { ListPosition.request(app: $0.app, identifier: $0.identifier) }
        return ListPage(
            notifications: await list(rows, now: now), next: isFull ? last?.cursor : nil)
    }

    /// A page of the delivered notifications, newest first.
    package func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        let identifiers = try Self.checkedIdentifiers(of: query, app)
        let start = try ListPosition.row(query.after)
        return try await change("read") { database in
            var page = PageRows<NotificationRow>(limit: query.limit)
            if let app, let identifiers {
                let rows = try Self.rows(of: app, identifiers, below: start, in: database)
                for row in rows where !page.isFull {
                    try page.read(database, "SELECT * FROM notification WHERE row = ?", [row])
                }
            } else if let app {
                try page.read(
                    database,
                    """
                    SELECT * FROM notification WHERE app = ? AND row < ? ORDER BY row DESC LIMIT ?
                    """, [app.rawValue, start, page.limit])
            } else {
                try page.read(
                    database, "SELECT * FROM notification WHERE row < ? ORDER BY row DESC LIMIT ?",
                    [start, page.limit])
            }
            let last = page.rows.last.map { ListPosition.notification(row: $0.row) }
            return ListPage(
                notifications: page.rows.compactMap(self.notification),
                next: page.isFull ? last?.cursor : nil)
        }
    }

    /// Off the queue and off the actor: popups must not wait for a page to be decoded.
    @concurrent
    private func list(_ rows: [RequestRow], now: ClockReading) async -> [PendingNotification] {
        rows.compactMap { row -> PendingNotification? in
            guard let claimed = claimed(row) else {
                noteDamaged(.request, row.row)
                return nil
            }
            guard !claimed.isSummary else { return nil }
            return PendingNotification(
                app: claimed.app, request: claimed.request,
                state: row.state == 0 ? .pending : .presenting,
                nextFire: claimed.due == .never ? nil : claimed.due.expected(now), serial: row.row)
        }.sorted(by: PendingNotification.firesEarlier)
    }

    /// The rows of these notifications that a page may show, newest first; of an index alone.
    private static func rows(
        of app: ApplicationID, _ identifiers: [String], below start: Int64, in database: Database
    ) throws -> [Int64] {
        let statement = try database.cachedStatement(
            sql: "SELECT row FROM notification WHERE app = ? AND identifier = ? AND row < ?")
        return try identifiers.compactMap {
            try Int64.fetchOne(statement, arguments: [app.rawValue, $0, start])
        }.sorted(by: >)
    }

    /// The identifiers that are asked for, each once, in the order of their bytes, as SQLite
    /// compares them; nil for all.
    static func checkedIdentifiers(
        of query: ListQuery, _ app: ApplicationID?
    ) throws(NotificationError) -> [String]? {
        guard query.limit > 0 else {
            throw NotificationError(
                .invalidArgument,
                "A page of \(query.limit) notifications was asked for. Ask for 1 to "
                    + "\(ListQuery.maximumLimit), or for none in particular.")
        }
        guard let identifiers = query.identifiers else { return nil }
        guard app != nil else {
            throw NotificationError(
                .invalidArgument,
                "Identifiers were given without an app, and they mean something within an app "
                    + "only. Name the app.")
        }
        return identifiers.sorted(by: precedes).reduce(into: []) { list, identifier in
            if list.last.map({ precedes($0, identifier) }) ?? true { list.append(identifier) }
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
