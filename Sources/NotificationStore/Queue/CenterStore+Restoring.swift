internal import Foundation
internal import GRDB
package import NotificationModel

// Restores popups that their server lost. The row of a lost popup names its server, but has no
// popup id.
extension CenterStore {
    /// The lost notifications to restore, and the lost notifications that are given up.
    package struct Lost: Sendable {
        /// The notifications to restore, oldest first.
        package var restorations: [Restoration] = []
        /// The notifications that are not restored.
        ///
        /// `keys` has notifications that are now only part of their app's summary popup.
        /// `unawaited` has these, and those that are too old or whose server keeps no list. It
        /// leaves out notifications with a pending request.
        package var retired = RetiredNotifications()
    }

    /// Records that a server lost popups.
    ///
    /// If `keys` is nil, all popups were lost, except those of `server`, the current server.
    ///
    /// This method removes notifications that stay delivered only while their popup is on the
    /// screen, and returns them as `left`. `lost` holds the keys of the other notifications,
    /// without keys that have a pending request.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func losePopups(
        of keys: [NotificationKey]?, except server: String?,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> (lost: [NotificationKey], left: RetiredNotifications) {
        try await change("changed") { database in
            let all = try database.rows("SELECT * FROM notification WHERE popup_id NOT NULL")
            let wanted = keys.map(Set.init)
            var left = RetiredNotifications()
            var lost: [NotificationKey] = []
            for row in all {
                let owner: String? = row.checked("popup_server")
                let isElsewhere = server == nil || owner != server
                guard let key = row.key, wanted?.contains(key) ?? isElsewhere else { continue }
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

    /// Decides which lost notifications to restore, and gives up or summarises the rest.
    ///
    /// The decision and its changes are one transaction. If `isPersistent` is false, the server
    /// keeps no list, and nothing is restored.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func takeLost(
        isPersistent: Bool, now: ClockReading, isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Lost {
        try await change("changed") { database in
            let all = try Self.lostNotifications(in: database)
            guard isPersistent else {
                try Self.writeOff(all, in: database)
                let gone = try Self.withoutRequest(all.map(\.key), in: database)
                return Lost(retired: RetiredNotifications(unawaited: gone))
            }
            let plan = self.rules.restoring(all, now.wall)
            try Self.writeOff(plan.forgotten, in: database)
            var lost = Lost(restorations: plan.single.map { Restoration(row: $0.row, key: $0.key) })
            for (app, rows) in plan.summarized.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                try Self.writeOff(rows, in: database)
                lost.retired.keys += rows.map(\.key)
                try self.summarize(rows, of: app, into: &lost, now: now, in: database)
            }
            lost.retired.unawaited = try Self.withoutRequest(
                plan.forgotten.map(\.key) + lost.retired.keys, in: database)
            return lost
        }
    }

    /// The notifications to post again, because the server would not report the user's responses to
    /// their current popups.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func unheard(
        _ keys: [NotificationKey], onlyTypedReplies: Bool,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> [Restoration] {
        try await change("read") { database in
            try keys.compactMap { key in
                try database.value(
                    """
                    SELECT row FROM notification
                    WHERE app = ? AND identifier = ? AND popup_id NOT NULL
                    """, key.columns
                ).map {
                    Restoration(
                        row: $0, key: key, cause: .unheard(onlyTypedReplies: onlyTypedReplies))
                }
            }.sorted { $0.row < $1.row }
        }
    }

    /// The notification to restore; nil if it is gone, or if the cause does not apply any more.
    ///
    /// - Throws: `storeUnavailable` if the store cannot be read.
    package func lostNotification(
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

    /// Stores the popup of a restored notification; nil means that no popup was shown.
    ///
    /// If `popup` is nil and the cause is `hidden` or `unheard`, the former popup stays on the
    /// screen. With the cause `hidden`, the store then marks the popup as not hidden, so an unlock
    /// does not post it again.
    ///
    /// - Throws: `noSpace` if the disk is full; `storeUnavailable` if the store cannot be written.
    package func placePopup(
        _ popup: PresentedPopup?, _ restoration: Restoration,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(NotificationError) -> Placement {
        try await change("changed") { database in
            if popup == nil, case .unheard = restoration.cause {
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

    private static func lostNotifications(in database: Database) throws -> [RestorePlan.Lost] {
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

    /// Returns the keys without a pending request.
    ///
    /// A pending request will still be shown, so callers keep waiting for a response to its key.
    static func withoutRequest(
        _ keys: [NotificationKey], in database: Database
    ) throws -> [NotificationKey] {
        try keys.filter {
            try database.value(
                "SELECT row FROM request WHERE app = ? AND identifier = ?", $0.columns)
                as Int64? == nil
        }
    }

    private static func writeOff(_ lost: [RestorePlan.Lost], in database: Database) throws {
        for one in lost {
            try database.run(
                "UPDATE notification SET popup_server = NULL WHERE row = ?", [one.row])
        }
    }

    /// Adds these notifications to their app's summary, and stores the summary as delivered.
    ///
    /// Also adds the summary to the restorations of `lost`.
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

    /// The value of `popup_server` for a notification that no server has shown yet.
    private static let nowhere = ""
}

/// A delivered notification that is posted again; `cause` is the reason.
package struct Restoration: Hashable, Sendable {
    /// The row number in the store; a later notification with the same identifier has another
    /// number.
    package var row: Int64
    package var key: NotificationKey
    package var cause = Cause.lost

    /// The reason for posting it again.
    package enum Cause: Hashable, Sendable {
        /// Its server lost the popup.
        case lost
        /// Its popup is on the screen with hidden texts.
        case hidden
        /// Its popup is on the screen, but the server reports no response to it.
        ///
        /// With `onlyTypedReplies`, the server reports all responses except typed replies.
        case unheard(onlyTypedReplies: Bool)
    }
}

/// The result of restoring a popup.
package enum Placement: Hashable, Sendable {
    /// The store has recorded the popup, or that there is no popup.
    case placed
    /// During the restoration, the user responded to the notification, or it was removed.
    case gone
    /// During the restoration, another notification with the same identifier was delivered, and it
    /// owns the popup.
    case replaced
}

/// The notifications that a server lost, grouped by how they are restored.
package struct RestorePlan: Hashable, Sendable {
    /// A delivered notification that no server has any more.
    package struct Lost: Hashable, Sendable {
        package var row: Int64
        package var key: NotificationKey
        package var date: Instant

        package init(row: Int64, key: NotificationKey, date: Instant) {
            self.row = row
            self.key = key
            self.date = date
        }
    }

    /// Notifications that are restored with separate popups, oldest first.
    package var single: [Lost] = []
    /// Notifications that their app's summary counts, oldest first.
    package var summarized: [ApplicationID: [Lost]] = [:]
    /// Notifications that are too old to restore.
    package var forgotten: [Lost] = []

    package init() {}
}
