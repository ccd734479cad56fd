internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel

/// The one popup that stands for the late notifications of an app that are in its list only; pure.
///
/// It is a request of the app like any other, with an identifier of its own, so that it outlives a
/// crash, is shown once and can be removed.
package struct MissedSummary: Hashable {
    /// The identifier of every summary.
    package static let identifier = "org.tocsin.missed"
    /// After how long without another late one it is shown, in microseconds.
    package static let delay: Int64 = 1_000_000
    /// How many it names.
    private static let named = 3
    private static let titleLimit = 60
    private static let key = "org.tocsin.missed"

    /// How many notifications it stands for.
    private(set) var count = 0
    private var titles: [String] = []

    /// A summary of none.
    package init() {}

    /// The summary that is stored or shown as this content.
    package init(_ content: NotificationContent) {
        count = max(0, content.summaryArgumentCount)
        guard case .array(let values) = content.userInfo[Self.key] else { return }
        titles = values.compactMap { value in
            guard case .string(let title) = value else { return nil }
            return title
        }
    }

    /// Names another one.
    package mutating func add(_ content: NotificationContent) {
        let (sum, overflow) = count.addingReportingOverflow(1)
        count = overflow ? count : sum
        let title = content.title.isEmpty ? content.body : content.title
        guard titles.count < Self.named, !title.isEmpty else { return }
        let isLong = title.count > Self.titleLimit
        titles.append(isLong ? "\(title.prefix(Self.titleLimit))\u{2026}" : title)
    }

    /// What is shown.
    package var request: NotificationRequest {
        var content = NotificationContent(
            title: count == 1 ? "1 more notification" : "\(count) more notifications", body: text)
        content.summaryArgumentCount = count
        content.userInfo = [Self.key: .array(titles.map { .string($0) })]
        return NotificationRequest(identifier: Self.identifier, content: content)
    }

    private var text: String {
        let rest = count - titles.count
        let names = titles.joined(separator: ", ")
        guard rest > 0 else { return "While you were away: \(names)" }
        return titles.isEmpty
            ? "They came while you were away." : "While you were away: \(names) and \(rest) more"
    }
}

// The popup that stands for late notifications.
extension CenterStore {
    /// Counts the late ones among these in the summaries of their apps, in the same transaction as
    /// their delivery.
    func summarize(_ settlements: [Settlement], in database: Database) throws {
        var late: [ApplicationID: [(due: DueTime, content: NotificationContent)]] = [:]
        for settlement in settlements {
            guard case .listed(let due) = settlement.outcome else { continue }
            let claimed = settlement.claimed
            late[claimed.app, default: []].append((due, claimed.request.content))
        }
        for (app, late) in late.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let due = late.last?.due else { continue }
            var summary = try summary(of: app, in: database)
            for one in late { summary.add(one.content) }
            Log.store.notice(
                """
                \(late.count) late notifications of \(app) are delivered without a \
                popup of their own; its summary counts \(summary.count)
                """)
            try replace(summary, of: app, due: due, in: database)
        }
    }

    private func replace(
        _ summary: MissedSummary, of app: ApplicationID, due: DueTime, in database: Database
    ) throws {
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        // A row of its own: one that is on its way says less, and is shown again with all of them.
        try database.run("DELETE FROM request WHERE app = ? AND identifier = ?", key.columns)
        _ = try insertRow(
            key, payload: try PayloadCoding.encode(summary.request), due: due, in: database)
    }

    /// What the person has not answered yet: a summary that waits, or one that was shown.
    private func summary(of app: ApplicationID, in database: Database) throws -> MissedSummary {
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        if let waiting = try waiting(key, in: database) {
            return MissedSummary(waiting.request.request.content)
        }
        return try shownSummary(key, in: database)
    }

    /// The delivered summary; an empty one if the user has answered it.
    func shownSummary(
        _ key: NotificationKey, in database: Database
    ) throws -> MissedSummary {
        let shown = try notification(key, in: database)?.notification
        return shown.map { MissedSummary($0.request.content) } ?? MissedSummary()
    }
}
