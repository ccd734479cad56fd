package import Foundation
package import NotificationModel

/// A request as it enters the store: checked, encoded, with its first due time.
package struct NewRequest: Sendable {
    package var app: ApplicationID
    package var identifier: String
    package var payload: Data
    package var due: DueTime
    /// Our copies of its attachments.
    package var files: [String]
    /// The request itself, where nothing but its place in the queue keeps it from being posted.
    package var immediate: NotificationRequest?
    /// Whether an immediate one is stored as "presenting", because it is posted next.
    package var isPresenting = false

    /// Makes one of what was checked before.
    package init(
        app: ApplicationID, identifier: String, payload: Data, due: DueTime, files: [String]
    ) {
        self.app = app
        self.identifier = identifier
        self.payload = payload
        self.due = due
        self.files = files
    }

    /// The claimed row that it became; nil where it waits.
    func claimed(as row: Int64) -> ClaimedRequest? {
        guard isPresenting, let immediate else { return nil }
        return ClaimedRequest(
            row: row, app: app, request: immediate, payload: payload, due: due)
    }

    /// The size of these copies together, and of each by its name.
    func fileSizes() -> (total: Int64, byName: [(name: String, size: Int64)]) {
        let sizes = files.map { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let size = (attributes?[.size] as? NSNumber)?.int64Value ?? 0
            return (name: (path as NSString).lastPathComponent, size: size)
        }
        return (sizes.reduce(0) { $0 + $1.size }, sizes)
    }
}

/// What one of several requests that are added together changes.
package enum StoreAddition: Sendable {
    /// Stored in place of the waiting one of its identifier.
    case request(NewRequest)
    /// The waiting one of this identifier goes, and none comes.
    case removal(String)

    /// Our copies of its attachments.
    package var files: [String] {
        guard case .request(let new) = self else { return [] }
        return new.files
    }

    /// The request that it replaces or removes.
    var identifier: String {
        switch self {
        case .request(let new): new.identifier
        case .removal(let identifier): identifier
        }
    }

    package var isRemoval: Bool {
        guard case .removal = self else { return false }
        return true
    }
}
