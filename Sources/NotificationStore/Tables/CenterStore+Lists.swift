internal import Foundation
internal import GRDB
package import NotificationModel

// Pages of requests, delivered notifications and records. A page decodes only the rows that it
// shows.
extension CenterStore {
    /// The size of the stored rows at which a page ends, in bytes.
    static let pageSize = 1 << 20

    /// A page of the pending requests; pages follow the order of the keys.
    ///
    /// Within a page, the request that fires first comes first.
    ///
    /// - Throws: `invalidArgument` if the limit is below 1, identifiers are given without an app,
    ///   or the cursor belongs to another list; `limitReached` if there are too many identifiers;
    ///   `storeUnavailable` if the store cannot be read.
    package func pendingPage(
        _ query: ListQuery, of app: ApplicationID?, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<PendingNotification> {
        let (rows, next) = try await pendingRows(query, of: app, now: now)
        return ListPage(notifications: await list(rows, now: now), next: next)
    }

    /// A page of the pending requests as JSON lines, in the order of their keys.
    package func pendingLines(
        _ query: ListQuery, of app: ApplicationID?, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> PendingLines {
        let (rows, next) = try await pendingRows(query, of: app, now: now)
        var page = PendingLines(next: next)
        page.lines = await lines(rows, now: now)
        return page
    }

    private func pendingRows(
        _ query: ListQuery, of app: ApplicationID?, now: ClockReading,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ([RequestRow], PageCursor?) {
        let identifiers = try Self.checkedIdentifiers(of: query, app)
        let start =
            try Self.position(of: query.after, in: "p/") { place in
                // No id of an app has a slash.
                place.firstIndex(of: "/").map { slash in
                    (String(place[..<slash]), String(place[place.index(after: slash)...]))
                }
            } ?? ("", "")
        let (rows, isFull) = try await change("read") { database in
            if let app, let text = query.abbreviation {
                let found = try Abbreviation(text).pending(
                    of: app, limit: query.limit, now: now, in: database)
                return (found.map(RequestRow.init), false)
            }
            var page = PageRows(limit: query.limit, RequestRow.init) { $0.payload.count }
            if let app, let identifiers {
                let sql = "\(RequestRow.selection) WHERE app = ? AND identifier = ?"
                let left = identifiers.filter { Self.precedes(start.1, $0) }
                for identifier in left where !page.isFull {
                    try page.read(database, sql, [app.rawValue, identifier])
                }
            } else {
                let rest =
                    app == nil ? "(app, identifier) > (?2, ?3)" : "app = ?1 AND identifier > ?3"
                try page.read(
                    database, "\(RequestRow.selection) WHERE \(rest) ORDER BY app, identifier",
                    [app?.rawValue, start.0, start.1])
            }
            return (page.rows, page.isFull)
        }
        let last = rows.last.map { PageCursor(rawValue: "p/\($0.app)/\($0.identifier)") }
        return (rows, isFull ? last : nil)
    }

    /// A page of the delivered notifications, newest first.
    ///
    /// - Throws: `invalidArgument` if the limit is below 1, identifiers are given without an app,
    ///   or the cursor belongs to another list; `limitReached` if there are too many identifiers;
    ///   `storeUnavailable` if the store cannot be read.
    package func deliveredPage(
        _ query: ListQuery, of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<DeliveredNotification> {
        try await page(query, of: app, in: .notification, mark: "d/") {
            self.notification($0)
        }
    }

    /// A page of the records, newest first.
    ///
    /// - Throws: `invalidArgument` if the limit is below 1, identifiers are given without an app,
    ///   or the cursor belongs to another list; `limitReached` if there are too many identifiers;
    ///   `storeUnavailable` if the store cannot be read.
    package func recordPage(
        _ query: ListQuery, of app: ApplicationID?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> ListPage<NotificationRecord> {
        try await page(query, of: app, in: .record, mark: "r/") { NotificationRecord($0) }
    }

    /// A page of a table, newest first.
    ///
    /// Swift code selects the wanted identifiers, because an app has few rows in these tables.
    private func page<Element: Sendable>(
        _ query: ListQuery, of app: ApplicationID?, in table: StoreTable, mark: String,
        isolation: isolated (any Actor)? = #isolation,
        _ element: @escaping @Sendable (Row) -> Element?
    ) async throws(NotificationError) -> ListPage<Element> {
        // Compare bytes, as SQLite does: Swift treats canonically equivalent texts as equal.
        let wanted = try Self.checkedIdentifiers(of: query, app).map { identifiers in
            Set(identifiers.map { Data($0.utf8) })
        }
        let start = try Self.position(of: query.after, in: mark) { Int64($0) } ?? .max
        return try await change("read") { database in
            if let app, let text = query.abbreviation {
                let list = try database.cachedStatement(
                    sql: "SELECT * FROM \(table.name) WHERE app = ? ORDER BY row DESC")
                let rows = try Row.fetchAll(list, arguments: [app.rawValue])
                let found = Abbreviation(text).candidates(in: rows, last: rows.first) {
                    $0.checked("identifier") ?? ""
                }
                return ListPage(
                    notifications: found.prefix(query.limit).compactMap(element), next: nil)
            }
            var page = PageRows(limit: query.limit, { $0.copy() }) { row in
                // Count the columns that this table has.
                ["payload", "title", "message"].reduce(0) {
                    $0 + ((row.checked($1) as Data?)?.count ?? 0)
                }
            }
            let ofApp = app == nil ? "" : "app = ?1 AND"
            try page.read(
                database, "SELECT * FROM \(table.name) WHERE \(ofApp) row < ?2 ORDER BY row DESC",
                [app?.rawValue, start]
            ) { wanted?.contains($0.checked("identifier") ?? Data()) ?? true }
            let last: Int64 = page.rows.last?.checked("row") ?? 0
            return ListPage(
                notifications: page.rows.compactMap(element),
                next: page.isFull ? PageCursor(rawValue: "\(mark)\(last)") : nil)
        }
    }

    /// The position that a cursor of this list names; nil if `cursor` is nil.
    private static func position<Place>(
        of cursor: PageCursor?, in mark: String, _ read: (Substring) -> Place?
    ) throws(NotificationError) -> Place? {
        guard let text = cursor?.rawValue else { return nil }
        guard text.hasPrefix(mark), let place = read(text.dropFirst(mark.count)) else {
            throw NotificationError(
                .invalidArgument,
                "The cursor \(text.quotedForMessage()) is not from this list. Use the cursor that "
                    + "the previous page of the same list returned.")
        }
        return place
    }

    /// Decodes rows off the commit queue and off the actor, so that popups do not wait for a page.
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
                state: Self.state(row, now: now),
                nextFire: claimed.due == .never ? nil : claimed.due.expected(now), serial: row.row,
                regular: claimed.regular?.expected(now))
        }.sorted(by: PendingNotification.firesEarlier)
    }

    /// A row that was claimed before it is due still counts as pending.
    private static func state(_ row: RequestRow, now: ClockReading) -> PendingNotification.State {
        row.state == 0 || row.due.remaining(now) > 0 ? .pending : .presenting
    }

    /// The rows as JSON lines; decodes only rows with attachments or keys that only the store uses.
    ///
    /// This runs off the commit queue and off the actor.
    @concurrent
    private func lines(_ rows: [RequestRow], now: ClockReading) async -> [UInt8] {
        var page = PendingLines(next: nil)
        var entry = PendingNotification.empty
        for row in rows where row.identifier != MissedSummary.identifier {
            do throws(NotificationError) {
                entry.app = try ApplicationID(row.app)
                entry.state = Self.state(row, now: now)
                entry.nextFire = row.due == .never ? nil : row.due.expected(now)
                entry.serial = row.row
                let payload = try publicPayload(row, of: &entry, now: now)
                try page.append(entry, request: payload)
            } catch {
                noteDamaged(.request, row.row)
            }
        }
        return page.lines
    }

    /// The JSON of a row's request, without the keys that only the store uses.
    ///
    /// One of these keys holds the date that a snooze has put off; `entry` gets this date.
    private func publicPayload(
        _ row: RequestRow, of entry: inout PendingNotification, now: ClockReading
    ) throws(NotificationError) -> Data {
        entry.regular = nil
        guard PayloadCoding.hasPrivateKeys(row.payload) else {
            if row.isIntact { return row.payload }
            throw NotificationError(.storeUnavailable, "The row is damaged.")
        }
        guard let claimed = claimed(row) else {
            throw NotificationError(.storeUnavailable, "The row is damaged.")
        }
        entry.regular = claimed.regular?.expected(now)
        return try PayloadCoding.encode(claimed.request)
    }

    /// The wanted identifiers, each once, in the order of their bytes; nil if all are wanted.
    ///
    /// SQLite compares identifiers by their bytes.
    private static func checkedIdentifiers(
        of query: ListQuery, _ app: ApplicationID?
    ) throws(NotificationError) -> [String]? {
        guard query.limit > 0 else {
            throw NotificationError(
                .invalidArgument,
                "A page of \(query.limit) notifications was asked for. Ask for 1 to "
                    + "\(ListQuery.maximumLimit), or leave the number out.")
        }
        guard app != nil || (query.identifiers == nil && query.abbreviation == nil) else {
            throw NotificationError(
                .invalidArgument,
                "Identifiers were given without an app, but an identifier is unique only within "
                    + "one app. Name the app.")
        }
        guard let app, let identifiers = query.identifiers else { return nil }
        // A page may find nothing, and then it looks up every identifier.
        try Limits.requestsOfCall.check(identifiers.count, of: "\(app)")
        return identifiers.sorted(by: precedes).reduce(into: []) { list, identifier in
            if list.last.map({ precedes($0, identifier) }) ?? true { list.append(identifier) }
        }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

extension Abbreviation {
    /// The rows of requests that the abbreviation may mean; each query except `last` uses an index.
    fileprivate func pending(
        of app: ApplicationID, limit: Int, now: ClockReading, in database: Database
    ) throws -> [Row] {
        func rows(_ condition: String, _ arguments: StatementArguments) throws -> [Row] {
            let sql = "\(RequestRow.selection) \(condition)"
            let statement = try database.cachedStatement(sql: sql)
            return try Row.fetchAll(statement, arguments: [app.rawValue] + arguments)
        }
        return try candidates(
            identifier: { $0.checked("identifier") ?? "" },
            exact: { try rows("WHERE app = ? AND identifier = ?", [text]).first },
            // Search backwards from the newest request of all apps: the app's own newest request is
            // usually near the end of the table. Skip the summary of late notifications, because
            // lists leave it out.
            last: {
                try rows(
                    "NOT INDEXED WHERE app = ? AND identifier != ? ORDER BY row DESC LIMIT 1",
                    [MissedSummary.identifier]
                ).first
            },
            beginning: {
                try rows(
                    "WHERE app = ? AND identifier >= ? AND identifier < ? ORDER BY identifier LIMIT ?",
                    [text, text + "\u{10FFFF}", limit])
            },
            numbered: { number in
                try row(number, of: app, now: now, in: database).flatMap { row in
                    try rows("WHERE app = ? AND row = ?", [row]).first
                }
            })
    }

    /// The row at a position in the firing order.
    ///
    /// For requests that wait, this reads the first rows of two indexes. It reads all requests that
    /// are being presented, because they are few and no index has them in this order.
    private func row(
        _ number: Int, of app: ApplicationID, now: ClockReading, in database: Database
    ) throws -> Int64? {
        guard number <= Limits.pending.range.upperBound else { return nil }
        var first: [(due: Instant, row: Int64)] = []
        func read(_ source: String, limit: Int) throws {
            let statement = try database.cachedStatement(
                sql: "SELECT row, due_wall, due_boot FROM request INDEXED BY \(source) LIMIT ?")
            let rows = try Row.fetchCursor(statement, arguments: [app.rawValue, limit])
            while let row = try rows.next() {
                let due = DueTime(
                    wall: row.checked("due_wall") ?? Instant(microseconds: 0),
                    boot: row.checked("due_boot"))
                first.append((due.expected(now), row.checked("row") ?? 0))
            }
        }
        // Read one more row for the summary of missed notifications, which the list leaves out.
        try read(
            "request_due_wall WHERE state = 0 AND boot_id IS NULL AND app = ? ORDER BY due_wall, row",
            limit: number + 1)
        try read(
            "request_due_boot WHERE state = 0 AND boot_id NOT NULL AND app = ? ORDER BY due_boot, row",
            limit: number + 1)
        // SQLite does not limit the rows if the limit is negative.
        try read("request_presenting WHERE state = 1 AND app = ?", limit: -1)
        let summary = try Int64.fetchOne(
            database, sql: "SELECT row FROM request WHERE app = ? AND identifier = ?",
            arguments: [app.rawValue, MissedSummary.identifier])
        let listed = first.filter { $0.row != summary }.sorted { $0 < $1 }
        return number <= listed.count ? listed[number - 1].row : nil
    }
}

/// The rows of a page while it is read; the page ends at a number of rows or bytes.
private struct PageRows<Element> {
    private let limit: Int
    private let element: (Row) -> Element
    private let size: (Element) -> Int
    private(set) var rows: [Element] = []
    private var total = 0

    /// `element` copies what it needs from a row, because the cursor reuses the row.
    init(limit: Int, _ element: @escaping (Row) -> Element, size: @escaping (Element) -> Int) {
        self.limit = min(limit, ListQuery.maximumLimit)
        self.element = element
        self.size = size
    }

    /// Whether the page ended because it is full, so that another page may follow.
    var isFull: Bool { rows.count >= limit || total >= CenterStore.pageSize }

    mutating func read(
        _ database: Database, _ sql: String, _ arguments: StatementArguments,
        isWanted: (Row) -> Bool = { _ in true }
    ) throws {
        let statement = try database.cachedStatement(sql: sql)
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        while !isFull, let row = try cursor.next() {
            guard isWanted(row) else { continue }
            rows.append(element(row))
            total += size(rows[rows.count - 1])
        }
    }
}
