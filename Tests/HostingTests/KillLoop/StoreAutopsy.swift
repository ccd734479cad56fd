import Foundation
import NotificationEngine
import NotificationModel
import NotificationStore
import TestSupport

/// The store that a killed daemon left, read from a copy.
struct StoreAutopsy: Sendable {
    /// The requests marked as being shown: the next daemon may show only these again.
    let presenting: Set<String>
    /// The pending requests, including those marked as being shown.
    let pending: Set<String>
    /// The responses that were not acknowledged.
    let responses: Set<Int64>
    /// Whether the database and every row of it are intact.
    let isClean: Bool
    /// Whether the daemon died while it repaired its store.
    let isRepairing: Bool

    /// Copies the files into the new `folder`; the loop damaged the store `repairs` times before.
    init(
        of layout: StoreLayout, app: ApplicationID, in folder: String, repairs: Int = 0
    ) async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let copy = StoreLayout(directory: folder)
        isRepairing = FileManager.default.fileExists(atPath: layout.collected)
        let files = [
            (layout.database, copy.database), (layout.log, copy.log),
            (layout.openMark, copy.openMark), (layout.schema, copy.schema),
        ]
        for (file, target) in files where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.copyItem(atPath: file, toPath: target)
        }
        let store = try CenterStore(
            layout: copy, bootID: "autopsy",
            rules: .engine(FireSchedule(zones: SystemZones(environment: [:]))),
            limits: StoreLimits(reserve: 0)
        ) { _ in }
        // A list reports a request as `presenting` only when it is due. At these times all are due.
        let now = ClockReading(wall: .latest, boot: .max, bootID: "autopsy", timeZone: "UTC")
        var rows: [PendingNotification] = []
        var query = ListQuery()
        repeat {
            let page = try await store.pendingPage(query, of: nil, now: now)
            rows += page.notifications
            query.after = page.next
        } while query.after != nil
        let count = try await store.counts().0
        presenting = Set(
            rows.filter { $0.state == .presenting }.map(\.request.identifier))
        pending = Set(rows.map(\.request.identifier))
        responses = Set(try await store.responses(of: app).map(\.id))
        // The store counts a damaged row, but does not list it. Each rescue leaves a record. The
        // kill loop's damage also removes the write-ahead log, which leaves a second record. At
        // the limit of records, each new record replaces the oldest one.
        let records = try await Self.damages(of: store)
        let known = min(2 * repairs, Limits.recordsOfApp.most)
        isClean =
            count == rows.count && records.count == known
            && records.count { $0.contains("store was damaged") } <= repairs
            && records.allSatisfy { !$0.contains("could not be read") }
        if !isClean { print("autopsy: \(rows.count) of \(count) rows; \(records)") }
        store.close()
    }

    init(
        presenting: Set<String> = [], pending: Set<String> = [], responses: Set<Int64> = [],
        isClean: Bool = true, isRepairing: Bool = false
    ) {
        self.presenting = presenting
        self.pending = pending
        self.responses = responses
        self.isClean = isClean
        self.isRepairing = isRepairing
    }

    /// The messages of the records that report damage.
    private static func damages(of store: CenterStore) async throws -> [String] {
        var messages: [String] = []
        var query = ListQuery()
        repeat {
            let page = try await store.recordPage(query, of: nil)
            messages += page.notifications.filter { $0.reason == .damaged }.map(\.message)
            query.after = page.next
        } while query.after != nil
        return messages
    }
}
