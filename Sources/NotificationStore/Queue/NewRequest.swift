package import Foundation
package import NotificationModel

/// A request as it enters the store: checked, encoded, with its first due time.
package struct NewRequest: Sendable {
    package var app: ApplicationID
    package var identifier: String
    package var payload: Data
    package var due: DueTime
    /// The paths of the store's copies of its attachments.
    package var files: [String]
    /// The request itself if it has no trigger, and so is due at once; nil for any other request.
    package var immediate: NotificationRequest?
    /// The region that the request waits for; nil if it waits for something else.
    package var region: StoredRegion?
    /// Whether an immediate request is stored as "presenting", because it is posted next.
    package var isPresenting = false

    /// Makes a request from values that were checked before.
    package init(
        app: ApplicationID, identifier: String, payload: Data, due: DueTime, files: [String]
    ) {
        self.app = app
        self.identifier = identifier
        self.payload = payload
        self.due = due
        self.files = files
    }

    /// The claimed row that the request became; nil if the request is pending.
    func claimed(as row: Int64) -> ClaimedRequest? {
        guard isPresenting, let immediate else { return nil }
        return ClaimedRequest(
            row: row, app: app, request: immediate, payload: payload, due: due)
    }
}

/// One change in a group of requests that are added together.
package enum StoreAddition: Sendable {
    /// Stores the request in place of the pending request with the same identifier.
    case request(NewRequest)
    /// Removes the pending request with this identifier.
    case removal(String)

    /// The request to store; nil for a removal.
    private var new: NewRequest? {
        guard case .request(let new) = self else { return nil }
        return new
    }

    /// The paths of the store's copies of its attachments.
    package var files: [String] { new?.files ?? [] }
    /// The region that the stored request waits for; nil if it waits for something else.
    package var region: StoredRegion? { new?.region }
    package var isRemoval: Bool { new == nil }

    package var identifier: String {
        switch self {
        case .request(let new): new.identifier
        case .removal(let identifier): identifier
        }
    }
}
