internal import Foundation
internal import GRDB
package import NotificationModel

// Popups that their server lost. Such a row names the server and has no id of a popup.
extension CenterStore {
    /// What comes back.
    package struct Lost: Sendable {
        /// Oldest first.
        package var restorations: [Restoration] = []
        /// The popups of those that do not, should they still be there.
        package var removed: [NotificationKey] = []
        /// Those that do not come back and are not due again.
        package var gone: [NotificationKey] = []
    }

    /// Notes that popups have gone with their server; nil for all.
    ///
    /// Transient notifications leave with their popups. Returns which of the others are not due
    /// again, and which have left.
    package func losePopups(
        of keys: [NotificationKey]?, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (lost: [NotificationKey], left: RetiredNotifications) {
        try await change("changed") { database in
            let all = try database.rows("SELECT * FROM notification WHERE popup_id NOT NULL")
            let wanted = keys.map(Set.init)
            var left = RetiredNotifications()
            var lost: [NotificationKey] = []
            for row in all {
                guard let key = row.key, wanted?.contains(key) ?? true else { continue }
                if self.notification(row)?.isTransient == true {
                    try self.retire(notification: key, into: &left, in: database)
                } else {
                    try database.run(
                        "UPDATE notification SET popup_id = NULL WHERE app = ? AND identifier = ?",
                        key.columns)
                    lost.append(key)
                }
            }
            left.unawaited = try Self.withoutRequest(left.keys, in: database)
            return (try Self.withoutRequest(lost, in: database), left)
        }
    }

    /// Decides what of all that is lost comes back; the rest is written off, and summarised, in the
    /// same transaction.
    package func takeLost(
        keepsList: Bool, now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Lost {
        try await change("changed") { database in
            let all = try Self.lost(in: database)
            guard keepsList else {
                try Self.writeOff(all, in: database)
                let gone = try Self.withoutRequest(all.map(\.key), in: database)
                return Lost(gone: gone)
            }
            let plan = self.rules.restoring(all, now.wall)
            try Self.writeOff(plan.forgotten, in: database)
            var lost = Lost(restorations: plan.single.map { Restoration(row: $0.row, key: $0.key) })
            for (app, rows) in plan.summarized.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try Self.writeOff(rows, in: database)
                lost.removed += rows.map(\.key)
                try self.summarize(rows, of: app, into: &lost, now: now, in: database)
            }
            lost.gone = try Self.withoutRequest(
                plan.forgotten.map(\.key) + lost.removed, in: database)
            return lost
        }
    }

    /// What has to be posted again of these, because nobody hears of its answers.
    package func unheard(
        _ keys: [NotificationKey], repliesAlone: Bool, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Restoration] {
        try await change("read") { database in
            try keys.compactMap { key in
                try database.value(
                    """
                    SELECT row FROM notification
                    WHERE app = ? AND identifier = ? AND popup_id NOT NULL
                    """, key.columns
                ).map {
                    Restoration(row: $0, key: key, cause: .unheard(repliesAlone: repliesAlone))
                }
            }.sorted { $0.row < $1.row }
        }
    }

    /// The notification of a restoration, or nil where it is gone, or not lost or hidden any more.
    package func lost(
        _ restoration: Restoration, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> DeliveredNotification? {
        try await change("read") { database in
            let condition =
                switch restoration.cause {
                case .lost: "popup_id IS NULL AND popup_server NOT NULL"
                case .hidden: "popup_id NOT NULL AND is_hidden = 1"
                case .unheard: "popup_id NOT NULL"
                }
            return try database.row(
                "SELECT * FROM notification WHERE row = ? AND \(condition)", [restoration.row]
            ).flatMap(self.notification)
        }
    }

    /// Stores which popup a notification has; with nil none came back, and one whose texts were hidden
    /// stays as it is.
    package func place(
        _ popup: PresentedPopup?, _ restoration: Restoration,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Placement {
        try await change("changed") { database in
            if popup == nil, case .unheard = restoration.cause {
                // It stays what it is, with the popup that it has.
                return try self.notification(restoration.key, in: database) == nil ? .gone : .placed
            }
            if popup == nil, restoration.cause == .hidden {
                try database.run(
                    "UPDATE notification SET is_hidden = 0 WHERE row = ?", [restoration.row])
            } else {
                try database.run(
                    """
                    UPDATE notification SET popup_id = ?, popup_server = ?, is_hidden = ?
                    WHERE row = ?
                    """, [popup?.id, popup?.server, popup?.isHidden ?? false, restoration.row])
            }
            if database.changesCount > 0 { return .placed }
            let isThere = try self.notification(restoration.key, in: database) != nil
            return isThere ? .replaced : .gone
        }
    }

    private static func lost(in database: Database) throws -> [RestorePlan.Lost] {
        try database.rows(
            """
            SELECT row, app, identifier, delivered_at FROM notification
            WHERE popup_id IS NULL AND popup_server NOT NULL
            """
        ).compactMap { row in
            guard let number: Int64 = row.checked("row"), let key = row.key,
                let date: Instant = row.checked("delivered_at")
            else { return nil }
            return RestorePlan.Lost(row: number, key: key, date: date)
        }
    }

    /// Those of which no request waits: who waits for the answer to what is due again goes on.
    static func withoutRequest(
        _ keys: [NotificationKey], in database: Database
    ) throws -> [NotificationKey] {
        try keys.filter {
            try database.row(
                "SELECT 1 FROM request WHERE app = ? AND identifier = ?", $0.columns) == nil
        }
    }

    private static func writeOff(_ lost: [RestorePlan.Lost], in database: Database) throws {
        for one in lost {
            try database.run(
                "UPDATE notification SET popup_server = NULL WHERE row = ?", [one.row])
        }
    }

    /// Counts these in the summary of their app, which is delivered by that and comes back, too.
    private func summarize(
        _ rows: [RestorePlan.Lost], of app: ApplicationID, into lost: inout Lost,
        now: ClockReading, in database: Database
    ) throws {
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        var summary = try shownSummary(key, in: database)
        for row in rows {
            let found = try notification(row.key, in: database)
            if let content = found?.notification.request.content { summary.add(content) }
        }
        try remove(notification: key, in: database)
        let row = try insert(
            key, payload: try PayloadCoding.encode(summary.request), date: now.wall,
            popup: (nil, Self.nowhere), in: database)
        lost.restorations.append(Restoration(row: row, key: key))
    }

    /// Stands for the server of what no server has shown yet.
    private static let nowhere = ""
}

/// A delivered notification on its way back to the screen, or with its texts to the popup it has.
package struct Restoration: Hashable, Sendable {
    /// Its row in the store, by which a later one of the same identifier is told from it.
    package var row: Int64
    package var key: NotificationKey
    package var cause = Cause.lost

    /// Why it is posted again.
    package enum Cause: Hashable, Sendable {
        /// Its server lost it.
        case lost
        /// Its popup is there, with its texts hidden.
        case hidden
        /// Its popup is there, and its server would tell nobody of an answer, or of a reply alone.
        case unheard(repliesAlone: Bool)
    }
}

/// What became of a popup that came back.
package enum Placement: Hashable, Sendable {
    /// It is stored which popup it is.
    case placed
    /// The notification was answered or removed meanwhile.
    case gone
    /// Another one of the same identifier was delivered meanwhile, whose popup it is.
    case replaced
}

/// Which of the notifications that a server lost come back, and how.
package struct RestorePlan: Hashable, Sendable {
    /// A delivered notification that no server has any more.
    package struct Lost: Hashable, Sendable {
        package var row: Int64
        package var key: NotificationKey
        package var date: Instant
    }

    /// Those that come back by themselves, oldest first.
    package var single: [Lost] = []
    /// Those that the summary of their app counts, oldest first.
    package var summarized: [ApplicationID: [Lost]] = [:]
    /// Those that do not come back: they are too old.
    package var forgotten: [Lost] = []

    /// Makes a plan in which nothing comes back.
    package init() {}
}
