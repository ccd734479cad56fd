internal import Foundation
internal import GRDB
internal import Logging
package import NotificationModel

/// One popup in place of separate popups for all late notifications of an app.
///
/// The store keeps the summary as a request with a reserved identifier, so a crash does not lose
/// it.
package struct MissedSummary: Hashable {
    /// The identifier of every summary.
    package static let identifier = "org.tocsin.missed"
    /// The microseconds from the last late notification to the popup of the summary.
    package static let delay: Int64 = 1_000_000
    private static let named = 3
    /// How many Unicode scalars of a title are kept; a `Character` has no maximum size.
    private static let titleLimit = 60
    private static let key = "org.tocsin.missed"

    package private(set) var count = 0
    private var titles: [String] = []
    private let language: WordingLanguage

    /// Makes an empty summary, whose texts will be in `language`.
    package init(in language: WordingLanguage = .english) {
        self.language = language
    }

    /// Reads a summary from the content that was stored or shown.
    ///
    /// Its texts will be in `language`, even if the content is in another language.
    package init(_ content: NotificationContent, in language: WordingLanguage = .english) {
        self.language = language
        count = max(0, content.summaryArgumentCount)
        guard case .array(let values) = content.userInfo[Self.key] else { return }
        titles = values.compactMap { value in
            guard case .string(let title) = value else { return nil }
            return title
        }
    }

    /// Counts a notification, and adds its title if there is room.
    package mutating func add(_ content: NotificationContent) {
        let (sum, overflow) = count.addingReportingOverflow(1)
        count = overflow ? count : sum
        let title = content.title.isEmpty ? content.body : content.title
        guard titles.count < Self.named, !title.isEmpty else { return }
        let start = title.unicodeScalars.prefix(Self.titleLimit)
        titles.append(start.endIndex < title.endIndex ? "\(String(start))\u{2026}" : title)
    }

    package var request: NotificationRequest {
        let words = language.words
        var content = NotificationContent(title: words.missed(count), body: text(in: words))
        content.summaryArgumentCount = count
        content.userInfo = [Self.key: .array(titles.map { .string($0) })]
        return NotificationRequest(identifier: Self.identifier, content: content)
    }

    private func text(in words: PopupWording) -> String {
        let rest = count - titles.count
        guard rest <= 0 || !titles.isEmpty else { return words.missedUnnamed }
        return words.missedNames(titles.joined(separator: words.separator), rest)
    }
}

// Stores the summaries of late notifications.
extension CenterStore {
    /// Adds the late notifications of these settlements to the summaries of their apps.
    ///
    /// The caller stores the deliveries in the same transaction.
    func summarize(_ settlements: [Settlement], in database: Database) throws {
        var late: [ApplicationID: [(due: DueTime, content: NotificationContent)]] = [:]
        for settlement in settlements {
            guard case .deliveredSilently(let due) = settlement.outcome else { continue }
            let claimed = settlement.claimed
            late[claimed.app, default: []].append((due, claimed.request.content))
        }
        for (app, late) in late.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            guard let due = late.last?.due else { continue }
            var summary = try summary(of: app, in: database)
            for one in late { summary.add(one.content) }
            Log.store.notice(
                """
                \(late.count) late notifications of \(app) get no separate popups; \
                the app's summary counts \(summary.count)
                """)
            try replace(summary, of: app, due: due, in: database)
        }
    }

    private func replace(
        _ summary: MissedSummary, of app: ApplicationID, due: DueTime, in database: Database
    ) throws {
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        // A former summary with a lower count may be on its way to the screen. Insert a new row, so
        // that the new summary is shown after the former summary.
        try database.run("DELETE FROM request WHERE app = ? AND identifier = ?", key.columns)
        _ = try insertRow(
            key, payload: try PayloadCoding.encode(summary.request), due: due, in: database)
    }

    /// The pending summary, else the delivered summary, else an empty one.
    private func summary(of app: ApplicationID, in database: Database) throws -> MissedSummary {
        let key = NotificationKey(app: app, identifier: MissedSummary.identifier)
        if let waiting = try waiting(key, in: database) {
            return MissedSummary(waiting.request.request.content, in: language)
        }
        return try shownSummary(key, in: database)
    }

    /// The delivered summary, or an empty one if it is not delivered.
    func shownSummary(
        _ key: NotificationKey, in database: Database
    ) throws -> MissedSummary {
        let shown = try notification(key, in: database)?.notification
        return shown.map { MissedSummary($0.request.content, in: language) }
            ?? MissedSummary(in: language)
    }
}
